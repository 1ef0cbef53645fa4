/// <reference lib="dom" />

/**
 * Each tool of the page, used as a person would: in Chromium by `deno task
 * test:browser`, in all browsers by `deno task test:browsers`. `_webkit.ts` has
 * the methods of the page that are used here.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { test } from "./_browser.ts";
import { ENGINE } from "./_engines.ts";

test("Base64: encodes as one types, swaps, decodes, names what is wrong", async (open) => {
  const { page, base64 } = await open();
  await page.keyboard.type("héllo?");
  await base64.expect("aMOpbGxvPw==");
  assertMatch(await page.innerText("#base64 .sizes"), /^7 bytes → 12 bytes$/);
  await page.check("#base64 [value=url]");
  await base64.expect("aMOpbGxvPw");
  await page.click("#base64 [name=swap]");
  await base64.expect("héllo?");
  assertEquals(await base64.read(), "aMOpbGxvPw");
  assert(await page.isChecked("#base64 [value=decode]"));
  assert(
    await page.isDisabled("#base64 [value=url]"),
    "an alphabet is for encoding",
  );
  await base64.fill("aMO!");
  await base64.expectMessage(
    'The input must be Base64 text, got "!" at line 1, column 4',
  );
  await base64.fill("");
  await page.waitForFunction(() =>
    document.querySelector("#base64 .message")!.textContent === ""
  );
});

test("Hash: keeps every byte of a dropped file", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.ask(
    "abc",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  await page.check("#hash [value=sha1]");
  await hash.expect("a9993e364706816aba3e25717850c26c9cd0d89d");
  const bytes = new TextEncoder().encode("\ufeffone\r\ntwo\rthree\n");
  await hash.drop(bytes);
  await hash.expect(createHash("sha1").update(bytes).digest("hex"));
  await hash.drop(Uint8Array.of(0xff, 0xfe));
  await hash.expectMessage(
    "“dropped.txt” is not UTF-8 text, and the service takes no other.",
  );
  await hash.drop(new Uint8Array(1_048_577));
  await hash.expectMessage(
    "1,048,577 bytes, and the service takes at most 1,048,576 bytes a request.",
  );
});

test("UUID: one at first, then as many as asked for", async (open) => {
  const { page, uuid } = await open("#uuid");
  const line =
    "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  await uuid.expect(new RegExp(`^${line}$`));
  const first = await page.textContent("#uuid .output");
  await page.click("#uuid [name=again]");
  await page.waitForFunction(
    (first) =>
      ![first, ""].includes(
        document.querySelector("#uuid .output")!.textContent,
      ),
    first,
  );
  await page.fill("#uuid [name=count]", "100");
  await page.keyboard.press("End");
  await page.keyboard.type("x");
  await uuid.expect(new RegExp(`^(${line}\\n){99}${line}$`));
  assertMatch(
    (await page.textContent("#uuid .command pre"))!,
    /^curl -sS 'http:\/\/[^']+\/api\/uuid\?count=100'$/,
  );
  await page.fill("#uuid [name=count]", "101");
  await uuid.expectMessage("The count must be an integer from 1 to 100");
});

test("Password: slider, boxes and the meter", async (open) => {
  const { page, password } = await open("#password");
  await password.expect(/^[^\s"'`\\]{16}$/);
  await page.locator("#password .rating", { hasText: "Very strong" })
    .waitFor();
  for (const name of ["uppercase", "lowercase", "symbols"]) {
    await page.uncheck(`#password [name=${name}]`);
  }
  await password.expect(/^[0-9]{16}$/);
  await page.uncheck("#password [name=ambiguous]");
  await password.expect(/^[2346789]{16}$/);
  assertEquals(await page.innerText("#password .rating"), "Fair");
  await page.fill("#password [name=length]", "40");
  await password.expect(/^[2346789]{40}$/);
  if (ENGINE === "firefox") {
    // By default the track is white in the dark, too.
    const track = await page.evaluate(() => {
      const slider = document.querySelector("#password [type=range]")!;
      return getComputedStyle(slider, "::-moz-range-track").backgroundColor;
    });
    assertEquals(track, "rgb(127, 139, 134)");
  }
  await page.uncheck("#password [name=numbers]");
  await password.expectMessage("Choose at least one kind of character.");
});

test("the list of shortcuts opens and closes", async (open) => {
  const { page } = await open();
  await page.click("#help");
  await page.locator("#shortcuts h2").waitFor();
  await page.click("#shortcuts .primary");
  assert(await page.isHidden("#shortcuts h2"));
});

test("JSON: formats losslessly, shows an error in its place", async (open) => {
  const { page, json } = await open("#json");
  await json.ask(
    '{"b":1.0,"a":[1e400]}',
    '{\n  "b": 1.0,\n  "a": [\n    1e400\n  ]\n}',
  );
  await page.check("#json [value='4']");
  await json.expect('{\n    "b": 1.0,\n    "a": [\n        1e400\n    ]\n}');
  await page.check("#json [value=validate]");
  await json.expect("This is valid JSON.");
  for (const action of ["format", "minify", "validate"]) {
    await page.check(`#json [value=${action}]`);
    await json.fill('{\n  "a": 1,\n  "😀": x\n}');
    await json.expectMessage(
      'expected a JSON value, got "x" at line 3, column 8',
    );
    await page.click("#json .message button");
    assertEquals(await json.readSelection(), "x");
    assertEquals(await page.innerText("#json .cm-wrong"), "x");
    assertMatch(await page.innerText("#json .cm-wrongLine"), /": x$/);
  }
  await json.ask("[]", "This is valid JSON.");
  assert(await page.isHidden("#json .cm-wrong"));
});

test("Base64: a token is decoded, and its payload opened in JSON", async (open) => {
  const { page, base64, json } = await open();
  const [header, payload] = ['{"alg":"HS256"}', '{"sub":"1"}'].map((part) =>
    btoa(part).replaceAll("=", "")
  );
  await base64.fill(`Authorization: Bearer ${header}.${payload}.c2ln`);
  await base64.expectMessage("This looks like a JSON Web Token.");
  await page.click("#base64 .message button");
  await base64.expect('{"alg":"HS256"}\n{"sub":"1"}');
  await base64.expectMessage("Its signature is not checked.");
  await page.click("#base64 .message button");
  await json.expect('{\n  "sub": "1"\n}');
});

test("Base64: binary data is counted and can be downloaded", async (open) => {
  const { page, base64 } = await open("#base64?decode");
  await base64.fill("/w==");
  await base64.expectMessage("This decodes to 1 byte, not to UTF-8 text");
  assertEquals(await page.innerText("#base64 .message button"), "Download");
  await base64.ask("YWJj", "abc");
});

test("JSON: mistakes are repaired, strings unwrapped, duplicate names found", async (open) => {
  const { page, json } = await open("#json?minify");
  await json.fill("{a: [True, // x\n 'y', ");
  await json.expectMessage("Not valid JSON");
  await page.click("#json .message button:last-child");
  await json.expect('{"a":[true,"y"]}');
  await json.fill(JSON.stringify('{"a":1}'));
  await json.expectMessage("This is JSON inside a string.");
  await page.click("#json .message button");
  await json.expect('{"a":1}');
  await json.ask('{"a":1,"a":2}', '{"a":1,"a":2}');
  await json.expectMessage("An object has the name “a” twice");
});

test("UUID: a list has a button for each, and forms to copy", async (open) => {
  const { page, uuid } = await open("#uuid?count=3", {
    viewport: { width: 320, height: 800 },
  });
  await uuid.expect(/^([0-9a-f-]{36}\n){2}[0-9a-f-]{36}$/);
  await page.selectOption("#uuid [name=form]", "upper");
  await uuid.expect(/^([0-9A-F-]{36}\n){2}[0-9A-F-]{36}$/);
  await page.selectOption("#uuid [name=form]", "bare");
  await uuid.expect(/^([0-9a-f]{32}\n){2}[0-9a-f]{32}$/);
  assertEquals(await page.textContent("#uuid .primary .label"), "Copy all 3");
  const copied = "#uuid .item:nth-child(2) [name=copy]";
  await page.click(copied);
  await page.locator(copied, { hasText: "Copied" }).waitFor();
  await page.selectOption("#uuid [name=form]", "lines");
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll("#uuid code.line")].map((line) => {
      const range = document.createRange();
      range.selectNodeContents(line);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    })
  );
  assertEquals(rows, [1, 1, 1]);
});

test("Escape cancels a call that waits; a large text is sent whole", async (open) => {
  const { page, base64 } = await open("#base64", {
    prefix: "/tools",
    delayMs: 3_000,
  });
  await base64.fill("abc");
  await page.locator("#base64 .badge", { hasText: "Waiting for the service…" })
    .waitFor();
  await page.keyboard.press("Escape");
  await base64.expectMessage("The call was cancelled.");
  // Larger bodies are sent by another method, with their progress.
  const text = "x".repeat(300_000);
  await base64.fill(text);
  await page.locator("#base64 .badge", { hasText: "Waiting for the service…" })
    .waitFor();
  await page.keyboard.press("Escape");
  await base64.expectMessage("The call was cancelled.");
  await page.click("#base64 .message button");
  await base64.expect(btoa(text));
});
