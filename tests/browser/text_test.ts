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
  dropFile,
  dropFiles,
  expectCopied,
  expectMessage,
  expectResult,
  holdAnswers,
  look,
  sha256,
  visit,
} from "./_browser.ts";

/** Puts a text on the clipboard and pastes it where the focus is. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.keyboard.press("Control+V");
}

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
    await page.fill(`#${tool}-input`, typed!);
    await expectResult(page, tool!, /./);
    const release = await holdAnswers(page, `api/${tool}`);
    await look(page, tool!, typed! + more);
    await page.dispatchEvent(`#${tool} .reuse`, "click");
    assertEquals(await page.inputValue(`#${tool}-input`), typed! + more);
    await release();
    await page.waitForFunction(
      (tool) =>
        document.querySelector<HTMLElement>(`#${tool}`)!.dataset.state ===
          "current",
      tool,
    );
    const { result } = await look(page, tool!);
    await page.click(`#${tool} .reuse`);
    assertEquals(await page.inputValue(`#${tool}-input`), result);
  }
});

Deno.test("the browser undoes drops, swaps and clearing, one at a time", async () => {
  await using visited = await visit();
  const { page } = visited;
  const read = () => page.inputValue("#base64-input");
  await page.click("#base64-input");
  await page.keyboard.type("mine");
  await expectResult(page, "base64", "bWluZQ==");
  const file = '<b>theirs</b> & "more"\n\n  of\tit\n'.repeat(5);
  await dropFile(page, "base64", file);
  await page.waitForFunction(
    (file) =>
      document.querySelector<HTMLTextAreaElement>("#base64-input")!.value ===
        file,
    file,
  );
  await expectResult(page, "base64", btoa(file));
  await page.click("#base64 .reuse");
  assertEquals(await read(), btoa(file));
  await expectResult(page, "base64", file);
  await page.click("#base64 .clear");
  assertEquals(await read(), "");
  await page.focus("#base64-input");
  const undone = [];
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.press("Control+Z");
    undone.push(await read());
  }
  assertEquals(undone, [btoa(file), file, "mine"]);
  await page.keyboard.press("Control+Shift+Z");
  assertEquals(await read(), file);
});

Deno.test("line ends are sent as they came, shown, and changed on demand only", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  const ends = () => page.inputValue("#hash select");
  const expectHashOf = (text: string) =>
    expectResult(page, "hash", sha256(text));
  assert(!await page.isVisible("#hash select"), "one line has no line end");
  await page.click("#hash-input");
  await paste(page, "one\r\ntwo");
  await expectHashOf("one\r\ntwo");
  assertEquals(await ends(), "CRLF");
  await page.keyboard.type("!");
  await page.keyboard.press("Enter");
  await page.keyboard.type("three");
  await expectHashOf("one\r\ntwo!\r\nthree");
  await page.selectOption("#hash select", "LF");
  await expectHashOf("one\ntwo!\nthree");
  await page.selectOption("#hash select", "CR");
  await expectHashOf("one\rtwo!\rthree");

  const mixed = "a\nb\r\nc\rd\r\ne";
  await dropFile(page, "hash", mixed);
  await expectHashOf(mixed);
  assertEquals(await ends(), "mixed");
  await page.focus("#hash-input");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("X");
  await expectHashOf("a\nb\r\nXc\rd\r\ne");
  // Undone and done again, it is what it was.
  await page.keyboard.press("Control+Z");
  await expectHashOf(mixed);
  await page.keyboard.press("Control+Z");
  await expectHashOf("one\rtwo!\rthree");
  await page.keyboard.press("Control+Shift+Z");
  await expectHashOf(mixed);
  await page.selectOption("#hash select", "CRLF");
  await expectHashOf("a\r\nb\r\nc\r\nd\r\ne");
  assertEquals(await ends(), "CRLF");
});

Deno.test("a text that the browser cannot insert is sent all the same", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  const bytes = new TextEncoder().encode("\0a\r\n\0\ufeff\r\n");
  await dropFile(page, "hash", bytes);
  await expectResult(page, "hash", sha256(bytes));
});

Deno.test("without a secure context copying keeps line ends and focus, and is honest", async () => {
  await using visited = await visit("#base64?decode", { isInsecure: true });
  const { page, origin } = visited;
  assertEquals(
    await page.evaluate(() => typeof navigator.clipboard),
    "undefined",
  );
  await page.fill("#base64-input", btoa("one\r\ntwo\r\n"));
  await expectResult(page, "base64", "one\r\ntwo\r\n");
  await page.click("#base64 .result .copy");
  await expectCopied(page, "#base64 .result");
  assertEquals(
    await page.evaluate(() => document.activeElement!.className),
    "copy",
  );
  await using reader = await visit();
  assertEquals(await clipboard(reader.page), "one\r\ntwo\r\n");
  assertStringIncludes(origin, "elsewhere.test");

  await page.evaluate(() => document.execCommand = () => false);
  await page.fill("#base64-input", btoa("other"));
  await expectResult(page, "base64", "other");
  await page.click("#base64 .result .copy");
  await page.locator("#base64 .result .copied", { hasText: "does not let" })
    .waitFor();
  assertEquals(await page.innerText("#base64 .result .copy .label"), "Copy");
});

Deno.test("half of a surrogate pair is not copied or saved as something else", async () => {
  await using visited = await visit("#json?minify");
  const { page } = visited;
  await look(page, "json", '"\ud800"');
  await page.waitForFunction(() =>
    document.querySelector("#json .output")!.textContent === '"\ud800"'
  );
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  for (const name of ["copy", "download"]) {
    await page.click(`#json .result .${name}`);
    await page.locator("#json .result .copied", {
      hasText: "Half of a surrogate pair",
    })
      .waitFor();
  }
  assertEquals(await clipboard(page), "before");
  await page.click('nav a[href="#hash"]');
  await look(page, "hash", "a😀b\ud800");
  await expectMessage(page, "hash", "Character 4 is half of a surrogate pair");
});

Deno.test("text is dragged as in any text area, and files are taken anywhere", async () => {
  await using visited = await visit();
  const { page, origin } = visited;
  await page.fill("#base64-input", "one two");
  const box = await page.locator("#base64-input").boundingBox();
  const place = (column: number) =>
    [box!.x + 12 + column * 8.43, box!.y + 22] as const;
  await page.mouse.dblclick(...place(1));
  await page.mouse.move(...place(1));
  await page.mouse.down();
  await page.mouse.move(...place(5), { steps: 5 });
  await page.mouse.move(...place(7.2), { steps: 5 });
  await page.mouse.up();
  await expectResult(page, "base64", /./);
  assertMatch(await page.inputValue("#base64-input"), /^ ?two ?one ?$/);
  await expectResult(
    page,
    "base64",
    btoa(await page.inputValue("#base64-input")),
  );

  for (const target of ["#base64 h2", "#base64 .output", "header", "body"]) {
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
  assertEquals((await look(page, "hash")).sizes, "0 bytes → 64 bytes");
  await page.fill("#hash-input", "abc");
  await expectResult(page, "hash", sha256("abc"));
  await dropFile(page, "hash", "");
  await expectResult(page, "hash", sha256(""));
  await page.click('nav a[href="#base64"]');
  await dropFile(page, "base64", "");
  await expectMessage(page, "base64", "“dropped.txt” is empty.");
});
