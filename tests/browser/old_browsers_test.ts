/// <reference lib="dom" />

/** Browsers that are too old, and files that do not arrive. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";

/** Waits until nothing but the notice of a page that cannot start is seen, with some words. */
async function seeNotice(page: Page, words: string): Promise<void> {
  await page.waitForFunction((words) => {
    const notice = document.querySelector<HTMLElement>(".failed");
    const others = document.querySelectorAll("nav, section, footer, progress");
    return notice?.innerText.replaceAll(/\s+/g, " ").includes(words) &&
      ![...others].some((element) => element.checkVisibility());
  }, words);
}

test("a browser that lacks a function of the page sees which versions have it", async (open) => {
  const { page, service } = await open("#hash", {
    isUnloaded: true,
    prepare: (page) =>
      page.addInitScript(() => {
        Reflect.deleteProperty(Uint8Array.prototype, "toBase64");
      }),
  });
  await seeNotice(
    page,
    "Chrome or Edge 140, Firefox 133, or Safari 18.2, or later",
  );
  assertEquals(
    service.arrivals.filter(({ path }) => path.includes("packages")),
    [],
  );
});

test("a page that lacks a file says to reload it", async (open) => {
  for (const file of ["packages.js", "editor.js", "result.js"]) {
    const { page, complaints } = await open("", {
      isUnloaded: true,
      answer: (service) => (request) =>
        request.url.endsWith(file)
          ? new Response("", { status: 404 })
          : service.handle(request),
    });
    await seeNotice(page, "failed to load. Reload the page");
    // The error of the module that does not arrive.
    assert(complaints.splice(0).length <= 1);
  }
});
