/// <reference lib="dom" />

/** JSON: colours, folding, search, the place of errors, repairs. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { readBox, test, visit } from "./_browser.ts";

test("JSON: input and result have lines, colours, folding, search and the place of the caret", async (open) => {
  const { page, json } = await open("#json");
  const text = '{"a\\"": [-1.5e3, true,\n null, {"x y": {"z": "x:"}}]}';
  await json.ask(text, /^\{\n/);
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
  const lines = (await json.read("result")).split("\n").length;
  await page.locator("#json .result .cm-lineNumbers", { hasText: `${lines}` })
    .waitFor();
  await page.click("#json .source .cm-line:last-child");
  await page.keyboard.press("End");
  for (let i = 0; i < 5; i += 1) await page.keyboard.press("ArrowLeft");
  await page.locator("#json .place", { hasText: "Ln 2, Col 25" }).waitFor();
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

test("JSON: the error is marked, a pasted text scrolled to it, and Show selects it", async (open) => {
  const texts = {
    "far right": [`[${" ".repeat(16_000)}x]`, "line 1, column 16002"],
    "far down": [`[\n${"1,\n".repeat(5_000)}x]`, "line 5002, column 1"],
    "after CR and CRLF": ["[\r1,\r\n2\r, x]", "line 4, column 3"],
    "after tabs and wide characters": ['[\n\t\t"漢字😀é",\tx]', "column 11"],
    "at the left of a long line": [`x${" ".repeat(16_000)}`, "column 1"],
    "at the end": ["[1", "column 3"],
  };
  await using visited = await visit("#json");
  const { page, json } = visited;
  for (const [name, [text, position]] of Object.entries(texts)) {
    await open.step(name, async () => {
      await json.ask("[]", "[]");
      await json.fill(text!);
      await json.expectMessage(position!);
      const [expected, mark] = name === "at the end"
        ? ["", "#json .cm-wrongLine"]
        : ["x", "#json .cm-wrong"];
      if (name === "far down") {
        await page.locator(mark!).waitFor();
        assert(await isInView(page, mark!));
      }
      // From either end of the text.
      for (const key of ["Control+Home", "Control+End"]) {
        await page.keyboard.press(key);
        await page.click('#json .message button:text("Show")');
        assertEquals(await json.readSelection(), expected);
        await page.locator(mark!).waitFor();
        assert(await isInView(page, mark!), `${name}, ${key}`);
      }
    });
  }
});

test("the mark goes when the text changes, and typing is not scrolled away", async (open) => {
  const { page, json } = await open("#json");
  await json.ask(`[\n${"1,\n".repeat(500)}1]`, /^\[/);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("[");
  await json.expectMessage("line 502, column 3");
  await page.locator("#json .place", { hasText: "Ln 1, Col 2" }).waitFor();
  assert(await page.isHidden("#json .cm-wrong"), "it is out of view");
  await json.fill("[\n  1,\n    ?\n]");
  await json.expectMessage("line 3, column 5");
  assertEquals(await page.innerText("#json .cm-wrong"), "?");
  await json.look("[\n\n  1,\n    ?\n]");
  assert(!await page.isVisible("#json .cm-wrong"));
});

test("JSON: an error in a long line is centred with what is around it", async (open) => {
  const { page, json } = await open("#json");
  await json.fill(
    `[${'"abcdefgh",'.repeat(15_000)}x${',"ijkl"'.repeat(5_000)}]`,
  );
  await json.expectMessage("column 165002");
  const mark = page.locator("#json .cm-wrong");
  await mark.waitFor();
  const box = (await page.locator("#json .source .editor").boundingBox())!;
  const { x } = (await mark.boundingBox())!;
  assert(x > box.x + box.width / 4 && x < box.x + box.width * 3 / 4, `${x}`);
});

test("JSON with mistakes is repaired on request only, and a repair can be undone", async (open) => {
  const { page, json } = await open("#json?minify");
  const texts = {
    "{'a': [1, 2,],}": '{"a":[1,2]}',
    '{"a":1}\n{"a":2}\n': '[{"a":1},{"a":2}]',
    "{a: [True, // x\n 'y', ": '{"a":[true,"y"]}',
  };
  for (const [text, repaired] of Object.entries(texts)) {
    await json.fill(text);
    await json.expectMessage("Not valid JSON");
    assertEquals(await json.read(), text);
    await page.click('#json .message button:text("Repair")');
    await json.expect(repaired);
    await page.keyboard.press("Control+Z");
    await json.expectInput(text);
    await json.fill("");
  }
  await json.fill("[1} 2");
  await page.click('#json .message button:text("Repair")');
  await json.expectMessage("This text is beyond repair.");
  assertEquals(await json.read(), "[1} 2");
});

test("JSON in a string is unwrapped, and a name that occurs twice is shown", async (open) => {
  const { page, json } = await open("#json?minify");
  for (const text of [JSON.stringify('{"a":1}'), '{\\"a\\":1}']) {
    await json.fill(text);
    await json.expectMessage("This is JSON inside a string.");
    await page.click('#json .message button:text("Unwrap")');
    await json.expect('{"a":1}');
  }
  await json.ask('{"a":1,"b":2,"a":3}', /./);
  await json.expectMessage(
    "An object has the name “a” twice, and most programs take the last one. This page has found it, not the service.",
  );
  await page.click('#json .message button:text("Show")');
  assertEquals(await json.readSelection(), '"');
  await page.locator("#json .place", { hasText: "Col 15 (1 selected)" })
    .waitFor();
});

test("JSON: the result is collapsed and expanded whole, and searched from anywhere", async (open) => {
  const { page, json } = await open("#json");
  const items = Array.from({ length: 2_000 }, (_, id) => ({ id, tags: ["{"] }));
  await json.ask(JSON.stringify({ items, last: { a: [1] }, none: {} }), /./);
  const readLines = () =>
    page.locator("#json .result .cm-line").allTextContents();
  await page.click("#json [name=fold]");
  assertEquals(await readLines(), [
    "{",
    '  "items": […],',
    '  "last": {…},',
    '  "none": {}',
    "}",
  ]);
  await page.click("#json [name=unfold]");
  assert((await readLines()).length > 20);
  const text = await json.read("result");
  assertEquals(JSON.parse(text).items.length, 2_000);
  await page.focus("#json button.primary");
  await page.keyboard.press("Control+F");
  await page.keyboard.type('"id": 1999');
  await page.keyboard.press("Enter");
  await page.locator("#json .result .cm-searchMatch", { hasText: "1999" })
    .waitFor();
});
