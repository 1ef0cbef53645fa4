/// <reference lib="dom" />

/** Suggestions: tokens, data URLs, bytes that are not text, examples. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "./_browser.ts";

/** An image of one pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("what is encoded is decoded on request, and opened in JSON", async (open) => {
  const { page, base64, json } = await open("#base64?decode");
  const press = (label: string) =>
    page.click(`#base64 .message button:text("${label}")`);
  await base64.ask(btoa("[1]"), "[1]");
  await base64.expectMessage("The result is JSON.");
  await press("Open in JSON");
  await json.expectInput("[1]");
  // A suggestion that switches the action is undone with it.
  await page.goBack();
  await page.check("#base64 [value=encode]");
  await base64.ask("SGVsbG8sIHfDtnJsZCE=", /./);
  await press("Decode it");
  await base64.expect("Hello, wörld!");
  assert(await page.isChecked("#base64 [value=decode]"));
});

test("bytes that are not text are counted and downloaded", async (open) => {
  const { page, base64 } = await open("#base64?decode");
  await base64.ask("YWJj", "abc");
  await base64.fill(PNG);
  await base64.expectMessage(
    "This decodes to 70 bytes, not to UTF-8 text. The service returns text only; this page has decoded the bytes.",
  );
  const { state, result, isUsable } = await base64.look();
  assertEquals({ state, result, isUsable }, {
    state: "stale",
    result: "abc",
    isUsable: false,
  });
  const started = page.waitForEvent("download");
  await page.click("#base64 .message button");
  const download = await started;
  assertEquals(download.suggestedFilename(), "decoded.bin");
  const bytes = await Deno.readFile(await download.path());
  assertEquals(bytes.toBase64(), PNG);
});

test("data URLs and byte order marks are one click away from right", async (open) => {
  const { page, base64, hash } = await open("#base64?decode");
  const press = (label: string) =>
    page.click(`section:not([hidden]) .message button:text("${label}")`);
  await base64.fill("data:text/plain;base64,YWJj");
  await base64.expectMessage("This is a data URL.");
  await press("Decode its content");
  await base64.expect("abc");
  await hash.show();
  await hash.drop("\ufeffabc");
  await hash.expectMessage("byte order mark");
  await press("Remove it");
  await hash.expect(/^ba7816bf/);
});

test("the empty tool says what will appear, and has an example", async (open) => {
  const { page, tools } = await open();
  const rows = [["base64", "as Base64"], ["json", "same JSON"]] as const;
  for (const [tool, words] of rows) {
    await tools[tool]!.show();
    assertMatch(
      await page.innerText(`#${tool} .empty`),
      new RegExp(`${words}[^]*Try an example`),
    );
    await page.click(`#${tool} [name=example]`);
    await tools[tool]!.expect(/./);
    assert(!await page.isVisible(`#${tool} .empty`));
  }
});
