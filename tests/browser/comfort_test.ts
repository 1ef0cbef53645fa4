/// <reference lib="dom" />

/** What makes the page a pleasure: layout, JSON, options in the address, messages. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import {
  copy,
  expectMessage,
  expectResult,
  fill,
  holdAnswers,
  type Host,
  look,
  readSelection,
  readText,
  sha256,
  visit,
} from "./_browser.ts";

/** The edges of an element, in pixels of the window. */
async function readBox(page: Page, selector: string) {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

Deno.test("wide windows have input and result side by side above the fold", async () => {
  for (
    const [width, height] of [[1000, 700], [1440, 900], [1920, 1080]] as const
  ) {
    await using visited = await visit("", { viewport: { width, height } });
    const { page } = visited;
    for (const tool of ["base64", "hash", "json"]) {
      await page.click(`nav a[href^="#${tool}"]`);
      const bar = await readBox(page, `#${tool} .bar`);
      const input = await readBox(page, `#${tool} .source`);
      const result = await readBox(page, `#${tool} .result`);
      const foot = await readBox(page, "footer");
      assertEquals(input.top, result.top);
      assert(bar.bottom <= input.top && input.right <= result.left);
      assert(result.bottom < foot.top && foot.bottom <= height);
      assert(result.height > height - 240, `${tool}: ${result.height}`);
    }
    for (const tool of ["uuid", "password"]) {
      await page.click(`nav a[href^="#${tool}"]`);
      assert((await readBox(page, `#${tool} .result`)).bottom <= height);
    }
  }
});

Deno.test("phones have the result within reach", async () => {
  for (const width of [320, 390]) {
    await using visited = await visit("", { viewport: { width, height: 660 } });
    const { page } = visited;
    for (const tool of ["base64", "hash", "json"]) {
      await page.click(`nav a[href^="#${tool}"]`);
      await fill(page, tool, '["a"]');
      await expectResult(page, tool, /./);
      const input = await readBox(page, `#${tool} .source`);
      const result = await readBox(page, `#${tool} .result .head`);
      assert(input.bottom <= result.top);
      assert(
        result.bottom + 30 <= 660,
        `${tool}: the first line is at ${result.top}`,
      );
    }
  }
});

Deno.test("the last good result stays, without a jump, while JSON is not valid", async () => {
  await using visited = await visit("#json", {
    viewport: { width: 320, height: 800 },
  });
  const { page } = visited;
  await fill(page, "json", "[1]");
  await expectResult(page, "json", "[\n  1\n]");
  const read = () =>
    page.evaluate(() => {
      const box = document.querySelector("#json .result .editor")!;
      const { top, height } = box.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
  const before = await read();
  await fill(page, "json", "[1,");
  await expectMessage(page, "json", "Not valid JSON");
  assertEquals(await read(), before);
  await page.locator("#json .badge:not(:empty)").waitFor();
  const { state, badge, result, isUsable } = await look(page, "json");
  assertEquals({ state, badge, result, isUsable }, {
    state: "stale",
    badge: "Of the last valid input",
    result: "[\n  1\n]",
    isUsable: false,
  });
});

Deno.test("at 320 px results fit in the width, wrapped lines counted", async () => {
  const sizes = { viewport: { width: 320, height: 800 } };
  await using visited = await visit("#hash?sha512", sizes);
  const { page } = visited;
  await expectResult(page, "hash", /^[0-9a-f]{128}$/);
  await page.click('nav a[href="#password"]');
  await page.fill("#password [name=length]", "128");
  await expectResult(page, "password", /^.{128}$/);
  await page.click('nav a[href="#uuid"]');
  await page.fill("#uuid [name=count]", "8");
  await expectResult(page, "uuid", /^(.{36}\n){7}.{36}$/);
  for (const tool of ["hash", "password", "uuid"]) {
    await page.click(`nav a[href^="#${tool}"]`);
    const { right } = await readBox(page, `#${tool} .result`);
    assert(right <= 320, `${tool}: ${right}`);
  }
});

Deno.test("JSON: input and result have lines, colours, folding, search and the path at the caret", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  const text = '{"a\\"": [-1.5e3, true,\n null, {"x y": {"z": "x:"}}]}';
  await fill(page, "json", text);
  await expectResult(page, "json", /^\{\n/);
  for (const pane of ["source", "result"]) {
    const tokens = await page.evaluate((pane) => {
      const host = document.querySelector(`#json .${pane} .editor`)!;
      return [...host.shadowRoot!.querySelectorAll("[class^=tok-]")]
        .map(({ className, textContent }) => `${className} ${textContent}`)
        .filter((token) => !/tok-punctuation/.test(token));
    }, pane);
    assertEquals(tokens, [
      'tok-propertyName "a\\""',
      "tok-number -1.5e3",
      "tok-bool true",
      "tok-keyword null",
      'tok-propertyName "x y"',
      'tok-propertyName "z"',
      'tok-string "x:"',
    ]);
  }
  const lines = (await readText(page, "json", "result")).split("\n").length;
  await page.locator("#json .result .cm-lineNumbers", { hasText: `${lines}` })
    .waitFor();
  await page.click("#json .source .cm-line:last-child");
  await page.keyboard.press("End");
  for (let i = 0; i < 5; i += 1) await page.keyboard.press("ArrowLeft");
  await page.locator("#json .path", {
    hasText: '$["a\\""][3]["x y"].z',
  }).waitFor();
  await page.locator("#json .caret", { hasText: "Ln 2, Col 25" }).waitFor();
  await page.keyboard.press("Control+F");
  await page.keyboard.type("null");
  await page.locator("#json .source .cm-searchMatch").waitFor();
  await page.keyboard.press("Escape");
  await page.locator('#json .result .cm-foldGutter [title="Fold line"]').nth(1)
    .click();
  await page.locator("#json .result .cm-foldPlaceholder").waitFor();
});

/** Whether a part of the input is within the part of it that is in view. */
async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await readBox(page, "#json .source .editor");
  const part = await readBox(page, selector);
  return part.left >= box.left && part.left <= box.right &&
    part.top >= box.top && part.bottom <= box.bottom;
}

Deno.test("JSON: the error is marked, a pasted text scrolled to it, and Show selects it", async (t) => {
  const texts = {
    "far right": [`[${" ".repeat(16_000)}x]`, "line 1, column 16002"],
    "far down": [`[\n${"1,\n".repeat(5_000)}x]`, "line 5002, column 1"],
    "after CR and CRLF": ["[\r1,\r\n2\r, x]", "line 4, column 3"],
    "after tabs and wide characters": ['[\n\t\t"漢字😀é",\tx]', "column 11"],
    "at the left of a long line": [`x${" ".repeat(16_000)}`, "column 1"],
    "at the end": ["[1", "column 3"],
  };
  await using visited = await visit("#json");
  const { page } = visited;
  for (const [name, [text, position]] of Object.entries(texts)) {
    await t.step(name, async () => {
      await fill(page, "json", "[]");
      await expectResult(page, "json", "[]");
      await fill(page, "json", text!);
      await expectMessage(page, "json", position!);
      const expected = name === "at the end" ? "" : "x";
      if (name === "far down") {
        await page.locator("#json .cm-wrong").waitFor();
        assert(await isInView(page, "#json .cm-wrong"));
      }
      // From either end of the text.
      for (const key of ["Control+Home", "Control+End"]) {
        await page.keyboard.press(key);
        await page.click("#json .message button");
        assertEquals(await readSelection(page, "json"), expected);
        await page.locator("#json .cm-wrong").waitFor();
        assertEquals(await page.innerText("#json .cm-wrong"), expected);
        assert(await isInView(page, "#json .cm-wrong"), `${name}, ${key}`);
      }
    });
  }
});

Deno.test("the mark goes when the text changes, and typing is not scrolled away", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await fill(page, "json", `[\n${"1,\n".repeat(500)}1]`);
  await expectResult(page, "json", /^\[/);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("[");
  await expectMessage(page, "json", "line 502, column 3");
  await page.locator("#json .caret", { hasText: "Ln 1, Col 2" }).waitFor();
  assert(await page.isHidden("#json .cm-wrong"), "it is out of view");
  await fill(page, "json", "[\n  1,\n    ?\n]");
  await expectMessage(page, "json", "line 3, column 5");
  assertEquals(await page.innerText("#json .cm-wrong"), "?");
  await look(page, "json", "[\n\n  1,\n    ?\n]");
  assert(!await page.isVisible("#json .cm-wrong"));
});

Deno.test("Base64: Show selects the offending character", async () => {
  await using visited = await visit("#base64?decode");
  const { page } = visited;
  await look(page, "base64", `${"QUJD\n".repeat(300)}QU*D`);
  await expectMessage(
    page,
    "base64",
    "“*” at character 1503 is no Base64 character.",
  );
  await page.click("#base64 .message button");
  assertEquals(await readSelection(page, "base64"), "*");
  assert(
    await page.evaluate(() => {
      const host = document.querySelector("#base64 .editor") as Host;
      return host.view.scrollDOM.scrollTop > 1_000;
    }),
  );
  await fill(page, "base64", "/w==");
  await expectMessage(
    page,
    "base64",
    "The bytes that this encodes are not UTF-8 text.",
  );
  assert(!await page.isVisible("#base64 .message button"));
});

Deno.test("Hash: compares with a digest in any notation, and says which one it is", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await fill(page, "hash", "abc");
  const digest = sha256("abc");
  await expectResult(page, "hash", digest);
  const verdict = () => page.innerText("#hash .verdict");
  assertEquals(await verdict(), "");
  const base64 = Buffer.from(digest, "hex").toString("base64");
  const notations = [
    ` ${digest.toUpperCase().replaceAll(/.{8}/g, "$& ")}\t`,
    digest.replaceAll(/..(?!$)/g, "$&:").toUpperCase(),
    `${digest}  file.txt`,
    `${digest} *file.txt\n`,
    `sha256:${digest}`,
    `sha256-${base64}`,
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    `0x${digest}`,
    `SHA256 (file.txt) = ${digest}`,
    `SHA2-256(stdin)= ${digest}`,
  ];
  for (const notation of notations) {
    await page.fill("#hash-expected", notation);
    assertEquals(await verdict(), "✓ Equal: SHA-256", notation);
  }
  const sha1 = createHash("sha1").update("abc").digest("hex");
  await page.fill("#hash-expected", sha1);
  assertEquals(await verdict(), "✓ Equal: SHA-1");
  await page.fill("#hash-expected", `${sha1.slice(1)}0`);
  assertEquals(await verdict(), "✗ Not equal to SHA-1");
  await page.fill("#hash-expected", digest.slice(1));
  assertEquals(await verdict(), "✗ Not a SHA-1, SHA-256 or SHA-512 digest");
  await page.fill("#hash-expected", digest);
  const release = await holdAnswers(page, "api/hash");
  await look(page, "hash", "abcd");
  assertEquals(await verdict(), "", "nothing is said of what is out of date");
  await release();
  await page.locator("#hash .verdict", { hasText: "✗ Not equal" }).waitFor();
});

Deno.test("files can be opened, inputs cleared, and Ctrl+Enter calls", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  const chosen = page.waitForEvent("filechooser");
  await page.click("#json .open");
  await (await chosen).setFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"a":\r\n1}'),
  });
  await expectResult(page, "json", '{\n  "a": 1\n}');
  assertEquals(await page.inputValue("#json .ends select"), "CRLF");
  const asked = page.waitForRequest("**/api/json");
  await page.focus("#json .open");
  await page.keyboard.press("Control+Enter");
  await asked;
  await expectResult(page, "json", '{\n  "a": 1\n}');
  await page.click("#json .clear");
  assertEquals(await readText(page, "json"), "");
  assertEquals((await look(page, "json")).state, "empty");
});

Deno.test("the address has the options, never the input", async (t) => {
  await using visited = await visit("#HASH?SHA512");
  const { page, origin } = visited;
  const hash = () => page.evaluate(() => location.hash);
  assert(await page.isChecked("#hash [value=sha512]"));
  assertEquals(await hash(), "#hash?sha512");
  await fill(page, "hash", "secret");
  await page.check("#hash [value=sha1]");
  await page.waitForFunction(() => location.hash === "#hash?sha1");
  await page.click('nav a[href="#json"]');
  await page.check("#json [value='4']");
  await page.waitForFunction(() => location.hash === "#json?indent=4");
  await page.goBack();
  await page.locator("#hash form").waitFor();
  assert(await page.isChecked("#hash [value=sha1]"));
  const addresses = {
    "#base64?decode": "#base64?decode",
    "#base64?nonsense&url": "#base64?url",
    "#uuid?count=5": "#uuid?count=5",
    "#uuid?count=500": "#uuid",
    "#uuid?count=abc": "#uuid",
    "#password?length=24&symbols=false": "#password?length=24&symbols=false",
    "#password?length=999&symbols=maybe": "#password",
    "#json?minify&4": "#json?minify",
    "#json?indent=4": "#json?indent=4",
    "#json?4": "#json?indent=4",
    "#JSON?Indent=4,action=format": "#json?indent=4",
    "#hash?algorithm=sha512": "#hash?sha512",
    "#password?symbols=no;uppercase=0":
      "#password?uppercase=false&symbols=false",
    "#nonsense?x": "#base64",
  };
  for (const [given, kept] of Object.entries(addresses)) {
    await t.step(given, async () => {
      await page.goto(`${origin}/${given}`);
      await page.waitForFunction((kept) => location.hash === kept, kept);
    });
  }
  await page.goto(`${origin}/#password?length=24&symbols=false`);
  await expectResult(page, "password", /^[A-Za-z0-9]{24}$/);
});

Deno.test("messages are for people, and copying has a place of its own", async () => {
  await using visited = await visit("#base64?decode");
  const { page } = visited;
  const cases: [string, string, string][] = [
    ["base64", "YQ=", "The padding is wrong: “=” at character 3."],
    [
      "base64",
      "-_+",
      "“+” at character 3 is of the other alphabet than “-” before it.",
    ],
    [
      "base64",
      "YWJjZ",
      "This Base64 is cut off: its character 5 encodes no byte.",
    ],
    ["json", "{'a'}", "Not valid JSON: "],
  ];
  for (const [tool, text, words] of cases) {
    await page.click(`nav a[href^="#${tool}"]`);
    await fill(page, tool, text);
    await expectMessage(page, tool, words);
    const { message } = await look(page, tool);
    assert(!/"input"|"action"/.test(message), message);
  }
  await page.click("#json .code");
  await copy(page, "#json .command .copy");
  assertMatch((await look(page, "json")).message, /^Not valid JSON/);
});

Deno.test("the curl line is quoted, silent but for errors, and shows what is hidden", async () => {
  await using visited = await visit("#hash");
  const { page, origin } = visited;
  const text =
    'it\'s "q" $HOME `x` \\ !\x01\x7f\x85\u202etxt.\u2066\u200b\ufeff\n\ttab 漢😀';
  await look(page, "hash", text);
  await expectResult(
    page,
    "hash",
    createHash("sha256").update(text).digest("hex"),
  );
  const line = (await page.textContent("#hash .command pre"))!;
  assert(line.startsWith(`curl -sS '${origin}/api/hash' -d '{`), line);
  assert(
    !/[\p{Cc}\p{Cf}]/u.test(line),
  );
  assertStringIncludes(line, "\\u202etxt.\\u2066");
  const { stdout } = await new Deno.Command("bash", { args: ["-c", line] })
    .output();
  assertEquals(
    JSON.parse(new TextDecoder().decode(stdout)).result,
    createHash("sha256").update(text).digest("hex"),
  );
  await page.click('nav a[href="#uuid"]');
  assertEquals(
    (await page.textContent("#uuid .command pre"))!,
    `curl -sS '${origin}/api/uuid'`,
  );
});

Deno.test("the footer tells agents where to go, under a sub-path too", async () => {
  await using visited = await visit("", { prefix: "/tools" });
  const { page, origin } = visited;
  assertEquals(await page.innerText("#agents"), `${origin}/tools/mcp`);
});
