/// <reference lib="dom" />

/** Files as input: those that are not sent to the service, and decoded ones. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { clipboard, digest } from "./_page.ts";

/** Drops a file of equal bytes on a tool, made in the page. */
function dropBytes(page: Page, tool: string, byte: number, size: number) {
  return page.evaluate(([tool, byte, size]) => {
    const dataTransfer = new DataTransfer();
    const piece = new Uint8Array(1_048_576).fill(byte);
    const pieces = Array.from({ length: size / piece.length }, () => piece);
    dataTransfer.items.add(new File(pieces, "large.bin"));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    const target = document.querySelector(`#${tool} .panes`)!;
    target.dispatchEvent(new DragEvent("drop", init));
  }, [tool, byte, size] as const);
}

test("over plain HTTP, digests of files cannot be had, which is said; the rest works", async (open) => {
  const { service, base64, hash } = await open("#hash", { isInsecure: true });
  await hash.ask("abc", digest("abc"));
  const { calls } = service;
  await hash.drop(Uint8Array.of(0xff));
  await hash.expectMessage("This page came over plain HTTP");
  assertEquals((await hash.look()).answer, undefined);
  await base64.show();
  await base64.drop(Uint8Array.of(0xff));
  await base64.expect("/w==");
  assertEquals(service.calls, calls);
  await hash.show();
  await hash.drop("abc");
  await hash.expect(digest("abc"));
});

test("a long Base64 is shown in part, and copied and downloaded whole", async (open) => {
  const { page, base64 } = await open();
  const size = 6 * 1_048_576;
  await dropBytes(page, "base64", 0xff, size);
  await base64.expect(/^\/{10000}$/);
  const length = size / 3 * 4;
  await base64.expectMessage(
    `The first 10,000 of ${length.toLocaleString("en")} characters are shown`,
  );
  await base64.copy();
  assertEquals(await clipboard(page), "/".repeat(length));
  const started = page.waitForEvent("download");
  await base64.click(".bar [name=download]");
  const path = await (await started).path();
  assertEquals(await Deno.readTextFile(path), "/".repeat(length));
  assertEquals(
    await page.getAttribute("#base64 [name=useAsInput]", "aria-disabled"),
    "true",
    "the part is not the result",
  );
  await dropBytes(page, "base64", 0xff, 2 * size);
  await base64.expectMessage("of 16,777,216 characters");
  await base64.click(".bar [name=copy]");
  await page.locator("#base64 .copied", { hasText: "too many to be copied" })
    .waitFor();
});

test("a file above the limits of the page is refused with the limit", async (open) => {
  const { page, base64, hash } = await open();
  await dropBytes(page, "base64", 0, 101 * 1_048_576);
  await base64.expectMessage("“large.bin” has");
  await hash.show();
  await hash.expect(digest(""));
  await page.evaluate(() => {
    const size = { get: () => 600_000_000 };
    Object.defineProperty(File.prototype, "size", size);
  });
  await hash.drop(Uint8Array.of(0xff));
  await hash.expectMessage("this page takes at most");
});

test("a computation is cancelled by another file, a text and Escape", async (open) => {
  const { page, hash } = await open("#hash");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/digest_worker.js", async (route) => {
    await released;
    await route.continue();
  });
  await hash.drop(Uint8Array.of(0xff));
  await hash.until("badge", "Computing…");
  await page.keyboard.press("Escape");
  await hash.expectMessage("The computation was cancelled.");
  await hash.drop(Uint8Array.of(0xfe));
  await hash.until("badge", "Computing…");
  await hash.drop("abc");
  await hash.expect(digest("abc"));
  release();
  await hash.drop(Uint8Array.of(0xfd));
  await hash.expect(digest(Uint8Array.of(0xfd)));
  assertMatch((await hash.look()).badge, /not sent/);
});

test("without the service, digests of files fail until it is back", async (open) => {
  const { service, hash } = await open("#hash");
  await hash.expect(digest(""));
  await service.stop();
  await hash.drop(Uint8Array.of(0xff));
  await hash.expectMessage("The service cannot be reached");
  service.restart();
  await hash.press("Try again");
  await hash.expect(digest(Uint8Array.of(0xff)));
});
