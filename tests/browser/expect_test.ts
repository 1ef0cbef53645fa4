/// <reference lib="dom" />

/** The habits of people: focus, pasting anywhere, shortcuts, offers, memory, printing. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { clipboard, copy, test, visit, waitUntilUsable } from "./_browser.ts";

test("the focus is in the editor on load, and a paste anywhere goes there", async (open) => {
  const { page, base64, hash } = await open();
  await page.keyboard.type("a");
  await base64.expectInput("a");
  await page.evaluate(() => navigator.clipboard.writeText("b\r\n"));
  await page.focus("#base64 .copy.primary");
  await page.keyboard.press("Control+V");
  await page.click("#base64 .result .cm-line");
  await page.keyboard.press("Control+V");
  await base64.expectInput("ab\r\nb\r\n");
  await hash.show();
  await page.focus("#hash-expected");
  await page.keyboard.press("Control+V");
  assertEquals(await page.inputValue("#hash-expected"), "b\n");
  assertEquals(await hash.read(), "");
});

test("the focus is in the editor on a deep link too", async (open) => {
  const { page, json } = await open("#json");
  await page.locator("#json .source .editor:focus").waitFor();
  await page.keyboard.type("1");
  await json.expectInput("1");
});

test("? lists the shortcuts, outside a text", async (open) => {
  const { page, base64 } = await open();
  await page.keyboard.type("?");
  await base64.expectInput("?");
  await page.focus("#base64 .copy.primary");
  await page.keyboard.press("Shift+?");
  await page.locator("#shortcuts[open]").waitFor();
  await page.keyboard.press("Escape");
  assert(!await page.isVisible("#shortcuts"));
  await page.click("#help");
  assertMatch(await page.innerText("#shortcuts"), /Swap result and input/);
});

test("data URLs and byte order marks are one click away from right", async (open) => {
  const { page, base64, hash } = await open("#base64?decode");
  const press = (label: string) =>
    page.click(`section:not([hidden]) .message button:text("${label}")`);
  await base64.fill("data:text/plain;base64,YWJj");
  await base64.expectMessage("This is a data URL.");
  await press("Decode its content");
  await base64.expect("abc");
  await hash.show();
  await hash.drop("\ufeffabc");
  await hash.expectMessage("byte order mark");
  await press("Remove it");
  await hash.expect(/^ba7816bf/);
});

test("JSON with certain repairs offers them", async (open) => {
  const { page, json } = await open("#json?minify");
  const press = (label: string) =>
    page.click(`#json .message button:text("${label}")`);
  await json.fill("{'a': [1, 2,],}");
  await json.expectMessage("single quotes and trailing commas");
  await press("Repair");
  await json.expect('{"a":[1,2]}');
  await page.keyboard.press("Control+Z");
  await json.expectInput("{'a': [1, 2,],}");
  await json.fill('{"a":1}\n{"a":2}\n');
  await json.expectMessage("This is JSON Lines: 2 texts, one a line.");
  await press("Make it an array");
  await json.expect('[{"a":1},{"a":2}]');
});

test("the empty tool says what will appear, and has an example", async (open) => {
  const { page, tools } = await open();
  const rows = [["base64", "as Base64"], ["json", "same JSON"]] as const;
  for (const [tool, words] of rows) {
    await tools[tool]!.show();
    assertMatch(
      await page.innerText(`#${tool} .empty`),
      new RegExp(`${words}[^]*Try an example`),
    );
    await page.click(`#${tool} .example`);
    await tools[tool]!.expect(/./);
    assert(!await page.isVisible(`#${tool} .empty`));
  }
});

test("Copied goes with the password that was copied, and each UUID has a button", async (open) => {
  const { page, uuid, password } = await open("#password");
  await password.expect(/./);
  await copy(page, "#password .copy.primary");
  const answered = page.waitForResponse("**/api/password");
  await page.click("#password [data-act=retry]");
  await answered;
  await page.locator("#password .copy.primary .label", { hasText: /^Copy$/ })
    .waitFor({ timeout: 1_000 });
  await uuid.show();
  await page.fill("#uuid [name=count]", "3");
  await uuid.expect(/^(.{36}\n){2}.{36}$/);
  await copy(page, "#uuid .row:nth-child(2) .copy");
  assertEquals(
    await clipboard(page),
    await page.textContent("#uuid .row:nth-child(2) .line"),
  );
});

test("tool, options and theme are remembered, texts are not", async (open) => {
  const { page, origin, json } = await open("#hash?sha512");
  await json.show();
  await page.check("#json [value='4']");
  await json.ask('"secret"', '"secret"');
  const started = page.waitForEvent("download");
  await page.click("#json .download");
  assertEquals((await started).suggestedFilename(), "result.json");
  await page.selectOption("#theme", "dark");
  const next = await page.context().newPage();
  await next.goto(origin);
  await waitUntilUsable(next);
  assert(await next.isChecked("#json [value='4']"));
  assertEquals(new URL(next.url()).hash, "#json?indent=4");
  await next.locator("#json .empty").waitFor();
  const ground = () =>
    next.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assertEquals(await ground(), "rgb(15, 19, 18)");
  await next.click('nav a[href^="#hash"]');
  assert(await next.isChecked("#hash [value=sha512]"));
  const stored = await next.evaluate(() => JSON.stringify({ ...localStorage }));
  assert(!stored.includes("secret"), stored);
  await next.close();
});

test("without storage the page works all the same", async () => {
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
  const { page, base64 } = visited;
  await page.keyboard.type("abc");
  await base64.expect("YWJj");
  await page.selectOption("#theme", "light");
});

test("printing prints all of the input and the result", async (open) => {
  const { page, json } = await open("#json");
  const numbers = Array.from({ length: 2_000 }, (_, i) => i);
  await json.ask(JSON.stringify(numbers), JSON.stringify(numbers, null, 2));
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assertEquals(
    await page.locator("#json .print").allInnerTexts(),
    [JSON.stringify(numbers), JSON.stringify(numbers, null, 2)],
  );
  assert(!await page.isVisible("#json .editor"));
});
