/// <reference lib="dom" />

/** Copies and downloads: their content, and when they are possible. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { clipboard } from "./_page.ts";
import type { ToolDriver } from "./_tool.ts";

/** Drops a file whose Base64 the page does not show whole; returns that. */
async function dropLarge(base64: ToolDriver): Promise<string> {
  const text = "ab".repeat(600_000);
  await base64.drop(text);
  await base64.until("sizes", /1.6 MB/);
  return btoa(text);
}

test("a large Base64 is copied without a wait", async (open) => {
  const { page, base64 } = await open();
  const expected = await dropLarge(base64);
  await page.evaluate(() => {
    Blob.prototype.text = () => new Promise(() => {});
  });
  await base64.copy();
  assertEquals(await clipboard(page) === expected, true);
});

test("where copying is refused, only what is shown is to be selected", async (open) => {
  const { page, base64 } = await open();
  await page.evaluate(() => {
    const refuse = () =>
      Promise.reject(new DOMException("", "NotAllowedError"));
    Object.assign(navigator.clipboard, { write: refuse, writeText: refuse });
  });
  const copy = async (words: string) => {
    await base64.click("[name=copy]");
    await page.locator("#base64 .copied", { hasText: words }).waitFor();
  };
  await base64.ask("abc", "YWJj");
  await copy("Please select and copy it.");
  await base64.click("[name=clear]");
  await dropLarge(base64);
  await copy("Please download it.");
});

/** The addresses of downloads that the page has revoked so far. */
function readRevoked(page: Page): Promise<number> {
  return page.evaluate(() =>
    (globalThis as unknown as { revoked: string[] }).revoked.length
  );
}

test("the address of a download lives until the browser has read it", async (open) => {
  const { page, base64 } = await open();
  await base64.ask("abc", "YWJj");
  await page.evaluate(() => {
    const revoked: string[] = [];
    Object.assign(globalThis, { revoked });
    URL.revokeObjectURL = (url) => revoked.push(url);
  });
  await page.clock.install();
  const started = page.waitForEvent("download");
  await base64.click("[name=download]");
  await started;
  await page.clock.fastForward(30_000);
  assertEquals(await readRevoked(page), 0);
  await page.clock.fastForward(60_000);
  assertEquals(await readRevoked(page), 1);
});
