/// <reference lib="dom" />

/** The inputs that the browser keeps if the user wants that. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test, waitUntilUsable } from "./_browser.ts";
import { digest } from "./_page.ts";

async function reload(page: Page): Promise<void> {
  await page.reload();
  await waitUntilUsable(page);
}

/** The storage of a page for its tab, and that for later visits. */
function readStored(page: Page) {
  return page.evaluate(() => ({
    tab: Object.values(sessionStorage).join(),
    visits: Object.values(localStorage).join(),
  }));
}

/** Turns on that inputs are kept. */
async function remember(page: Page): Promise<void> {
  await page.getByLabel("Remember my input").check();
}

test("nothing that is entered is kept, unless that is turned on", async (open) => {
  const { page, base64, hash, json } = await open("#json");
  await json.ask("[1]");
  await base64.show();
  await base64.ask("secret");
  await hash.show();
  await hash.ask("secret");
  await page.fill("#hash-expected", "secret");
  await page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  assertEquals((await readStored(page)).tab, "");
  await reload(page);
  assertEquals((await readStored(page)).tab, "");
  await hash.expect(digest(""));
  assertEquals(await page.inputValue("#hash-expected"), "");
  await base64.show();
  await base64.until("state", "empty");
  // What an earlier version has kept is removed.
  await page.evaluate(() =>
    sessionStorage.setItem("developer-utilities", '{"base64":"old"}')
  );
  await reload(page);
  assertEquals((await readStored(page)).tab, "");
  assertEquals((await base64.look()).input, "");
});

test("if that is turned on, a reload keeps each input exactly, in the tab alone", async (open) => {
  const { page, origin, base64, hash, json } = await open("#json?minify");
  await remember(page);
  const text = '"secret\ufeff"\r\n';
  await json.ask(text, text.trim());
  await hash.show();
  await hash.ask("one\r\ntwo\r", digest("one\r\ntwo\r"));
  // Of a tool that is not shown in between.
  for (let i = 0; i < 2; i += 1) {
    await reload(page);
    await hash.expect(digest("one\r\ntwo\r"));
    assertEquals((await hash.look()).input, "one\r\ntwo\r");
  }
  await page.keyboard.press("Control+Z");
  assertEquals((await hash.look()).input, "one\r\ntwo\r", "it was not typed");
  await json.show();
  await json.expect(text.trim());
  assertEquals((await json.look()).input, text);
  await base64.show();
  await base64.until("state", "empty");
  assert(!(await readStored(page)).visits.includes("secret"));
  const other = await page.context().newPage();
  await other.goto(`${origin}/#json`);
  await waitUntilUsable(other);
  await other.locator("#json .empty").waitFor();
  assertEquals((await readStored(other)).tab, "");
});

test("a hidden page has kept its input, because the browser can discard it", async (open) => {
  const { page, hash } = await open("#hash");
  await remember(page);
  await hash.ask("secret", digest("secret"));
  await page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  });
  assertEquals((await readStored(page)).tab, '{"hash":"secret"}');
});

test("what is cleared is forgotten at once", async (open) => {
  const { page, hash } = await open("#hash");
  await remember(page);
  await hash.ask("secret", digest("secret"));
  await reload(page);
  await hash.expect(digest("secret"));
  await hash.click("[name=clear]");
  assertEquals((await readStored(page)).tab, "");
  await reload(page);
  await hash.expect(digest(""));
});

test("no UUID, no password and no more than 1 MB is kept", async (open) => {
  const { page, base64, hash, uuid, password } = await open("#uuid");
  await remember(page);
  await uuid.expect(/./);
  await password.show();
  await password.expect(/./);
  await reload(page);
  assertEquals((await readStored(page)).tab, "");
  await base64.show();
  await base64.fill("x".repeat(700_000));
  await base64.until("state", "current");
  await hash.show();
  const text = "é".repeat(400_000);
  await hash.ask(text, digest(text));
  await reload(page);
  // That of the shown tool goes before.
  await hash.expect(digest(text));
  await base64.show();
  await base64.until("state", "empty");
});
