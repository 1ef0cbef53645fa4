/// <reference lib="dom" />

/** States of the page: loading, disabled buttons, outdated results, no result. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { holdAnswers, test, visit } from "./_browser.ts";

test("while modules load there is the frame of the tool, and no notice", async () => {
  const release = Promise.withResolvers<void>();
  await using visited = await visit("#json?minify", {
    waitUntil: "commit",
    prepare: (page) =>
      page.route("**/packages.js", async (route) => {
        await release.promise;
        await route.continue();
      }),
  });
  const { page, json } = visited;
  await page.locator("#json .source h3").waitFor();
  assertEquals(await page.locator("main [aria-current]").count(), 0);
  assertEquals(await page.textContent("nav [aria-current]"), "JSON");
  await page.waitForTimeout(2_200);
  assert(!await page.isVisible(".notice"));
  // Nothing can be pressed, and nothing looks as if it could.
  const form = page.locator("#json form[inert][aria-busy=true]");
  assertEquals(await form.count(), 1);
  assertEquals(await readLook(page, "#json button.primary"), OFF);
  release.resolve();
  await page.locator("#json .source .cm-editor").waitFor();
  await json.ask("[ ]", "[]");
  assertEquals(await page.locator("[inert], [aria-busy=true]").count(), 0);
});

/** How a button looks that does nothing. */
const OFF = { background: "rgba(0, 0, 0, 0)", cursor: "default" };

/** The look of a button. */
function readLook(page: Page, selector: string) {
  return page.locator(selector).evaluate((button) => {
    const { backgroundColor, cursor } = getComputedStyle(button);
    return { background: backgroundColor, cursor };
  });
}

test("buttons that do nothing do not look as if they did", async (open) => {
  const { page, base64, json } = await open("#json?validate", {
    reducedMotion: "reduce",
  });
  await json.ask("[1]", "This is valid JSON.");
  for (const name of ["swap", "save", "copy"]) {
    assertEquals(await readLook(page, `#json .bar [name=${name}]`), OFF, name);
  }
  await page.check("#json [value=format]");
  await json.expect("[\n  1\n]");
  assertEquals(await readLook(page, "#json button.primary"), {
    background: "rgb(11, 110, 95)",
    cursor: "pointer",
  });
  await base64.show();
  await page.check("#base64 [value=decode]");
  await base64.ask(" ", "This decodes to nothing.");
  assertEquals(await readLook(page, "#base64 button.primary"), OFF);
});

/** The colours of all that an editor's lines show. */
function readColours(page: Page, tool: string): Promise<string[]> {
  return page.evaluate((tool) => {
    const host = document.querySelector(`#${tool} .result .editor`)!;
    const parts = host.shadowRoot!.querySelectorAll(".cm-line, .cm-line *");
    return [...new Set([...parts].map((part) => getComputedStyle(part).color))];
  }, tool);
}

test("an old result looks old in each of its parts, after a pause", async (open) => {
  const { page, base64, json } = await open("#json");
  await json.ask('{"a":[1,true,"x"]}', /./);
  const fresh = await readColours(page, "json");
  assert(fresh.length >= 4, fresh.join());
  await json.look('{"a":[1,true,"x"]');
  assertEquals(await readColours(page, "json"), fresh);
  await json.expectMessage("Not valid JSON");
  await page.locator("#json .badge:visible", { hasText: "Of the last valid" })
    .waitFor();
  assertEquals(await readColours(page, "json"), ["rgb(107, 118, 114)"]);
  await json.ask('{"a":[1,true,"x"]}', /./);
  assertEquals(await readColours(page, "json"), fresh);
  await base64.show();
  await base64.ask("abc", "YWJj");
  await holdAnswers(page, "api/base64");
  await base64.look("abcd");
  await page.locator("#base64 .badge:visible").waitFor();
  assertEquals(await readColours(page, "base64"), ["rgb(107, 118, 114)"]);
});

test("without a result no words say what it would be", async (open) => {
  const { page, base64, json } = await open("#base64?decode");
  assertEquals(
    await page.innerText("#base64 .empty p:visible"),
    "The decoded text.",
  );
  await base64.fill("*");
  await base64.expectMessage("must be Base64");
  assertEquals(await page.innerText("#base64 .empty"), "No result.");
  await base64.fill("");
  await page.locator("#base64 .empty", { hasText: "The decoded" }).waitFor();
  await json.show();
  await page.route("**/api/json", (route) => route.abort());
  await json.fill("[");
  await json.expectMessage("cannot be reached");
  assertEquals(await page.innerText("#json .empty"), "No result.");
});
