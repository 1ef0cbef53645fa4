/// <reference lib="dom" />

/** Suggestions: tokens, data URLs, binary data, examples. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { dropFiles, test } from "./_browser.ts";

const HEADER = btoa('{"alg":"HS256"}').replaceAll("=", "");
const PAYLOAD = btoa('{"sub":"1",\n"n":2}').replaceAll("=", "");
const TOKEN = `${HEADER}.${PAYLOAD}.c2ln`;

/** An image of one pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a token that is to be encoded is decoded on request, both parts, and opened in JSON", async (open) => {
  const { page, base64, json } = await open("#base64");
  const press = (label: string) =>
    page.click(`#base64 .message button:text("${label}")`);
  const input = `Authorization: Bearer ${TOKEN}`;
  await base64.fill(input);
  await base64.expectMessage("This looks like a JSON Web Token.");
  await press("Decode it");
  await base64.expect('{"alg":"HS256"}\n{"sub":"1",\n"n":2}');
  assertEquals(await base64.read(), input);
  await base64.expectMessage("Its signature is not checked.");
  assertMatch(
    (await page.textContent("#base64 .command pre"))!,
    new RegExp(`"input":"${PAYLOAD}"`),
  );
  await press("Open the payload in JSON");
  await json.expect('{\n  "sub": "1",\n  "n": 2\n}');
  await page.goBack();
  await base64.ask(`${HEADER}.${PAYLOAD}`, /sub/);
  await base64.ask(btoa("[1]"), "[1]");
  await base64.expectMessage("The result is JSON.");
  await press("Open in JSON");
  await json.expectInput("[1]");
  // The offer that switches the action is undone with it.
  await page.goBack();
  await page.check("#base64 [value=encode]");
  await base64.ask("SGVsbG8sIHfDtnJsZCE=", /./);
  await press("Decode it");
  await base64.expect("Hello, wörld!");
});

test("bytes that are not text are shown, said to be computed here, and downloaded", async (open) => {
  const { page, base64 } = await open("#base64?decode");
  await base64.ask(PNG, /^000000 {2}89 50 4e 47 .* \.PNG/);
  await base64.expectMessage(
    "This is a PNG image, 70 bytes, which the service does not decode, since it is not UTF-8 text. The bytes are computed in this page.",
  );
  await page.locator("#base64 .badge:visible", { hasText: "in this page" })
    .waitFor();
  const width = await page.locator("#base64 .preview:visible").evaluate((
    image,
  ) => (image as HTMLImageElement).naturalWidth);
  assertEquals(width, 1);
  assertEquals(await page.innerText("#base64 .sizes"), "96 bytes → 70 bytes");
  assertEquals(
    await page.getAttribute("#base64 .swap", "aria-disabled"),
    "true",
  );
  for (const button of ["#base64 .message button", "#base64 .bar .download"]) {
    const started = page.waitForEvent("download");
    await page.click(button);
    const download = await started;
    assertEquals(download.suggestedFilename(), "decoded.png");
    const bytes = await Deno.readFile(await download.path());
    assertEquals(bytes.toBase64(), PNG);
  }
  await base64.ask("YWJj", "abc");
  assert(!await page.isVisible("#base64 .preview"));
});

test("a binary file says what it is", async (open) => {
  const { page, hash } = await open("#hash");
  const files: [Uint8Array, string][] = [
    [Uint8Array.fromBase64(PNG), "it is a PNG image"],
    [Uint8Array.of(0xff, 0xfe, 0x61, 0), "it is text in UTF-16"],
    [Uint8Array.of(0x80), "it is binary data"],
  ];
  for (const [file, words] of files) {
    await dropFiles(page, "#hash .editor", [file]);
    await hash.expectMessage(words);
  }
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
    await page.click(`#${tool} .example`);
    await tools[tool]!.expect(/./);
    assert(!await page.isVisible(`#${tool} .empty`));
  }
});
