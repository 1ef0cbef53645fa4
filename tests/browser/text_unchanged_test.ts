/// <reference lib="dom" />

/** Texts stay as they are, however they go in and out: pasted, opened, copied, saved; errors have a place in them. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { clipboard, digest, paste, pasteData, readBox } from "./_page.ts";
import type { Host } from "./_tool.ts";

/** Returns the file that a click downloads: its name, and its text. */
async function download(page: Page, selector: string) {
  const started = page.waitForEvent("download");
  await page.click(selector);
  const file = await started;
  return [file.suggestedFilename(), await Deno.readTextFile(await file.path())];
}

test("pastes are exact, and every undo gives back an exact text", async (open) => {
  const { page, hash } = await open("#hash");
  await paste(page, "one\r\ntwo\r\n");
  await hash.expect(digest("one\r\ntwo\r\n"));
  const mixed = "a\nb\r\nc\rd\r\ne";
  await page.keyboard.press("Control+A");
  await paste(page, mixed);
  assertEquals(await page.inputValue("#hash [name=lineEndings]"), "mixed");
  const texts = ["one\r\ntwo\r\n", mixed];
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press("Home");
    await paste(page, i % 2 ? "x" : "y\n");
    texts.push((await hash.look()).input);
  }
  await page.keyboard.type("typed");
  for (const text of texts.toReversed()) {
    await page.keyboard.press("Control+Z");
    await hash.until("input", text);
  }
  for (const text of texts.slice(1)) {
    await page.keyboard.press("Control+Y");
    await hash.until("input", text);
  }
  await hash.expect(digest(texts.at(-1)!));
});

test("a long text is computed when typing pauses, and typed exactly in a long line", async (open) => {
  for (const text of ["x\n".repeat(75_000), "x".repeat(150_000)]) {
    const { page, hash, countJobs } = await open("#hash");
    await hash.ask(text, digest(text));
    const jobs = await countJobs();
    // Time stands still, as if a person never pauses.
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
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+Z");
    await hash.until("input", text);
  }
});

test("a paste anywhere goes to the editor, which has the focus on load", async (open) => {
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
  assertEquals((await hash.look()).input, "");
});

test("a pasted file becomes the input wherever the focus is, and a paste without text loses none", async (open) => {
  const { page, hash, json } = await open("#json");
  const file = { name: "a.json", content: '{"a":1}' };
  await json.fill("[1]");
  await page.keyboard.press("Control+A");
  await pasteData(page, { files: [file] });
  await json.expect('{\n  "a": 1\n}');
  // File managers add the name of the file, spreadsheets an image of the cells.
  await json.ask("[2]");
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
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(1, 1);
    canvas.getContext("2d");
    const image = await canvas.convertToBlob();
    await navigator.clipboard.write([
      new ClipboardItem({ [image.type]: image }),
    ]);
  });
  await page.keyboard.press("Control+V");
  await json.expectMessage("isn’t UTF-8 text");
  await pasteData(page, { texts: { "text/html": "<hr>" } });
  assertEquals((await json.look()).input, "[3]");
  await hash.show();
  await page.focus("#hash-expected");
  await pasteData(page, { files: [file] });
  await hash.expect(digest(file.content));
});

test("a line has the direction of its text, and extensions do not correct it", async (open) => {
  const { page, base64, json } = await open("#base64?decode");
  const text = "שלום abc\nabc שלום\nمرحبا";
  await base64.ask(new TextEncoder().encode(text).toBase64(), text);
  await base64.click("[name=useAsInput]");
  await base64.until("input", text);
  const readDirections = (pane: string) =>
    page.evaluate((pane) => {
      const { shadowRoot } = document.querySelector(`${pane} .editor`)!;
      return [...shadowRoot!.querySelectorAll(".cm-line")]
        .map((line) => getComputedStyle(line).direction);
    }, pane);
  assertEquals(await readDirections("#base64 .source"), ["rtl", "ltr", "rtl"]);
  // The caret moves as one sees it: from the right end of the line, to the left.
  await page.focus("#base64-input");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowLeft");
  await page.locator("#base64 .place", { hasText: "Ln 1, Col 2" }).waitFor();
  const { dataset } = await page.locator("#base64-input")
    .evaluate(({ dataset }) => ({ dataset: { ...dataset } }));
  assertEquals([dataset.gramm, dataset.ltActive], ["false", "false"]);
  await json.show();
  await json.ask('{"שלום":1}', /./);
  assertEquals(
    new Set(await readDirections("#json .result")),
    new Set(["ltr"]),
  );
});

test("a file is opened, dropped anywhere, and its text is computed again at Ctrl+Enter", async (open) => {
  const { page, hold, base64, json, uuid } = await open("#json");
  const chosen = page.waitForEvent("filechooser");
  await json.click("[name=open]");
  await (await chosen).setFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"a":\r\n1}'),
  });
  await json.expect('{\n  "a": 1\n}');
  assertEquals(await page.inputValue("#json [name=lineEndings]"), "CRLF");
  const release = await hold();
  await page.focus("#json [name=open]");
  await page.keyboard.press("Control+Enter");
  await json.until("badge", "Computing…");
  await release();
  await json.expect('{\n  "a": 1\n}');
  await json.click("[name=clear]");
  await json.until("state", "empty");
  await base64.show();
  for (const target of ["#base64 .result", "header", "body"]) {
    assert(await base64.drop(`to ${target}`, target), "the browser opens it");
    await base64.expect(btoa(`to ${target}`));
  }
  await uuid.show();
  await uuid.expect(/./);
  assert(await uuid.drop("a", "#uuid"), "the browser opens it");
  await uuid.expectMessage("this tool has no input");
  await uuid.expect(/./);
});

test("results are copied and saved exactly", async (open) => {
  const { page, base64, uuid, json } = await open("#base64?decode");
  const text = "\ufeffone\r\ntwo\r\0é";
  const bytes = new TextEncoder().encode(text);
  await base64.ask(bytes.toBase64(), text);
  await base64.copy();
  assertEquals(await clipboard(page), text);
  assertEquals(await download(page, "#base64 [name=download]"), [
    "decode.txt",
    text,
  ]);
  await uuid.show();
  await uuid.set("count", "3");
  await uuid.expect(/\n.*\n/);
  await uuid.copy(".item:nth-child(2) [name=copy]");
  const lines = (await uuid.look()).result.split("\n");
  assertEquals(await clipboard(page), lines[1]);
  const lists = {
    quoted: lines.map((line) => `'${line}'`).join(",\n"),
    json: JSON.stringify(lines, null, 2),
  };
  for (const [form, list] of Object.entries(lists)) {
    await uuid.set("copyAs", form);
    await uuid.copy();
    assertEquals(await clipboard(page), list);
    // The rows are what is copied, without what joins them.
    const rows = list.replaceAll(/^[[\]]$|^ +|,$/gm, "").trim();
    await uuid.expect(rows);
    await uuid.copy(".item:nth-child(2) [name=copy]");
    assertEquals(await clipboard(page), rows.split("\n")[1]);
  }
  assertEquals(await download(page, "#uuid [name=download]"), [
    "uuid.json",
    lists.json,
  ]);
  await uuid.set("count", "1");
  await uuid.expect(/^\["[\w-]{36}"\]$/);
  await uuid.copy();
  assertEquals(await clipboard(page), (await uuid.look()).result);
  await uuid.set("copyAs", "upper");
  const [name] = await download(page, "#uuid [name=download]");
  assertEquals(name, "uuid.txt");
  await uuid.copy();
  await json.show();
  await json.ask("[ ]", "[]");
  assertEquals(await download(page, "#json [name=download]"), [
    "format.json",
    "[]",
  ]);
});

test("decoded data is a result, and is saved with the extension of its kind", async (open) => {
  const { page, base64 } = await open("#base64?decode");
  const start = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0xd];
  await base64.ask(
    Uint8Array.from(start).toBase64(),
    "Binary data, 12 bytes (PNG)",
  );
  assertEquals((await base64.look()).sizes, "16 bytes → 12 bytes");
  assertEquals(
    (await download(page, "#base64 [name=download]"))[0],
    "decoded.png",
  );
  await base64.ask("/w==", "Binary data, 1 byte");
  assertEquals(
    (await download(page, "#base64 [name=download]"))[0],
    "decoded.bin",
  );
});

test("the code calls the service, and shows what is hidden", async (open) => {
  const { page, origin, hash } = await open("#hash", { prefix: "/tools" });
  const text =
    'it\'s "q" $HOME `x` \\ !\x01\x7f\x85\u202etxt.\u2066\u200b\ufeff\n\ttab 漢😀';
  await hash.ask(text, digest(text));
  assertEquals(await page.innerText(".agents"), `${origin}/tools/mcp`);
  const { code } = await hash.look();
  assert(code.startsWith(`curl -sS '${origin}/tools/api/hash' -d '{`), code);
  assert(!/[\p{Cc}\p{Cf}]/u.test(code));
  const { stdout } = await new Deno.Command("bash", { args: ["-c", code] })
    .output();
  assertEquals(
    JSON.parse(new TextDecoder().decode(stdout)).result,
    digest(text),
  );
  await hash.showApiCall();
  await hash.set("language", "python");
  await hash.until("code", /^import json/);
  await hash.copy(".api-call [name=copy]");
  assertEquals(await clipboard(page), (await hash.look()).code);
  await hash.ask("x".repeat(2_001));
  assertStringIncludes((await hash.look()).code, "request.json");
  assertEquals(await download(page, "#hash .api-call [name=download]"), [
    "request.json",
    JSON.stringify({ input: "x".repeat(2_001), algorithm: "sha256" }),
  ]);
});

test("what is pasted after a file gets between characters", async (open) => {
  const { page, hash } = await open("#hash");
  await page.keyboard.insertText("😀");
  await hash.drop("😁");
  await hash.until("input", "😁");
  await page.focus("#hash-input");
  await paste(page, "x");
  assertEquals((await hash.look()).input, "x😁");
});

test("invisible characters are visible in input and result", async (open) => {
  const { page, json } = await open("#json");
  await json.ask('{"user\u202e \u2066// admin":"\u200b\u00a0👩‍💻","א":"ב"}');
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

/** Whether a part of the input is within the part of it that is in view. */
async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await readBox(page, "#json .source .editor");
  const part = await readBox(page, selector);
  return part.left >= box.left && part.left <= box.right &&
    part.top >= box.top && part.bottom <= box.bottom;
}

test(
  "an error is marked, scrolled to, and selected by Show",
  async (open, t) => {
    const texts = {
      "far right": [`[${" ".repeat(16_000)}x]`, "line 1, column 16002"],
      "far down": [`[\n${"1,\n".repeat(5_000)}x]`, "line 5002, column 1"],
      "after CR and CRLF": ["[\r1,\r\n2\r, x]", "line 4, column 3"],
      "after tabs and wide characters": ['[\n\t\t"漢字😀é",\tx]', "column 11"],
      "in a long line": [`x${" ".repeat(16_000)}`, "column 1"],
      "at the end": ["[1", "column 3"],
    };
    const { page, json } = await open("#json");
    for (const [name, [text, position]] of Object.entries(texts)) {
      await t.step(name, async () => {
        const [expected, mark] = name === "at the end"
          ? ["", "#json .cm-wrongLine"]
          : ["x", "#json .cm-wrong"];
        await json.ask("[]", "[]");
        await json.fill(text!);
        await json.expectMessage(position!);
        await page.locator(mark!).waitFor();
        assert(await isInView(page, mark!));
        // From either end of the text.
        for (const key of ["Control+Home", "Control+End"]) {
          await page.keyboard.press(key);
          await json.press("Show");
          assertEquals((await json.look()).selected, expected);
          await page.locator(mark!).waitFor();
          assert(await isInView(page, mark!), key);
        }
      });
    }
  },
);

test("the mark goes when the text changes, and typing is not scrolled away", async (open) => {
  const { page, hold, json } = await open("#json");
  await json.ask(`[\n${"1,\n".repeat(500)}1]`);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("[");
  await json.expectMessage("line 502, column 3");
  await page.locator("#json .place", { hasText: "Ln 1, Col 2" }).waitFor();
  assertEquals(await json.texts(".cm-wrong"), [], "it is out of view");
  await json.fill("[\n  1,\n    ?\n]");
  await json.expectMessage("line 3, column 5");
  assertEquals(await json.texts(".cm-wrong"), ["?"]);
  const release = await hold();
  await json.type("[\n\n  1,\n    ?\n]");
  assertEquals(await json.texts(".cm-wrong"), []);
  await release();
  await json.expectMessage("line 4, column 5");
  assertEquals(await json.texts(".cm-wrong"), ["?"]);
});

test("a change of the line ends leaves the caret outside of CRLF", async (open) => {
  const { page, base64 } = await open();
  await base64.ask("a\rb", btoa("a\rb"));
  await page.selectOption("#base64 [name=lineEndings]", "CRLF");
  await base64.expect(btoa("a\r\nb"));
  const caret = await page.evaluate(() => {
    const host = document.querySelector("#base64 .source .editor");
    return (host as Host).view.state.selection.main.head;
  });
  assertEquals(caret, 1);
});

test("the result is collapsed and expanded whole, and searched from anywhere", async (open) => {
  const { page, json } = await open("#json");
  const items = Array.from({ length: 2_000 }, (_, id) => ({ id, tags: ["{"] }));
  await json.ask(JSON.stringify({ items, last: { a: [1] }, none: {} }));
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
