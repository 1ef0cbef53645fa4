/// <reference lib="dom" />

/** The API reference, `/docs`. */

import { assertEquals } from "@std/assert";
import { readCalls } from "../_docs.ts";
import { test } from "./_browser.ts";
import { checkAccessibility, DARK, readBackground } from "./_page.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `/docs in ${colorScheme} colors fits the window, and axe-core finds no violation`,
    async (open) => {
      const { page, origin } = await open("", { colorScheme });
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${origin}/docs`);
        await checkAccessibility(page);
        const isDark = await readBackground(page) === DARK;
        assertEquals(isDark, colorScheme === "dark");
      }
    },
  );
}

test("/docs opens in a new tab, and its links work behind a path and with a trailing slash", async (open) => {
  const { page, origin, base64 } = await open("", { prefix: "/tools" });
  const url = `${origin}/tools/docs`;
  await base64.enter("abc", "YWJj");
  const opened = page.waitForEvent("popup");
  await page.click("footer a");
  assertEquals((await opened).url(), url);
  assertEquals((await base64.read()).input, "abc");
  for (const path of [url, `${url}/`]) {
    await page.goto(path);
    await page.click("nav a[href='#password']");
    assertEquals(page.url(), `${path}#password`);
    const links = await page.locator("a:not([href^='#'])").evaluateAll(
      (links) => links.map((link) => (link as HTMLAnchorElement).href),
    );
    assertEquals(links, [`${origin}/tools/`, `${origin}/tools/openapi.json`]);
    await page.click("main a[href$='openapi.json']");
    await page.waitForURL(`${origin}/tools/openapi.json`);
  }
});

test("a selected call of /docs is copied exactly, and all calls are printed", async (open) => {
  const { page, origin } = await open();
  await page.goto(`${origin}/docs`);
  const calls = readCalls(await page.content());
  await page.emulateMedia({ media: "print" });
  const shown = await page.locator(".call code").evaluateAll((codes) =>
    codes.map((code) => {
      getSelection()!.selectAllChildren(code);
      const { width, height } = code.getBoundingClientRect();
      return width * height > 0 ? getSelection()!.toString() : undefined;
    })
  );
  assertEquals(shown, calls.map(({ command }) => command));
});
