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
  expectMessage,
  expectResult,
  fill,
  holdAnswers,
  look,
  readSelection,
  readText,
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
      const options = await readBox(page, `#${tool} .options`);
      const input = await readBox(page, `#${tool} .source .box`);
      const result = await readBox(page, `#${tool} .result .box`);
      assertEquals(input.top, result.top);
      assert(options.bottom <= input.top && input.right < result.left);
      assert(result.bottom <= height, `${tool} ends at ${result.bottom}`);
    }
    for (const tool of ["uuid", "password"]) {
      await page.click(`nav a[href^="#${tool}"]`);
      assert((await readBox(page, `#${tool} .result .box`)).bottom <= height);
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
      const input = await readBox(page, `#${tool} .source .box`);
      const result = await readBox(page, `#${tool} .result .box`);
      assert(input.bottom < result.top);
      assert(
        result.top + 30 <= 660,
        `${tool}: the first line is at ${result.top}`,
      );
    }
  }
});

Deno.test("the last good result stays, without a jump, while JSON is not valid", async () => {
  await using visited = await visit("#json", {
    viewport: { width: 390, height: 800 },
  });
  const { page } = visited;
  await fill(page, "json", "[1]");
  await expectResult(page, "json", "[\n  1\n]");
  const read = () =>
    page.evaluate(() => {
      const box = document.querySelector("#json .result .box")!;
      const { top, height } = box.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
  const before = await read();
  await fill(page, "json", "[1,");
  await expectMessage(page, "json", "Not valid JSON");
  assertEquals(await read(), before);
  const { state, badge, result, isUsable } = await look(page, "json");
  assertEquals({ state, badge, result, isUsable }, {
    state: "stale",
    badge: "Of the last valid input",
    result: "[\n  1\n]",
    isUsable: false,
  });
});

Deno.test("results have a box that fits them, wrapped lines counted", async () => {
  await using visited = await visit("#hash?sha512", {
    viewport: { width: 320, height: 800 },
  });
  const { page } = visited;
  await expectResult(page, "hash", /^[0-9a-f]{128}$/);
  const fits = () =>
    page.evaluate(() => {
      const output = document.querySelector("section:not([hidden]) .output")!;
      return output.scrollHeight <= output.clientHeight &&
        output.scrollWidth <= output.clientWidth;
    });
  assert(await fits());
  await page.click('nav a[href="#password"]');
  await page.fill("#password [name=length]", "128");
  await expectResult(page, "password", /^.{128}$/);
  assert(await fits());
  await page.click('nav a[href="#uuid"]');
  await page.fill("#uuid [name=count]", "8");
  await expectResult(page, "uuid", /^(.{36}\n){7}.{36}$/);
  assert(await fits());
});

Deno.test("JSON: lines are numbered and the result is coloured, a large one in part", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await fill(page, "json", '{"a\\"": [-1.5e3, true,\n null, "x:"]}');
  await expectResult(page, "json", /^\{\n/);
  const tokens = await page.evaluate(() =>
    [...document.querySelectorAll("#json .output span")].map((token) =>
      `${token.className} ${token.textContent}`
    )
  );
  assertEquals(tokens, [
    'name "a\\""',
    "number -1.5e3",
    "word true",
    "word null",
    'string "x:"',
  ]);
  const numbers = (pane: string) =>
    page.evaluate(
      (pane) => document.querySelector(`#json ${pane} .gutter`)!.textContent,
      pane,
    );
  assertEquals(await numbers(".source"), "1\n2");
  assertEquals(await numbers(".result"), "1\n2\n3\n4\n5\n6\n7\n8");
  await look(page, "json", `[${"1,\n".repeat(30_000)}1]`);
  await expectResult(page, "json", /^\[\n {2}1,\n/);
  assert(await page.locator("#json .output span").count() < 20_000);
  await page.evaluate(() =>
    document.querySelector("#json-input")!.scrollTop = 1e6
  );
  await page.waitForFunction(() =>
    document.querySelector("#json .source .gutter")!.textContent!.endsWith(
      "\n30001",
    )
  );
  assert((await numbers(".source"))!.length < 1_000, "only those in view");
});

Deno.test("JSON: the error's line and column are marked, and Show goes there in both directions", async (t) => {
  const texts = {
    "far right": [`[${" ".repeat(16_000)}x]`, "line 1, column 16002"],
    "far down": [`[\n${"1,\n".repeat(5_000)}x]`, "line 5002, column 1"],
    "after tabs and wide characters": ['[\n\t\t"漢字😀é",\tx]', "column 11"],
    "at the left of a long line": [`x${" ".repeat(16_000)}`, "column 1"],
    "at the end": ["[1", "column 3"],
  };
  await using visited = await visit("#json");
  const { page } = visited;
  for (const [name, [text, position]] of Object.entries(texts)) {
    await t.step(name, async () => {
      await look(page, "json", text);
      await expectMessage(page, "json", position!);
      // From either end of the text.
      for (const end of [0, 1e6]) {
        await page.evaluate((end) => {
          const area = document.querySelector("#json-input")!;
          document.querySelector<HTMLElement>("#json .clear")!.focus();
          area.scrollTo(end, end);
        }, end);
        await page.click("#json .message button");
        const expected = name === "at the end" ? "" : "x";
        assertEquals(await readSelection(page, "json"), expected);
        await page.evaluate(() => new Promise(requestAnimationFrame));
        await page.evaluate(() => new Promise(requestAnimationFrame));
        const box = await readBox(page, "#json-input");
        const mark = await readBox(page, "#json mark");
        assert(
          mark.left >= box.left && mark.right <= box.right + 1 &&
            mark.top >= box.top && mark.bottom <= box.bottom,
          JSON.stringify({ box, mark }),
        );
        assertEquals(await page.innerText("#json mark"), expected);
      }
    });
  }
});

Deno.test("the mark lies where the character is", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await fill(page, "json", "[\n  1,\n    ?\n]");
  await expectMessage(page, "json", "line 3, column 5");
  const mark = await readBox(page, "#json mark");
  // The same place in a text area is where a click puts the caret.
  await page.mouse.click(
    (mark.left + mark.right) / 2 + 1,
    (mark.top + mark.bottom) / 2,
  );
  const caret = await page.evaluate(() =>
    document.querySelector<HTMLTextAreaElement>("#json-input")!.selectionStart
  );
  assert([11, 12].includes(caret), `${caret}`);
  // Once the text is another, the mark would be wrong.
  await look(page, "json", "[\n\n  1,\n    ?\n]");
  assert(!await page.isVisible("#json mark"));
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
  await page.evaluate(() =>
    document.querySelector("#base64-input")!.scrollTop = 0
  );
  await page.click("#base64 .message button");
  assertEquals(await readSelection(page, "base64"), "*");
  assert(
    await page.evaluate(() =>
      document.querySelector("#base64-input")!.scrollTop > 1_000
    ),
  );
  await fill(page, "base64", "/w==");
  await expectMessage(
    page,
    "base64",
    "The bytes that this encodes are not UTF-8 text.",
  );
  assert(!await page.isVisible("#base64 .message button"));
});

Deno.test("Hash: says whether a digest is the expected one", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await fill(page, "hash", "abc");
  const digest = createHash("sha256").update("abc").digest("hex");
  await expectResult(page, "hash", digest);
  const verdict = () => page.innerText("#hash .verdict");
  assertEquals(await verdict(), "");
  const spaced = digest.toUpperCase().replaceAll(/.{8}/g, "$& ");
  await page.fill("#hash-expected", ` ${spaced}\t`);
  assertEquals(await verdict(), "✓ Equal");
  await page.fill("#hash-expected", digest.slice(1));
  assertEquals(await verdict(), "✗ Not equal");
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
  await page.focus("#json-input");
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
  await page.waitForFunction(() => location.hash === "#json?4");
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
  await page.click("#json .command .copy");
  await page.locator("#json .command .copy", { hasText: "Copied" }).waitFor();
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
