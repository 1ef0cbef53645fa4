/// <reference lib="dom" />

/** Exact input and output: paste, open, copy, download, and the positions of errors. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import {
  clipboard,
  digest,
  download,
  paste,
  pasteData,
  readBox,
} from "./_page.ts";

test("pastes are exact, and undone one at a time", async (open) => {
  const { page, hash } = await open("#hash");
  await paste(page, "one\r\ntwo\r\n");
  await hash.expect(digest("one\r\ntwo\r\n"));
  const mixed = "a\nb\r\nc\rd\r\ne";
  await page.keyboard.press("Control+A");
  await paste(page, mixed);
  assertEquals(await page.inputValue("#hash [name=lineEndings]"), "mixed");
  const texts = ["", "one\r\ntwo\r\n", mixed];
  for (const text of ["y\n", "x"]) {
    await page.keyboard.press("Home");
    await paste(page, text);
    texts.push((await hash.read()).input);
  }
  for (const text of texts.slice(0, -1).toReversed()) {
    await page.keyboard.press("Control+Z");
    await hash.until("input", text);
  }
  for (const text of texts.slice(1)) {
    await page.keyboard.press("Control+Y");
    await hash.until("input", text);
  }
  await hash.expect(digest(texts.at(-1)!));
});

test("long text is computed when typing pauses", async (open) => {
  for (const text of ["x\n".repeat(75_000), "x".repeat(150_000)]) {
    const { page, hash, countJobs } = await open("#hash");
    await hash.enter(text, digest(text));
    const jobs = await countJobs();
    // Time stands still, as if typing never pauses.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.type("é😀{");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type(" ");
    await hash.until("input", `${text}é😀 {`);
    assertEquals(await countJobs(), jobs);
    await page.clock.runFor(1_000);
    assertEquals(await countJobs(), jobs + 1);
    await hash.expect(digest(`${text}é😀 {`));
  }
});

test("JSON is highlighted, unless its lines are very long", async (open) => {
  const { page, json } = await open("#json?minify");
  const strings = page.locator("#json .source .tok-string");
  const brackets = page.locator("#json .source .cm-matchingBracket");
  for (const length of [1, 1_100_000, 2]) {
    const text = `["${"x".repeat(length)}"]`;
    await json.enter(text, text);
    const counts = [await strings.count(), await brackets.count()];
    assertEquals(counts, length > 2 ? [0, 0] : [1, 2]);
  }
});

test("the editor has the focus, and receives pastes from anywhere", async (open) => {
  const { page, base64, hash, json } = await open("#json");
  await page.keyboard.type("1");
  await json.until("input", "1");
  await base64.show();
  await page.keyboard.type("a");
  await page.focus("#base64 button.primary");
  await paste(page, "b\r\n");
  await page.click("#base64 .result .cm-line");
  await page.keyboard.press("Control+V");
  await base64.until("input", "ab\r\nb\r\n");
  await hash.show();
  await page.focus("#hash-expected");
  await page.keyboard.press("Control+V");
  assertEquals(await page.inputValue("#hash-expected"), "b\n");
  assertEquals((await hash.read()).input, "");
});

test("a pasted file becomes the input, and a paste without text is ignored", async (open) => {
  const { page, hash, json } = await open("#json");
  const file = { name: "a.json", content: '{"a":1}' };
  await json.fill("[1]");
  await page.keyboard.press("Control+A");
  await pasteData(page, { files: [file] });
  await json.expect('{\n  "a": 1\n}');
  // File managers add the name of the file, and spreadsheets an image of the cells.
  await json.enter("[2]");
  await pasteData(page, {
    files: [file],
    texts: { "text/plain": "/home/me/a.json\n" },
  });
  await json.until("input", '{"a":1}');
  await json.click("[name=clear]");
  await pasteData(page, {
    files: [{ name: "image.png", content: "\0" }],
    texts: { "text/plain": "[3]", "text/html": "<td>[3]" },
  });
  await json.until("input", "[3]");
  await page.keyboard.press("Control+A");
  await pasteData(page, { texts: { "text/html": "<hr>" } });
  assertEquals((await json.read()).input, "[3]");
  await hash.show();
  await page.focus("#hash-expected");
  await pasteData(page, { files: [file] });
  await hash.expect(digest(file.content));
});

test("each line has the direction of its text", async (open) => {
  const { page, base64, json } = await open("#base64?decode");
  const text = "שלום abc\nabc שלום\nمرحبا";
  await base64.enter(new TextEncoder().encode(text).toBase64(), text);
  await base64.click("[name=useAsInput]");
  await base64.until("input", text);
  const readDirections = (pane: string) =>
    page.evaluate((pane) => {
      const { shadowRoot } = document.querySelector(`${pane} .editor`)!;
      return [...shadowRoot!.querySelectorAll(".cm-line")]
        .map((line) => getComputedStyle(line).direction);
    }, pane);
  assertEquals(await readDirections("#base64 .source"), ["rtl", "ltr", "rtl"]);
  await json.show();
  await json.enter('{"שלום":1}', /./);
  const directions = await readDirections("#json .result");
  assertEquals(new Set(directions), new Set(["ltr"]));
});

test("a file is opened by the button, or dropped anywhere", async (open) => {
  const { page, base64, json, uuid } = await open("#json");
  const chosen = page.waitForEvent("filechooser");
  await json.click("[name=open]");
  await (await chosen).setFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"a":\r\n1}'),
  });
  await json.expect('{\n  "a": 1\n}');
  assertEquals(await page.inputValue("#json [name=lineEndings]"), "CRLF");
  await json.click("[name=clear]");
  await json.until("state", "empty");
  await base64.show();
  for (const target of ["#base64 .result", "header", "body"]) {
    assert(await base64.drop(`to ${target}`, target));
    await base64.expect(btoa(`to ${target}`));
  }
  await uuid.show();
  assert(await uuid.drop("a", "#uuid"));
  await uuid.expectMessage("This tool doesn’t accept files");
});

test("results are copied and downloaded exactly", async (open) => {
  const { page, base64, uuid, json } = await open("#base64?decode");
  const text = "\ufeffone\r\ntwo\r\0é";
  const bytes = new TextEncoder().encode(text);
  await base64.enter(bytes.toBase64(), text);
  await base64.copy();
  assertEquals(await clipboard(page), text);
  const decoded = await download(page, "#base64 [name=download]");
  assertEquals([decoded.name, decoded.text], ["decode.txt", text]);
  await uuid.show();
  await uuid.set("count", "3");
  await uuid.expect(/\n.*\n/);
  const lines = (await uuid.read()).result.split("\n");
  const lists = {
    quoted: lines.map((line) => `'${line}'`).join(",\n"),
    json: JSON.stringify(lines, null, 2),
  };
  for (const [notation, list] of Object.entries(lists)) {
    await uuid.set("copyAs", notation);
    await uuid.copy();
    assertEquals(await clipboard(page), list);
    // The rows are what is copied, without what joins them.
    const rows = list.replaceAll(/^[[\]]$|^ +|,$/gm, "").trim();
    await uuid.expect(rows);
    await uuid.copy(".item:nth-child(2) [name=copy]");
    assertEquals(await clipboard(page), rows.split("\n")[1]);
  }
  const saved = await download(page, "#uuid [name=download]");
  assertEquals([saved.name, saved.text], ["uuid.json", lists.json]);
  await json.show();
  await json.enter("[ ]", "[]");
  const { name } = await download(page, "#json [name=download]");
  assertEquals(name, "format.json");
});

test("the code calls the service and shows invisible characters", async (open) => {
  const { page, origin, hash } = await open("#hash", { prefix: "/tools" });
  const text =
    'it\'s "q" $HOME `x` \\ !\x01\x7f\x85\u202etxt.\u2066\u200b\ufeff\n\ttab 漢😀';
  await hash.enter(text, digest(text));
  assertEquals(await page.innerText(".agents"), `${origin}/tools/mcp`);
  const { code } = await hash.read();
  assert(code.startsWith(`curl -sS '${origin}/tools/api/hash' -d '{`), code);
  assert(!/[\p{Cc}\p{Cf}]/u.test(code));
  await hash.showApiCall();
  await hash.set("language", "python");
  await hash.until("code", /^import json/);
  await hash.copy(".api-call [name=copy]");
  assertEquals(await clipboard(page), (await hash.read()).code);
  await hash.enter("x".repeat(2_001));
  assertStringIncludes((await hash.read()).code, "request.json");
  const body = await download(page, "#hash .api-call [name=download]");
  assertEquals(body.name, "request.json");
  assertEquals(JSON.parse(body.text).input, "x".repeat(2_001));
});

test("invisible characters are visible in input and result", async (open) => {
  const { page, json } = await open("#json");
  await json.enter('{"user\u202e \u2066// admin":"\u200b\u00a0👩‍💻","א":"ב"}');
  for (const pane of [".source", ".result"]) {
    const shown = await page.evaluate((pane) => {
      const { shadowRoot } = document.querySelector(`#json ${pane} .editor`)!;
      return [...shadowRoot!.querySelectorAll<HTMLElement>(".cm-specialChar")]
        .map(({ textContent, title }) => `${textContent} ${title}`);
    }, pane);
    assertEquals(shown, [
      "• Control character right-to-left override",
      "• Control character left-to-right isolate",
      "• Control character zero width space",
      "• Control character 0xa0",
    ], pane);
    const [text] = await json.texts(".cm-content", pane);
    assert(!/[\u202a-\u202e\u2066-\u2069\u200b]/.test(text!), pane);
    assertStringIncludes(text!, "👩‍💻");
  }
});

/** Whether an element of the input is in view. */
async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await readBox(page, "#json .source .editor");
  const part = await readBox(page, selector);
  return part.left >= box.left && part.left <= box.right &&
    part.top >= box.top && part.bottom <= box.bottom;
}

test(
  "an error is marked, scrolled into view, and selected by Show",
  async (open, t) => {
    const texts = {
      "far right": [`[${" ".repeat(16_000)}x]`, "line 1, column 16002"],
      "far down": [`[\n${"1,\n".repeat(5_000)}x]`, "line 5002, column 1"],
      "after tabs and wide characters": ['[\n\t\t"漢字😀é",\tx]', "column 11"],
      "at the end": ["[1", "column 3"],
    };
    const { page, json } = await open("#json");
    for (const [name, [text, position]] of Object.entries(texts)) {
      await t.step(name, async () => {
        const [expected, mark] = name === "at the end"
          ? ["", "#json .cm-errorLine"]
          : ["x", "#json .cm-error"];
        await json.enter("[]", "[]");
        await json.fill(text!);
        await json.expectMessage(position!);
        await page.locator(mark!).waitFor();
        assert(await isInView(page, mark!));
        // From either end of the text.
        for (const key of ["Control+Home", "Control+End"]) {
          await page.keyboard.press(key);
          await json.press("Show");
          assertEquals((await json.read()).selected, expected);
          await page.locator(mark!).waitFor();
          assert(await isInView(page, mark!), key);
        }
      });
    }
  },
);

test("a change removes the mark, and typing doesn’t scroll", async (open) => {
  const { page, json } = await open("#json");
  await json.enter(`[\n${"1,\n".repeat(500)}1]`);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("[");
  await json.expectMessage("line 502, column 3");
  assertEquals(await json.texts(".cm-error"), [], "the mark is out of view");
  await json.fill("[\n  1,\n    ?\n]");
  await json.expectMessage("line 3, column 5");
  assertEquals(await json.texts(".cm-error"), ["?"]);
  await json.type("[\n  1,\n    2\n]");
  assertEquals(await json.texts(".cm-error"), []);
});

test("the entire result is collapsed, expanded, and searched", async (open) => {
  const { page, json } = await open("#json");
  const items = Array.from({ length: 2_000 }, (_, id) => ({ id, tags: ["{"] }));
  await json.enter(JSON.stringify({ items, last: { a: [1] }, none: {} }));
  await json.click("[name=collapse]");
  assertEquals(await json.texts(".cm-line", ".result"), [
    "{",
    '  "items": […],',
    '  "last": {…},',
    '  "none": {}',
    "}",
  ]);
  await json.click("[name=expand]");
  assert((await json.texts(".cm-line", ".result")).length > 20);
  await page.focus("#json button.primary");
  await page.keyboard.press("Control+F");
  await page.keyboard.type('"id": 1999');
  await page.keyboard.press("Enter");
  await page.locator("#json .result .cm-searchMatch", { hasText: "1999" })
    .waitFor();
});
