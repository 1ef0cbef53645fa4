/** Keys that the page takes, and those that it leaves to the browser. */

import { assertEquals } from "@std/assert";
import { test, waitUntilUsable } from "./_browser.ts";

test("the single key ? can be turned off, for the next visit, too", async (open) => {
  const { page, base64 } = await open();
  const isShown = () => page.locator("#shortcuts").isVisible();
  const pressKey = async () => {
    await page.focus("#base64 [name=open]");
    await page.keyboard.press("?");
    return await isShown();
  };
  assertEquals(await pressKey(), true);
  await page.getByLabel("Show shortcuts").uncheck();
  await page.keyboard.press("Escape");
  assertEquals(await pressKey(), false);
  await page.reload();
  await waitUntilUsable(page);
  assertEquals(await pressKey(), false);
  await page.click("#help");
  assertEquals(await isShown(), true);
  await page.getByLabel("Show shortcuts").check();
  await page.keyboard.press("Escape");
  assertEquals(await pressKey(), true);
  await page.keyboard.press("Escape");
  await base64.ask("abc", "YWJj");
});

test("the result becomes the input by a key that no browser uses", async (open) => {
  const { page, base64 } = await open();
  await base64.ask("abc", "YWJj");
  // Firefox makes a screenshot.
  await page.keyboard.press("Control+Shift+S");
  assertEquals((await base64.look()).input, "abc");
  await page.keyboard.press("Control+Shift+6");
  await base64.until("input", "YWJj");
  await base64.expect("abc");
});
