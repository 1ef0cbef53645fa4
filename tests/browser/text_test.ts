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
  dropFiles,
  holdAnswers,
  type Host,
  sha256,
  test,
  visit,
} from "./_browser.ts";

/** Puts a text on the clipboard and pastes it where the focus is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+V");
}

test("a paste over everything replaces line ends too", async (open) => {
  const { page, hash } = await open("#hash");
  await paste(page, "one\r\ntwo\r\n");
  await hash.expect(sha256("one\r\ntwo\r\n"));
  await page.keyboard.press("Control+A");
  await paste(page, "one\ntwo\n");
  await hash.expect(sha256("one\ntwo\n"));
  await page.keyboard.press("Control+A");
  await paste(page, "one\r\n");
  await paste(page, "two\nthree\n");
  await hash.expect(sha256("one\r\ntwo\nthree\n"));
});

test("every undo gives back an exact text", async (open) => {
  const { page, hash } = await open("#hash");
  const mixed = "a\nb\r\nc\rd\r\ne";
  const texts = [""];
  await paste(page, mixed);
  texts.push(mixed);
  for (let i = 0; i < 20; i += 1) {
    await page.keyboard.press("Home");
    await paste(page, i % 2 ? "x" : "y\n");
    texts.push(await hash.read());
  }
  for (const text of texts.toReversed().slice(1)) {
    await page.keyboard.press("Control+Z");
    await hash.expectInput(text);
  }
  for (const text of texts.slice(1)) {
    await page.keyboard.press("Control+Y");
    await hash.expectInput(text);
  }
  await hash.expect(sha256(texts.at(-1)!));
});

test("typing after a paste is undone by itself", async (open) => {
  const { page, hash } = await open("#hash");
  await paste(page, "pasted");
  await page.keyboard.type("typed");
  await hash.expectInput("pastedtyped");
  await page.keyboard.press("Control+Z");
  await hash.expectInput("pasted");
});

test("half surrogate pairs, NUL, BOM and every line end go in and come out as they are", async (open) => {
  const { hash, json } = await open("#json?minify");
  const text = '"\ud800 \ufeff\u202e\u2028"';
  await json.fill(`\r${text}\r\n\n`);
  await json.expectInput(`\r${text}\r\n\n`);
  await json.expect(text);
  await hash.show();
  const bytes = "\0a\r\n\0\ufeff\r\n\rb\u2029\n";
  await hash.ask(bytes, sha256(bytes));
  await hash.drop(`\ufeff${bytes}`);
  await hash.expect(sha256(`\ufeff${bytes}`));
});

test("invisible characters are visible in input and result, and change no direction", async (open) => {
  const { page, json } = await open("#json");
  await json.ask(
    '{"user\u202e \u2066// admin":"\u200b\u00a0👩‍💻","א":"ב"}',
    /^\{\n/,
  );
  for (const pane of ["source", "result"]) {
    const shown = await page.locator(`#json .${pane} .cm-specialChar`)
      .allTextContents();
    assertEquals(shown, ["U+202E", "U+2066", "U+200B", "U+00A0"], pane);
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

test("swapping while a text waits for its answer loses nothing", async () => {
  const rows = [["base64", "abc", "def"], ["json", "[1]", " "]] as const;
  for (const [tool, typed, more] of rows) {
    await using visited = await visit(`#${tool}`);
    const { page, tools } = visited;
    await tools[tool]!.ask(typed, /./);
    const release = await holdAnswers(page, `api/${tool}`);
    await tools[tool]!.look(typed + more);
    await page.dispatchEvent(`#${tool} [name=swap]`, "click");
    assertEquals(await tools[tool]!.read(), typed + more);
    await release();
    await page.waitForFunction(
      (tool) =>
        document.querySelector<HTMLElement>(`#${tool}`)!.dataset.state ===
          "current",
      tool,
    );
    const { result } = await tools[tool]!.look();
    await page.click(`#${tool} [name=swap]`);
    assertEquals(await tools[tool]!.read(), result);
  }
});

test("drops, swaps and clearing are undone one at a time, a swap with its action", async (open) => {
  const { page, base64 } = await open();
  await page.keyboard.type("mine");
  await base64.expect("bWluZQ==");
  const file = '<b>theirs</b> & "more"\n\n  of\tit\n'.repeat(5);
  await base64.drop(file);
  await base64.expect(btoa(file));
  await page.click("#base64 [name=swap]");
  await base64.expect(file);
  assert(await page.isChecked("#base64 [value=decode]"));
  await page.click("#base64 [name=clear]");
  await base64.expectInput("");
  for (
    const [text, action] of [
      [btoa(file), "decode"],
      [file, "encode"],
      ["mine", "encode"],
    ]
  ) {
    await page.keyboard.press("Control+Z");
    await base64.expectInput(text!);
    assert(await page.isChecked(`#base64 [value=${action}]`), action);
  }
  await page.keyboard.press("Control+Y");
  await page.keyboard.press("Control+Y");
  await base64.expect(file);
  assert(await page.isChecked("#base64 [value=decode]"));
});

test("line ends are sent as they came, shown, and changed on demand only", async (open) => {
  const { page, hash } = await open("#hash");
  const ends = () => page.inputValue("#hash [name=ends]");
  const expectHashOf = (text: string) => hash.expect(sha256(text));
  assert(
    !await page.isVisible("#hash [name=ends]"),
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
  await page.selectOption("#hash [name=ends]", "LF");
  await expectHashOf("one\ntwo!\nthree");
  await page.selectOption("#hash [name=ends]", "CR");
  await expectHashOf("one\rtwo!\rthree");

  const mixed = "a\nb\r\nc\rd\r\ne";
  await hash.drop(mixed);
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
  await page.selectOption("#hash [name=ends]", "CRLF");
  await expectHashOf("a\r\nb\r\nc\r\nd\r\ne");
  assertEquals(await ends(), "CRLF");
});

test("without a secure context copying keeps line ends and focus, and is honest", async (open) => {
  const { page, origin, base64 } = await open("#base64?decode", {
    isInsecure: true,
  });
  assertEquals(
    await page.evaluate(() => typeof navigator.clipboard),
    "undefined",
  );
  await base64.ask(btoa("one\r\ntwo\r\n"), "one\r\ntwo\r\n");
  await copy(page, "#base64 button.primary");
  assertMatch(
    await page.evaluate(() => document.activeElement!.outerHTML),
    /name="copy"/,
  );
  await using reader = await visit();
  assertEquals(await clipboard(reader.page), "one\r\ntwo\r\n");
  assertStringIncludes(origin, "elsewhere.test");

  await page.evaluate(() => document.execCommand = () => false);
  await base64.ask(btoa("other"), "other");
  // Both are awaited from before the click on, since the label is shown for a moment only.
  await Promise.all([
    page.locator("#base64 .copied", { hasText: "does not let" }).waitFor(),
    page.locator("#base64 button.primary .label", { hasText: "Not copied" })
      .waitFor(),
    page.click("#base64 button.primary"),
  ]);
});

test("half of a surrogate pair is not copied or saved as something else", async (open) => {
  const { page, hash, json } = await open("#json?minify");
  await json.look('"\ud800"');
  await json.expect('"\ud800"');
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  for (const name of ["copy", "save"]) {
    await page.click(`#json .bar [name=${name}]`);
    await page.locator("#json .copied", {
      hasText: "Half of a surrogate pair",
    })
      .waitFor();
  }
  assertEquals(await clipboard(page), "before");
  await hash.show();
  await hash.look("a😀b\ud800");
  await hash.expectMessage("the lone surrogate U+D800 at line 1, column 4");
});

test("text is dragged within the input, and files are taken anywhere", async (open) => {
  const { page, origin, base64, uuid } = await open();
  await base64.fill("one two");
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
  await base64.expectInput(" twoone");
  await base64.expect(btoa(" twoone"));

  for (const target of ["#base64 .bar", "#base64 .result", "header", "body"]) {
    assert(
      await dropFiles(page, target, [`to ${target}`]),
      "the browser opens it",
    );
    await base64.expect(btoa(`to ${target}`));
  }
  await uuid.show();
  assert(await dropFiles(page, "#uuid", ["a"]), "the browser opens it");
  assertEquals(page.url(), `${origin}/#uuid`);
});

test("the empty text and the empty file have a digest", async (open) => {
  const { base64, hash } = await open("#hash");
  await hash.expect(sha256(""));
  assertEquals((await hash.look()).sizes, "0 bytes");
  await hash.ask("abc", sha256("abc"));
  await hash.drop("");
  await hash.expect(sha256(""));
  await base64.show();
  await base64.drop("");
  await base64.expectMessage("“dropped.txt” is empty.");
});
