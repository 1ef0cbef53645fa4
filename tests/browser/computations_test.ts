/// <reference lib="dom" />

/** Slow, failing, and canceled computations, and the results that stay visible. */

import { assert, assertEquals } from "@std/assert";
import { reload, test } from "./_browser.ts";
import { clipboard } from "./_page.ts";

test("an outdated result can’t be copied, downloaded, or used as input", async (open) => {
  const { page, hold, base64 } = await open();
  const readShown = async (text?: string) => {
    const snapshot = text ? await base64.type(text) : await base64.read();
    const { state, result, sizes, isUsable } = snapshot;
    return { state, result, sizes, isUsable };
  };
  const shown = { result: "YWJj", sizes: "3 bytes → 4 bytes" };
  await base64.enter("abc", "YWJj");
  assertEquals(await readShown(), {
    ...shown,
    state: "current",
    isUsable: true,
  });
  const release = await hold();
  const stale = { ...shown, state: "stale", isUsable: false };
  assertEquals(await readShown("abcdef"), stale);
  await base64.until("badge", "Computing…");
  await clipboard(page, "before");
  for (const name of ["copy", "useAsInput", "download"]) {
    await page.dispatchEvent(`#base64 .bar [name=${name}]`, "click");
  }
  assertEquals(await clipboard(page), "before");
  assertEquals((await base64.read()).input, "abcdef");
  const bar = page.locator("#base64 progress:not([hidden])");
  const bars = [await bar.count()];
  await release();
  await base64.expect("YWJjZGVm");
  bars.push(await bar.count());
  assertEquals(bars, [1, 0]);
});

test("a suggestion for an earlier input has no effect", async (open) => {
  const { page, hold, base64 } = await open();
  await base64.enter("SGVsbG8sIHfDtnJsZCE=");
  await base64.expectMessage("This looks like Base64.");
  const release = await hold();
  await base64.fill("another text");
  await base64.until("badge", "Computing…");
  await page.dispatchEvent("#base64 .message button", "click");
  assertEquals((await base64.read()).input, "another text");
  await release();
  await base64.expect(btoa("another text"));
});

test("a button is enabled only if it has an effect", async (open) => {
  const { page, base64, json } = await open();
  const isOff = (selector: string) =>
    page.getAttribute(selector, "aria-disabled");
  assertEquals(await isOff("#base64 [name=clear]"), "true");
  await base64.enter("abc", "YWJj");
  assertEquals(await isOff("#base64 [name=clear]"), "false");
  await json.show();
  // The input, whether it equals the result, and whether nothing can be collapsed.
  const rows = [
    ["12", true, true],
    [" [1, 2]", false, true],
    ['{"a":{"b":1}}', false, false],
    ['{\n  "a": {\n    "b": 1\n  }\n}', true, false],
  ] as const;
  for (const [input, isEqual, isFlat] of rows) {
    await json.enter(input);
    assertEquals(await isOff("#json [name=useAsInput]"), String(isEqual));
    assertEquals(await isOff("#json [name=collapse]"), String(isFlat));
  }
});

test("the last valid result stays in position and looks outdated", async (open) => {
  const { page, hold, json } = await open("#json", {
    viewport: { width: 320, height: 800 },
  });
  /** Returns the position of the result, and its colors. */
  const read = () =>
    page.evaluate(() => {
      const host = document.querySelector("#json .result .editor")!;
      const { top, height } = host.getBoundingClientRect();
      const parts = host.shadowRoot!.querySelectorAll(".cm-line, .cm-line *");
      const colors = [...parts].map((part) => getComputedStyle(part).color);
      return { top: top + scrollY, height, colors: [...new Set(colors)] };
    });
  await json.enter('{"a":[1,true,"x"]}');
  await page.locator("#json .result .cm-line span").first().waitFor();
  const fresh = await read();
  assert(fresh.colors.length >= 4, fresh.colors.join());
  const release = await hold();
  await json.type('{"a":[1,true,"x"]');
  assertEquals(await read(), fresh);
  await release();
  await json.expectMessage("Invalid JSON");
  const hasText = "Result for the last valid input";
  await page.locator("#json .badge:visible", { hasText }).waitFor();
  const old = await read();
  assertEquals([old.top, old.height], [fresh.top, fresh.height]);
  assertEquals(old.colors.length, 1);
  assert(!fresh.colors.includes(old.colors[0]!));
  await json.enter('{"a":[1,true,"x"]}');
  assertEquals(await read(), fresh);
});

test("without worker.js every tool shows what to do, and sends no request", async (open) => {
  const { page, service, base64, hash, uuid } = await open("#hash", {
    prepare: (page) => page.route("**/worker.js", (route) => route.abort()),
  });
  const message = "A script couldn’t be loaded. Please reload the page.";
  await hash.expectMessage(message);
  await uuid.show();
  await uuid.expectMessage(message);
  await base64.show();
  const { length } = service.arrivals;
  await base64.type("abc");
  await base64.expectMessage(message);
  assertEquals((await base64.read()).current, undefined);
  assertEquals(service.arrivals.length, length);
  await page.unroute("**/worker.js");
  await reload(page);
  await base64.enter("abc", "YWJj");
});
