/// <reference lib="dom" />

/** The inputs that the browser keeps at the user's request. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { openNextTab, reload, test } from "./_browser.ts";
import { digest } from "./_page.ts";

/** Hides the page, and returns what it has stored for its tab. */
function hide(page: Page): Promise<string> {
  return page.evaluate(() => {
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    return Object.values(sessionStorage).join();
  });
}

async function remember(page: Page): Promise<void> {
  await page.getByLabel("Remember my input").check();
}

test("by default no input is kept", async (open) => {
  const { page, base64, hash } = await open();
  await base64.enter("secret");
  await hash.show();
  await hash.enter("secret");
  await page.fill("#hash-expected", "secret");
  assertEquals(await hide(page), "");
  await reload(page);
  await hash.expect(digest(""));
  assertEquals(await page.inputValue("#hash-expected"), "");
  await base64.show();
  await base64.until("state", "empty");
  // The input that an earlier version has kept is removed.
  await page.evaluate(() =>
    sessionStorage.setItem("developer-utilities", '{"base64":"old"}')
  );
  await reload(page);
  assertEquals(await hide(page), "");
  assertEquals((await base64.read()).input, "");
});

test("remembered inputs are restored exactly, in the same tab only, and Clear removes them", async (open) => {
  const { page, origin, base64, hash, json } = await open("#json?minify");
  await remember(page);
  const text = '"secret\ufeff"\r\n';
  await json.enter(text, text.trim());
  assertEquals(await hide(page), JSON.stringify({ json: text }));
  await hash.show();
  await hash.enter("one\r\ntwo\r", digest("one\r\ntwo\r"));
  // In the second round, the tool JSON was not shown.
  for (let i = 0; i < 2; i += 1) {
    await reload(page);
    await hash.expect(digest("one\r\ntwo\r"));
  }
  await page.keyboard.press("Control+Z");
  assertEquals((await hash.read()).input, "one\r\ntwo\r");
  await json.show();
  await json.until("input", text);
  await json.click("[name=clear]");
  await hash.show();
  await hash.click("[name=clear]");
  assertEquals(await page.evaluate(() => sessionStorage.length), 0);
  await base64.show();
  await base64.until("state", "empty");
  const visits = await page.evaluate(() => Object.values(localStorage).join());
  assert(!visits.includes("secret"));
  const other = await openNextTab(page, `${origin}/#json`);
  await other.locator("#json .empty").waitFor();
  assertEquals(await hide(other), "");
});

test("no UUID, no password, and no input above 1 MB is kept", async (open) => {
  const { page, hash, uuid, password } = await open("#uuid");
  await remember(page);
  await uuid.expect(/./);
  await password.show();
  await password.expect(/./);
  await hash.show();
  const text = "é".repeat(1_100_000);
  await hash.enter(text, digest(text));
  assertEquals(await hide(page), "");
});

test("the choice to remember the input applies to every tab", async (open) => {
  const { page, base64 } = await open();
  await base64.enter("kept");
  const other = await openNextTab(page, page.url());
  await remember(other);
  await page.locator("#keep:checked").waitFor();
  await reload(page);
  await base64.until("input", "kept");
  await other.getByLabel("Remember my input").uncheck();
  await page.waitForFunction(() => sessionStorage.length === 0);
});
