/// <reference lib="dom" />

/**
 * Each tool of the page, used as a person would. Run by `deno task test:browser`;
 * it needs Chromium.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { computeEntropy } from "../../lib/password.ts";
import {
  dropFile,
  expectMessage,
  expectResult,
  fill,
  readSelection,
  readText,
  visit,
} from "./_browser.ts";

Deno.test("Base64: encodes as one types, swaps, decodes, names what is wrong", async () => {
  await using visited = await visit();
  const { page } = visited;
  await page.keyboard.type("héllo?");
  await expectResult(page, "base64", "aMOpbGxvPw==");
  assertMatch(await page.innerText("#base64 .sizes"), /^7 bytes → 12 bytes$/);
  await page.check("#base64 [value=url]");
  await expectResult(page, "base64", "aMOpbGxvPw");
  await page.click("#base64 .reuse");
  await expectResult(page, "base64", "héllo?");
  assertEquals(await readText(page, "base64"), "aMOpbGxvPw");
  assert(await page.isChecked("#base64 [value=decode]"));
  assert(
    await page.isDisabled("#base64 [value=url]"),
    "an alphabet is for encoding",
  );
  await fill(page, "base64", "aMO!");
  await expectMessage(
    page,
    "base64",
    "“!” at character 4 is no Base64 character.",
  );
  await fill(page, "base64", "");
  await page.waitForFunction(() =>
    document.querySelector("#base64 .message")!.textContent === ""
  );
});

Deno.test("Hash: keeps every byte of a dropped file", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await fill(page, "hash", "abc");
  await expectResult(
    page,
    "hash",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  await page.check("#hash [value=sha1]");
  await expectResult(page, "hash", "a9993e364706816aba3e25717850c26c9cd0d89d");
  const bytes = new TextEncoder().encode("\ufeffone\r\ntwo\rthree\n");
  await dropFile(page, "hash", bytes);
  await expectResult(
    page,
    "hash",
    createHash("sha1").update(bytes).digest("hex"),
  );
  await dropFile(page, "hash", Uint8Array.of(0xff, 0xfe));
  await expectMessage(
    page,
    "hash",
    "“dropped.txt” is not UTF-8 text, or cannot be read.",
  );
  await dropFile(page, "hash", new Uint8Array(1_048_577));
  await expectMessage(
    page,
    "hash",
    "1,048,577 bytes; the service takes at most 1,048,576 bytes a request.",
  );
});

Deno.test("UUID: one at first, then as many as asked for", async () => {
  await using visited = await visit("#uuid");
  const { page } = visited;
  const line =
    "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  await expectResult(page, "uuid", new RegExp(`^${line}$`));
  const first = await page.textContent("#uuid .output");
  await page.click("#uuid [type=submit]");
  await page.waitForFunction(
    (first) =>
      ![first, ""].includes(
        document.querySelector("#uuid .output")!.textContent,
      ),
    first,
  );
  await page.fill("#uuid [name=count]", "100");
  await expectResult(page, "uuid", new RegExp(`^(${line}\\n){99}${line}$`));
  assertMatch(
    (await page.textContent("#uuid .command pre"))!,
    /^curl -sS 'http:\/\/[^']+\/api\/uuid\?count=100'$/,
  );
  await page.fill("#uuid [name=count]", "101");
  await expectMessage(
    page,
    "uuid",
    "Choose a whole number from 1 to 100.",
  );
});

Deno.test("Password: slider, switches and the meter", async () => {
  await using visited = await visit("#password");
  const { page } = visited;
  await expectResult(page, "password", /^[^\s"'`\\]{16}$/);
  const bits = computeEntropy([26, 26, 10, 28], 16).toFixed(1);
  assertEquals(
    await page.innerText("#password .rating"),
    `very strong, ${bits} bits`,
  );
  for (const name of ["uppercase", "lowercase", "symbols"]) {
    await page.uncheck(`#password [name=${name}]`);
  }
  await expectResult(page, "password", /^[0-9]{16}$/);
  await page.uncheck("#password [name=ambiguous]");
  await expectResult(page, "password", /^[2346789]{16}$/);
  assertEquals(
    await page.innerText("#password .rating"),
    `fair, ${computeEntropy([7], 16).toFixed(1)} bits`,
  );
  await page.fill("#password [name=length]", "40");
  await expectResult(page, "password", /^[2346789]{40}$/);
  assertEquals(await page.innerText("#password output"), "40");
  await page.uncheck("#password [name=numbers]");
  await expectMessage(
    page,
    "password",
    "Choose at least one kind of character.",
  );
});

Deno.test("JSON: formats losslessly, shows an error in its place", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await fill(page, "json", '{"b":1.0,"a":[1e400]}');
  await expectResult(
    page,
    "json",
    '{\n  "b": 1.0,\n  "a": [\n    1e400\n  ]\n}',
  );
  await page.check("#json [value='4']");
  await expectResult(
    page,
    "json",
    '{\n    "b": 1.0,\n    "a": [\n        1e400\n    ]\n}',
  );
  await page.check("#json [value=validate]");
  await expectResult(page, "json", "This is valid JSON.");
  for (const action of ["format", "minify", "validate"]) {
    await page.check(`#json [value=${action}]`);
    await fill(page, "json", '{\n  "a": 1,\n  "😀": x\n}');
    await expectMessage(
      page,
      "json",
      'expected a JSON value, got "x" at line 3, column 8',
    );
    await page.click("#json .message button");
    assertEquals(await readSelection(page, "json"), "x");
    assertEquals(await page.innerText("#json .cm-wrong"), "x");
    assertMatch(await page.innerText("#json .cm-wrongLine"), /": x$/);
  }
  await fill(page, "json", "[]");
  await expectResult(page, "json", "This is valid JSON.");
  assert(await page.isHidden("#json .cm-wrong"));
});
