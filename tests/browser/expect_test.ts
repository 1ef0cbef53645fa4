/// <reference lib="dom" />

/** The habits of people: focus, pasting anywhere, shortcuts, offers, memory, printing. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  clipboard,
  copy,
  dropFile,
  expectInput,
  expectMessage,
  expectResult,
  fill,
  holdAnswers,
  look,
  readText,
  visit,
} from "./_browser.ts";

Deno.test("the focus is in the editor on load, and a paste anywhere goes there", async () => {
  await using visited = await visit();
  const { page } = visited;
  await page.keyboard.type("a");
  await expectInput(page, "base64", "a");
  await page.evaluate(() => navigator.clipboard.writeText("b\r\n"));
  await page.focus("#base64 .copy.primary");
  await page.keyboard.press("Control+V");
  await page.click("#base64 .result .cm-line");
  await page.keyboard.press("Control+V");
  await expectInput(page, "base64", "ab\r\nb\r\n");
  await page.click('nav a[href="#hash"]');
  await page.focus("#hash-expected");
  await page.keyboard.press("Control+V");
  assertEquals(await page.inputValue("#hash-expected"), "b");
  assertEquals(await readText(page, "hash"), "");
});

Deno.test("? lists the shortcuts, outside a text", async () => {
  await using visited = await visit();
  const { page } = visited;
  await page.keyboard.type("?");
  await expectInput(page, "base64", "?");
  await page.focus("#base64 .copy.primary");
  await page.keyboard.press("Shift+?");
  await page.locator("#shortcuts[open]").waitFor();
  await page.keyboard.press("Escape");
  assert(!await page.isVisible("#shortcuts"));
  await page.click("#help");
  assertMatch(await page.innerText("#shortcuts"), /Swap result and input/);
});

Deno.test("data URLs, JSON Web Tokens and byte order marks are one click away from right", async () => {
  await using visited = await visit("#base64?decode");
  const { page } = visited;
  const press = (label: string) =>
    page.click(`section:not([hidden]) .message button:text("${label}")`);
  await fill(page, "base64", "data:text/plain;base64,YWJj");
  await expectMessage(page, "base64", "This is a data URL.");
  await press("Decode its content");
  await expectResult(page, "base64", "abc");
  await fill(page, "base64", "eyJhIjoxfQ.eyJiIjoyfQ.c2ln");
  await expectMessage(page, "base64", "This is a JSON Web Token.");
  await press("Decode the payload");
  await expectResult(page, "base64", '{"b":2}');
  await page.keyboard.press("Control+Z");
  await press("Decode the header");
  await expectResult(page, "base64", '{"a":1}');
  await page.click('nav a[href="#hash"]');
  await dropFile(page, "hash", "\ufeffabc");
  await expectMessage(page, "hash", "byte order mark");
  await press("Remove it");
  await expectResult(page, "hash", /^ba7816bf/);
});

Deno.test("JSON with certain repairs offers them", async () => {
  await using visited = await visit("#json?minify");
  const { page } = visited;
  const press = (label: string) =>
    page.click(`#json .message button:text("${label}")`);
  await fill(page, "json", "{'a': [1, 2,],}");
  await expectMessage(page, "json", "single quotes and trailing commas");
  await press("Repair");
  await expectResult(page, "json", '{"a":[1,2]}');
  await page.keyboard.press("Control+Z");
  await expectInput(page, "json", "{'a': [1, 2,],}");
  await fill(page, "json", '{"a":1}\n{"a":2}\n');
  await expectMessage(page, "json", "This is JSON Lines: 2 texts, one a line.");
  await press("Make it an array");
  await expectResult(page, "json", '[{"a":1},{"a":2}]');
});

Deno.test("the empty tool says what will appear, and has an example", async () => {
  await using visited = await visit();
  const { page } = visited;
  for (
    const [tool, words] of [["base64", "as Base64"], ["json", "same JSON"]]
  ) {
    await page.click(`nav a[href^="#${tool}"]`);
    assertMatch(
      await page.innerText(`#${tool} .empty`),
      new RegExp(`${words}[^]*Try an example`),
    );
    await page.click(`#${tool} .example`);
    await expectResult(page, tool!, /./);
    assert(!await page.isVisible(`#${tool} .empty`));
  }
});

Deno.test("Copied goes with the password that was copied, and each UUID has a button", async () => {
  await using visited = await visit("#password");
  const { page } = visited;
  await expectResult(page, "password", /./);
  await copy(page, "#password .copy.primary");
  const answered = page.waitForResponse("**/api/password");
  await page.click("#password [type=submit]");
  await answered;
  await page.locator("#password .copy.primary .label", { hasText: /^Copy$/ })
    .waitFor({ timeout: 1_000 });
  await page.click('nav a[href="#uuid"]');
  await page.fill("#uuid [name=count]", "3");
  await expectResult(page, "uuid", /^(.{36}\n){2}.{36}$/);
  await copy(page, "#uuid .row:nth-child(2) .copy");
  assertEquals(
    await clipboard(page),
    await page.textContent("#uuid .row:nth-child(2) .line"),
  );
});

Deno.test("JSON is downloaded as .json", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await fill(page, "json", "[1]");
  await expectResult(page, "json", "[\n  1\n]");
  const started = page.waitForEvent("download");
  await page.click("#json .download");
  assertEquals((await started).suggestedFilename(), "result.json");
});

Deno.test("tool, options and theme are remembered, texts are not", async () => {
  await using visited = await visit("#hash?sha512");
  const { page, origin } = visited;
  await page.click('nav a[href="#json"]');
  await page.check("#json [value='4']");
  await fill(page, "json", '"secret"');
  await expectResult(page, "json", '"secret"');
  await page.selectOption("#theme", "dark");
  const next = await page.context().newPage();
  await next.goto(origin);
  await next.locator("#json form").waitFor();
  assert(await next.isChecked("#json [value='4']"));
  assertEquals(new URL(next.url()).hash, "#json?indent=4");
  assertEquals(await readText(next, "json"), "");
  const ground = () =>
    next.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assertEquals(await ground(), "rgb(15, 19, 18)");
  await next.click('nav a[href^="#hash"]');
  assert(await next.isChecked("#hash [value=sha512]"));
  const stored = await next.evaluate(() => JSON.stringify({ ...localStorage }));
  assert(!stored.includes("secret"), stored);
  await next.close();
});

Deno.test("without storage the page works all the same", async () => {
  await using visited = await visit("", {
    prepare: (page) =>
      page.addInitScript(() => {
        for (const name of ["getItem", "setItem"] as const) {
          Storage.prototype[name] = () => {
            throw new DOMException("denied", "SecurityError");
          };
        }
      }),
  });
  const { page } = visited;
  await page.keyboard.type("abc");
  await expectResult(page, "base64", "YWJj");
  await page.selectOption("#theme", "light");
});

Deno.test("printing prints all of the input and the result", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  const numbers = Array.from({ length: 2_000 }, (_, i) => i);
  await fill(page, "json", JSON.stringify(numbers));
  await expectResult(page, "json", JSON.stringify(numbers, null, 2));
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assertEquals(
    await page.locator("#json .print").allInnerTexts(),
    [JSON.stringify(numbers), JSON.stringify(numbers, null, 2)],
  );
  assert(!await page.isVisible("#json .editor"));
});

Deno.test("a result turns grey after a pause only, while its buttons are off at once", async () => {
  await using visited = await visit();
  const { page } = visited;
  await fill(page, "base64", "abc");
  await expectResult(page, "base64", "YWJj");
  const release = await holdAnswers(page, "api/base64");
  const readLook = () =>
    page.evaluate(() =>
      document.querySelector<HTMLElement>("#base64")!.dataset.look
    );
  assertEquals((await look(page, "base64", "abcd")).isUsable, false);
  assertEquals(await readLook(), "current");
  await page.locator('#base64[data-look="stale"]').waitFor();
  await release();
  await expectResult(page, "base64", "YWJjZA==");
  assertEquals(await readLook(), "current");
});
