/// <reference lib="dom" />

/** Computations: slow, failing and cancelled ones, and the results that they leave. */

import { assert, assertEquals } from "@std/assert";
import { test, waitUntilUsable } from "./_browser.ts";
import { clipboard, digest } from "./_page.ts";
import { type Host } from "./_tool.ts";

test("from the first keystroke until the answer nothing can be copied, saved or swapped", async (open) => {
  const { page, hold, base64 } = await open();
  const readShown = async (text?: string) => {
    const sight = text ? await base64.type(text) : await base64.look();
    const { state, result, sizes, isUsable } = sight;
    return { state, result, sizes, isUsable };
  };
  const shown = { result: "YWJj", sizes: "3 bytes → 4 bytes" };
  await base64.ask("abc", "YWJj");
  assertEquals(await readShown(), {
    ...shown,
    state: "current",
    isUsable: true,
  });
  const release = await hold();
  const stale = { ...shown, state: "stale", isUsable: false };
  assertEquals(await readShown("abcdef"), stale);
  await base64.until("badge", "Computing…");
  // Disabled buttons do nothing, even if a script clicks them.
  await clipboard(page, "before");
  for (const name of ["copy", "useAsInput", "download"]) {
    await page.dispatchEvent(`#base64 .bar [name=${name}]`, "click");
  }
  assertEquals(await clipboard(page), "before");
  assertEquals((await base64.look()).input, "abcdef");
  const bar = page.locator("#base64 progress:not([hidden])");
  const bars = [await bar.count()];
  await release();
  await base64.expect("YWJjZGVm");
  bars.push(await bar.count());
  assertEquals(bars, [1, 0]);
});

test("a suggestion for one text cannot be taken while another text waits", async (open) => {
  const { page, hold, base64 } = await open();
  await base64.ask("SGVsbG8sIHfDtnJsZCE=");
  await base64.expectMessage("This looks like Base64.");
  const release = await hold();
  await base64.fill("another text");
  await base64.until("badge", "Computing…");
  await page.dispatchEvent("#base64 .message button", "click");
  assertEquals((await base64.look()).input, "another text");
  await release();
  await base64.expect(btoa("another text"));
});

test("no button of a result can be pressed that would do nothing", async (open) => {
  const { page, base64, json } = await open();
  const isOff = (selector: string) =>
    page.getAttribute(selector, "aria-disabled");
  assertEquals(await isOff("#base64 [name=clear]"), "true");
  await base64.ask("abc", "YWJj");
  assertEquals(await isOff("#base64 [name=clear]"), "false");
  assertEquals(await isOff("#base64 [name=useAsInput]"), "false");
  await json.show();
  const rows = [
    // Input, whether the result differs, whether it has blocks inside.
    ["12", false, false],
    [" [1, 2]", true, false],
    ['{"a":{"b":1}}', true, true],
    ['{\n  "a": {\n    "b": 1\n  }\n}', false, true],
  ] as const;
  for (const [input, isOther, hasBlocks] of rows) {
    await json.ask(input);
    await json.until("state", "current");
    const states = [
      await isOff("#json [name=useAsInput]"),
      await isOff("#json [name=collapse]"),
      await isOff("#json [name=expand]"),
    ];
    const expected = [!isOther, !hasBlocks, !hasBlocks].map(String);
    assertEquals(states, expected, input);
  }
});

test("the newest text is answered, however many came while one was computed", async (open) => {
  const { hold, hash } = await open("#hash");
  const release = await hold();
  for (const text of ["first", "second", "third", "fourth"]) {
    await hash.fill(text);
    await hash.until("badge", "Computing…");
  }
  await release();
  await hash.expect(digest("fourth"));
  await hash.ask("first", digest("first"));
});

test("a fault of the page is not blamed on the network", async (open) => {
  const { page, complaints, base64 } = await open();
  await page.evaluate(() => {
    const host = document.querySelector("#base64 .result .editor") as Host;
    host.view.dispatch = () => {
      throw new Error("on purpose");
    };
  });
  await base64.fill("abc");
  await base64.expectMessage("Something went wrong.");
  assertEquals(complaints.splice(0), ["on purpose"]);
});

test("the last good result stays in its place, and looks old in each of its parts", async (open) => {
  const { page, hold, json } = await open("#json", {
    viewport: { width: 320, height: 800 },
  });
  /** The place of the result, and the colours of all that it shows. */
  const read = () =>
    page.evaluate(() => {
      const host = document.querySelector("#json .result .editor")!;
      const { top, height } = host.getBoundingClientRect();
      const parts = host.shadowRoot!.querySelectorAll(".cm-line, .cm-line *");
      const colours = [...parts].map((part) => getComputedStyle(part).color);
      return { top: top + scrollY, height, colours: [...new Set(colours)] };
    });
  await json.ask('{"a":[1,true,"x"]}');
  await page.locator("#json .result .cm-line span").first().waitFor();
  const fresh = await read();
  assert(fresh.colours.length >= 4, fresh.colours.join());
  const release = await hold();
  await json.type('{"a":[1,true,"x"]');
  assertEquals(await read(), fresh);
  await release();
  await json.expectMessage("Invalid JSON");
  await page.locator("#json .badge:visible", {
    hasText: "Result of the last valid",
  })
    .waitFor();
  const old = await read();
  assertEquals([old.top, old.height], [fresh.top, fresh.height]);
  assertEquals(old.colours.length, 1);
  assert(!fresh.colours.includes(old.colours[0]!));
  await json.ask('{"a":[1,true,"x"]}');
  assertEquals(await read(), fresh);
});

test("without worker.js every tool says what to do, once for each change", async (open) => {
  const { page, service, base64, hash, uuid } = await open("#hash", {
    prepare: (page) => page.route("**/worker.js", (route) => route.abort()),
  });
  const words = "The script that computes can’t be loaded. " +
    "Please reload the page.";
  await hash.expectMessage(words);
  await uuid.show();
  await uuid.expectMessage(words);
  await base64.show();
  const { length } = service.arrivals;
  await base64.type("abc");
  await base64.expectMessage(words);
  assertEquals((await base64.look()).answer, undefined);
  assertEquals(service.arrivals.length, length);
  await page.unroute("**/worker.js");
  await page.reload();
  await waitUntilUsable(page);
  await base64.ask("abc", "YWJj");
});
