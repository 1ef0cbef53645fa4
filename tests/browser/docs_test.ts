/// <reference lib="dom" />

/** The page `/docs`, the reference of the API for people. */

import { assert, assertEquals } from "@std/assert";
import { readCalls } from "../_docs.ts";
import { test } from "./_browser.ts";
import { findViolations } from "./_page.ts";

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `/docs in ${colorScheme} colours fits in 320, 390 and 1280 px, and axe-core finds no violation`,
    async (open) => {
      const { page, origin } = await open("", { colorScheme });
      for (const width of [320, 390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${origin}/docs`);
        const overflow = await page.evaluate(() =>
          document.documentElement.scrollWidth - innerWidth
        );
        assert(overflow <= 0, `${overflow} px too wide at ${width} px`);
        assertEquals(await findViolations(page), [], `${width} px`);
        const ground = await page.evaluate(() =>
          getComputedStyle(document.body).backgroundColor
        );
        const isDark = ground === "rgb(15, 19, 18)";
        assertEquals(isDark, colorScheme === "dark", ground);
      }
    },
  );
}

test("the page leads to /docs, whose links hold, under a path and with a slash at its end", async (open) => {
  const { page, origin } = await open("#uuid", { prefix: "/tools" });
  const address = `${origin}/tools/docs`;
  assertEquals(
    await page.getAttribute("footer a[href*=docs]", "href"),
    "docs",
  );
  for (const path of [address, `${address}/`]) {
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

test("a call of /docs that a person selects is copied as it is meant, and all are printed", async (open) => {
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
