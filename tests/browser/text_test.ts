/// <reference lib="dom" />

/** Texts stay as they are, however they go in and out: pasted, dropped, swapped, copied. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import type { Page } from "playwright-core";
import {
  clipboard,
  copy,
  dropFile,
  dropFiles,
  expectInput,
  expectMessage,
  expectResult,
  fill,
  holdAnswers,
  type Host,
  look,
  readText,
  sha256,
  visit,
} from "./_browser.ts";

/** Puts a text on the clipboard and pastes it where the focus is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+V");
}

Deno.test("a paste over everything replaces line ends too", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await paste(page, "one\r\ntwo\r\n");
  await expectResult(page, "hash", sha256("one\r\ntwo\r\n"));
  await page.keyboard.press("Control+A");
  await paste(page, "one\ntwo\n");
  await expectResult(page, "hash", sha256("one\ntwo\n"));
  await page.keyboard.press("Control+A");
  await paste(page, "one\r\n");
  await paste(page, "two\nthree\n");
  await expectResult(page, "hash", sha256("one\r\ntwo\nthree\n"));
});

Deno.test("every undo gives back an exact text", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  const mixed = "a\nb\r\nc\rd\r\ne";
  const texts = [""];
  await paste(page, mixed);
  texts.push(mixed);
  for (let i = 0; i < 20; i += 1) {
    await page.keyboard.press("Home");
    await paste(page, i % 2 ? "x" : "y\n");
    texts.push(await readText(page, "hash"));
  }
  for (const text of texts.toReversed().slice(1)) {
    await page.keyboard.press("Control+Z");
    await expectInput(page, "hash", text);
  }
  for (const text of texts.slice(1)) {
    await page.keyboard.press("Control+Y");
    await expectInput(page, "hash", text);
  }
  await expectResult(page, "hash", sha256(texts.at(-1)!));
});

Deno.test("typing after a paste is undone by itself", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await paste(page, "pasted");
  await page.keyboard.type("typed");
  await expectInput(page, "hash", "pastedtyped");
  await page.keyboard.press("Control+Z");
  await expectInput(page, "hash", "pasted");
});

Deno.test("half surrogate pairs, NUL, BOM and every line end go in and come out as they are", async () => {
  await using visited = await visit("#json?minify");
  const { page } = visited;
  const text = '"\ud800 \ufeff\u202e\u2028"';
  await fill(page, "json", `\r${text}\r\n\n`);
  await expectInput(page, "json", `\r${text}\r\n\n`);
  await expectResult(page, "json", text);
  await page.click('nav a[href^="#hash"]');
  const bytes = "\0a\r\n\0\ufeff\r\n\rb\u2029\n";
  await fill(page, "hash", bytes);
  await expectResult(page, "hash", sha256(bytes));
  await dropFile(page, "hash", `\ufeff${bytes}`);
  await expectResult(page, "hash", sha256(`\ufeff${bytes}`));
});

Deno.test("invisible characters are visible in input and result, and change no direction", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await fill(
    page,
    "json",
    '{"user\u202e \u2066// admin":"\u200b\u00a0👩‍💻","א":"ב"}',
  );
  await expectResult(page, "json", /^\{\n/);
  for (const pane of ["source", "result"]) {
    const shown = await page.locator(`#json .${pane} .cm-specialChar`)
      .allTextContents();
    assertEquals(shown, ["RLO", "LRI", "ZWSP", "NBSP"], pane);
    const text = await page.textContent(`#json .${pane} .cm-content`);
    assert(!/[\u202a-\u202e\u2066-\u2069\u200b]/.test(text!), pane);
    assertStringIncludes(text!, "👩‍💻");
    const isolated = await page.evaluate((pane) => {
      const host = document.querySelector(`#json .${pane} .editor`)!;
      return [...host.shadowRoot!.querySelectorAll("[dir], bdi, .cm-iso")]
        .map((element) => element.textContent);
    }, pane);
    assert(isolated.includes('"ב"'), `${pane}: ${isolated}`);
  }
});

Deno.test("swapping while a text waits for its answer loses nothing", async () => {
  for (
    const [tool, typed, more] of [["base64", "abc", "def"], [
      "json",
      "[1]",
      " ",
    ]]
  ) {
    await using visited = await visit(`#${tool}`);
    const { page } = visited;
    await fill(page, tool!, typed!);
    await expectResult(page, tool!, /./);
    const release = await holdAnswers(page, `api/${tool}`);
    await look(page, tool!, typed! + more);
    await page.dispatchEvent(`#${tool} .reuse`, "click");
    assertEquals(await readText(page, tool!), typed! + more);
    await release();
    await page.waitForFunction(
      (tool) =>
        document.querySelector<HTMLElement>(`#${tool}`)!.dataset.state ===
          "current",
      tool,
    );
    const { result } = await look(page, tool!);
    await page.click(`#${tool} .reuse`);
    assertEquals(await readText(page, tool!), result);
  }
});

Deno.test("drops, swaps and clearing are undone one at a time, a swap with its action", async () => {
  await using visited = await visit();
  const { page } = visited;
  await page.keyboard.type("mine");
  await expectResult(page, "base64", "bWluZQ==");
  const file = '<b>theirs</b> & "more"\n\n  of\tit\n'.repeat(5);
  await dropFile(page, "base64", file);
  await expectResult(page, "base64", btoa(file));
  await page.click("#base64 .reuse");
  await expectResult(page, "base64", file);
  assert(await page.isChecked("#base64 [value=decode]"));
  await page.click("#base64 .clear");
  await expectInput(page, "base64", "");
  for (
    const [text, action] of [
      [btoa(file), "decode"],
      [file, "encode"],
      ["mine", "encode"],
    ]
  ) {
    await page.keyboard.press("Control+Z");
    await expectInput(page, "base64", text!);
    assert(await page.isChecked(`#base64 [value=${action}]`), action);
  }
  await page.keyboard.press("Control+Y");
  await page.keyboard.press("Control+Y");
  await expectResult(page, "base64", file);
  assert(await page.isChecked("#base64 [value=decode]"));
});

Deno.test("line ends are sent as they came, shown, and changed on demand only", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  const ends = () => page.inputValue("#hash .ends select");
  const expectHashOf = (text: string) =>
    expectResult(page, "hash", sha256(text));
  assert(
    !await page.isVisible("#hash .ends select"),
    "one line has no line end",
  );
  await paste(page, "one\r\ntwo");
  await expectHashOf("one\r\ntwo");
  assertEquals(await ends(), "CRLF");
  // The end of a line is before its CR, for the caret too.
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("End");
  await page.keyboard.type("?");
  await expectHashOf("one?\r\ntwo");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  await page.keyboard.press("Enter");
  await page.keyboard.type("three");
  await expectHashOf("one\r\ntwo!\r\nthree");
  await page.selectOption("#hash .ends select", "LF");
  await expectHashOf("one\ntwo!\nthree");
  await page.selectOption("#hash .ends select", "CR");
  await expectHashOf("one\rtwo!\rthree");

  const mixed = "a\nb\r\nc\rd\r\ne";
  await dropFile(page, "hash", mixed);
  await expectHashOf(mixed);
  assertEquals(await ends(), "mixed");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("X");
  await expectHashOf("a\nb\r\nXc\rd\r\ne");
  // CR and LF go together, as the line end that they are.
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await expectHashOf("a\nbXc\rd\r\ne");
  await page.keyboard.press("Control+Z");
  // Undone and done again, it is what it was.
  await page.keyboard.press("Control+Z");
  await expectHashOf(mixed);
  await page.keyboard.press("Control+Z");
  await expectHashOf("one\rtwo!\rthree");
  await page.keyboard.press("Control+Shift+Z");
  await expectHashOf(mixed);
  await page.selectOption("#hash .ends select", "CRLF");
  await expectHashOf("a\r\nb\r\nc\r\nd\r\ne");
  assertEquals(await ends(), "CRLF");
});

Deno.test("without a secure context copying keeps line ends and focus, and is honest", async () => {
  await using visited = await visit("#base64?decode", { isInsecure: true });
  const { page, origin } = visited;
  assertEquals(
    await page.evaluate(() => typeof navigator.clipboard),
    "undefined",
  );
  await fill(page, "base64", btoa("one\r\ntwo\r\n"));
  await expectResult(page, "base64", "one\r\ntwo\r\n");
  await copy(page, "#base64 .copy.primary");
  assertMatch(
    await page.evaluate(() => document.activeElement!.className),
    /copy/,
  );
  await using reader = await visit();
  assertEquals(await clipboard(reader.page), "one\r\ntwo\r\n");
  assertStringIncludes(origin, "elsewhere.test");

  await page.evaluate(() => document.execCommand = () => false);
  await fill(page, "base64", btoa("other"));
  await expectResult(page, "base64", "other");
  await page.click("#base64 .copy.primary");
  await page.locator("#base64 .copied", { hasText: "does not let" })
    .waitFor();
  assertEquals(await page.innerText("#base64 .copy.primary .label"), "Copy");
});

Deno.test("half of a surrogate pair is not copied or saved as something else", async () => {
  await using visited = await visit("#json?minify");
  const { page } = visited;
  await look(page, "json", '"\ud800"');
  await expectResult(page, "json", '"\ud800"');
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  for (const name of ["copy", "download"]) {
    await page.click(`#json .bar .${name}`);
    await page.locator("#json .copied", {
      hasText: "Half of a surrogate pair",
    })
      .waitFor();
  }
  assertEquals(await clipboard(page), "before");
  await page.click('nav a[href="#hash"]');
  await look(page, "hash", "a😀b\ud800");
  await expectMessage(page, "hash", "Character 4 is half of a surrogate pair");
});

Deno.test("text is dragged within the input, and files are taken anywhere", async () => {
  await using visited = await visit();
  const { page, origin } = visited;
  await fill(page, "base64", "one two");
  const places = await page.evaluate(() => {
    const { view } = document.querySelector("#base64 .editor") as Host;
    return [1, 5, 7].map((offset) => {
      const { left, top, bottom } = view.coordsAtPos(offset)!;
      return [left + 2, (top + bottom) / 2] as const;
    });
  });
  await page.mouse.dblclick(...places[0]!);
  await page.mouse.move(...places[0]!);
  await page.mouse.down();
  await page.mouse.move(...places[1]!, { steps: 5 });
  await page.mouse.move(...places[2]!, { steps: 5 });
  await page.mouse.up();
  await expectInput(page, "base64", " twoone");
  await expectResult(page, "base64", btoa(" twoone"));

  for (const target of ["#base64 .bar", "#base64 .result", "header", "body"]) {
    assert(
      await dropFiles(page, target, [`to ${target}`]),
      "the browser opens it",
    );
    await expectResult(page, "base64", btoa(`to ${target}`));
  }
  await page.click('nav a[href="#uuid"]');
  assert(await dropFiles(page, "#uuid", ["a"]), "the browser opens it");
  assertEquals(page.url(), `${origin}/#uuid`);
});

Deno.test("the empty text and the empty file have a digest", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await expectResult(page, "hash", sha256(""));
  assertEquals((await look(page, "hash")).sizes, "0 bytes");
  await fill(page, "hash", "abc");
  await expectResult(page, "hash", sha256("abc"));
  await dropFile(page, "hash", "");
  await expectResult(page, "hash", sha256(""));
  await page.click('nav a[href="#base64"]');
  await dropFile(page, "base64", "");
  await expectMessage(page, "base64", "“dropped.txt” is empty.");
});
