/// <reference lib="dom" />

/** The switch that wraps long lines. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test, waitUntilUsable } from "./_browser.ts";

/** Whether the text of each visible editor is wider than the editor. */
function readOverflow(page: Page): Promise<boolean[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".editor")]
      .filter((host) => host.checkVisibility())
      .map((host) => {
        const scroller = host.shadowRoot!.querySelector(".cm-scroller")!;
        return scroller.scrollWidth > scroller.clientWidth;
      })
  );
}

test("long lines are wrapped in both panes or in none, for the next visit, too", async (open) => {
  const { page, base64, hash, json } = await open("#json?minify");
  const switched = page.getByLabel("Wrap lines").and(
    page.locator(":visible"),
  );
  const text = JSON.stringify(Array.from({ length: 400 }, (_, i) => i));
  await json.ask(text, text);
  assertEquals(await readOverflow(page), [false, false]);
  await switched.uncheck();
  assertEquals(await readOverflow(page), [true, true]);
  await hash.show();
  await hash.ask(text);
  assertEquals(await switched.isChecked(), false);
  assertEquals(await readOverflow(page), [true]);
  await page.reload();
  await waitUntilUsable(page);
  await base64.show();
  await base64.ask(text);
  assertEquals(await readOverflow(page), [true, true]);
  await json.show();
  await json.ask(text, text);
  await switched.check();
  assertEquals(await readOverflow(page), [false, false]);
  await base64.show();
  assertEquals(await readOverflow(page), [false, false]);
});
