/// <reference lib="dom" />

/**
 * The guarantees of each tool in every browser: `deno task test:browser` tests them in
 * Chromium, and `.ci/more` in Firefox and WebKit. `_webkit.ts` has the methods of the page
 * that are used here.
 */

import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { UUID } from "../_examples.ts";
import { test } from "./_browser.ts";
import { digest } from "./_page.ts";

test("Base64: encodes while typing, decodes, and shows an error", async (open) => {
  const { page, base64 } = await open();
  await page.keyboard.type("héllo?");
  await base64.expect("aMOpbGxvPw==");
  assertEquals((await base64.read()).sizes, "7 bytes → 12 bytes");
  await base64.set("variant", "url");
  await base64.expect("aMOpbGxvPw");
  await base64.click("[name=useAsInput]");
  await base64.expect("héllo?");
  assertEquals((await base64.read()).input, "aMOpbGxvPw");
  await base64.fill("QUJD\r\naMO!");
  await base64.expectMessage('got "!" at line 2, column 4');
  await base64.press("Show");
  assertEquals((await base64.read()).selected, "!");
  await base64.fill("");
  await base64.until("message", "");
  await base64.click("[name=example]");
  await base64.expect("héllo");
});

test("Hash: shows three digests, compares them, and keeps every byte of a file", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.expect(digest(""));
  assertEquals((await hash.read()).sizes, "0 bytes");
  await hash.enter("abc", digest("abc"));
  const algorithms = ["sha1", "sha256", "sha512"];
  assertEquals(
    await hash.texts(".digest code"),
    algorithms.map((algorithm) => digest("abc", algorithm)),
  );
  const compare = async (text: string, verdict: string) => {
    await page.click("#hash-expected");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
    await expectVerdict(page, verdict);
  };
  await compare(digest("abcd", "sha1"), "✗ SHA-1 doesn’t match");
  const color = await readVerdictColor(page);
  await compare(`${digest("abc")}  file.txt`, "✓ SHA-256 matches");
  assertNotEquals(await readVerdictColor(page), color);
  await hash.set("algorithm", "sha1");
  const bytes = new TextEncoder().encode("\ufeffone\r\ntwo\rthree\n");
  await hash.drop(bytes);
  await hash.expect(digest(bytes, "sha1"));
  await hash.drop(["a", "b"]);
  await hash.expectMessage("Drop one file at a time.");
  await hash.expect(digest(bytes, "sha1"));
  await hash.drop("");
  await hash.expectMessage("“dropped.txt” is empty.");
  await hash.expect(digest("", "sha1"));
});

/** Waits for the result of the comparison with an expected digest. */
function expectVerdict(page: Page, verdict: string) {
  return page.waitForFunction(
    (verdict) => document.querySelector(".verdict")!.textContent === verdict,
    verdict,
  );
}

function readVerdictColor(page: Page) {
  return page.evaluate(() =>
    getComputedStyle(document.querySelector(".verdict")!).color
  );
}

/** A PNG of one pixel. */
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
);

test("Hash: compares the digest of a dropped file with its line in a list", async (open) => {
  const { page, hash } = await open("#hash");
  await page.click("#hash-expected");
  await page.keyboard.type(`${digest("1")}  other.txt `);
  await page.keyboard.press("Enter");
  await page.keyboard.type(`${digest("2")}  dropped.txt`);
  await hash.drop("2");
  await hash.expect(digest("2"));
  await expectVerdict(page, "✓ SHA-256 matches");
  // The digest of another line doesn't count.
  await hash.drop("1");
  await hash.expect(digest("1"));
  await expectVerdict(page, "✗ SHA-256 doesn’t match");
});

test("Hash: computes the digests of any file, in several notations", async (open) => {
  const { hash } = await open("#hash");
  await hash.expect(digest(""));
  for (const file of ["x".repeat(1_048_577), "y".repeat(4_000_000)]) {
    await hash.drop(file);
    await hash.expect(digest(file));
    assertEquals((await hash.read()).input, "");
  }
  await hash.drop(PNG);
  await hash.expect(digest(PNG));
  assertEquals(await hash.texts(".file-name"), ["dropped.txt"]);
  assertMatch((await hash.texts(".file-kind")).join(), /^PNG, \d+ bytes$/);
  const base64 = Uint8Array.fromHex(digest(PNG)).toBase64();
  const notations = {
    upper: digest(PNG).toUpperCase(),
    base64,
    integrity: `sha256-${base64}`,
    hex: digest(PNG),
  };
  for (const [notation, text] of Object.entries(notations)) {
    await hash.set("copyAs", notation);
    await hash.expect(text);
  }
  // Text replaces the file, and Clear removes both.
  await hash.drop("abc");
  await hash.expect(digest("abc"));
  assertEquals(await hash.texts(".file-name"), []);
  await hash.drop(PNG);
  await hash.expect(digest(PNG));
  await hash.click("[name=clear]");
  await hash.expect(digest(""));
  assertEquals(await hash.texts(".file-name"), []);
});

test("Base64: encodes any file, shows an image, and creates a data URL", async (open) => {
  const { page, base64 } = await open();
  await base64.drop(PNG);
  await base64.expect(PNG.toBase64());
  const waitForImage = (selector: string) =>
    page.waitForFunction((selector) => {
      const image = document.querySelector<HTMLImageElement>(selector)!;
      return image.checkVisibility() && image.naturalWidth === 1;
    }, selector);
  await waitForImage("#base64 .file img");
  const bytes = Uint8Array.of(0xfb, 0xff, 0xfe, 0xff);
  await base64.drop(bytes);
  await base64.expect("+//+/w==");
  assertEquals(await base64.texts(".file img"), []);
  await base64.set("variant", "url");
  await base64.expect("-__-_w");
  await base64.set("encoding", "data-url");
  await base64.expect("data:application/octet-stream;base64,+//+/w==");
  await base64.drop(PNG);
  await base64.expect(`data:image/png;base64,${PNG.toBase64()}`);
  await base64.set("action", "decode");
  await base64.expectMessage("To decode Base64, paste it");
  await base64.click("[name=clear]");
  await base64.drop(PNG);
  await base64.expectMessage("“dropped.txt” isn’t UTF-8 text");
  await base64.press("Encode it");
  const url = `data:image/png;base64,${PNG.toBase64()}`;
  await base64.expect(url);
  await base64.click("[name=useAsInput]");
  await base64.until("input", url);
  await base64.until("buttons", /Decode the contents/);
  await base64.press("Decode the contents");
  await base64.expect(`Binary data, ${PNG.length} bytes (PNG)`);
  await waitForImage("#base64 .result img");
  await base64.enter("AAEC/w==", "Binary data, 4 bytes");
  assertEquals(await base64.texts(".result img"), []);
});

test("UUID: one, or a list with a button for each, in several notations", async (open) => {
  const { uuid } = await open("#uuid");
  await uuid.expect(new RegExp(`^${UUID}$`));
  const { result: first } = await uuid.read();
  await uuid.click("[name=regenerate]");
  await uuid.expect(new RegExp(`^(?!${first})${UUID}$`));
  await uuid.set("copyAs", "json");
  await uuid.expect(new RegExp(`^\\["${UUID}"\\]$`));
  await uuid.set("copyAs", "lines");
  await uuid.set("count", "3");
  await uuid.expect(new RegExp(`^(${UUID}\n){2}${UUID}$`));
  assertMatch((await uuid.read()).code, /\/api\/uuid\?count=3'$/);
  await uuid.copy(".item:nth-child(2) [name=copy]");
  await uuid.set("copyAs", "upper");
  await uuid.expect(/^([0-9A-F-]{36}\n){2}[0-9A-F-]{36}$/);
  await uuid.set("copyAs", "bare");
  await uuid.expect(/^([0-9a-f]{32}\n){2}[0-9a-f]{32}$/);
  await uuid.set("count", "101");
  await uuid.expectMessage("Enter a number from 1 to 100.");
  assertEquals((await uuid.read()).isUsable, false);
});

test("Password: length, character sets, look-alikes, and strength", async (open) => {
  const { page, password } = await open("#password");
  await password.expect(/^[^\s"'`\\]{16}$/);
  assertEquals(await password.texts(".rating"), ["Very strong"]);
  await password.click("[type=range]");
  await page.keyboard.press("Home");
  await password.expect(/^\S$/);
  await password.set("length", "128");
  await password.expect(/^\S{128}$/);
  await password.set("ambiguous", false);
  await password.expect(/^[^0O1Il5S]{128}$/);
  for (const name of ["uppercase", "lowercase", "symbols"]) {
    await password.set(name, false);
  }
  await password.set("length", "16");
  await password.expect(/^[2346789]{16}$/);
  assertEquals(await password.texts(".rating"), ["Fair"]);
  await password.set("count", "3");
  await password.expect(/^([2346789]{16}\n){2}[2346789]{16}$/);
  await password.copy(".item:nth-child(2) [name=copy]");
  await password.set("numbers", false);
  await password.expectMessage(
    "Choose at least one of A–Z, a–z, 0–9, or Symbols.",
  );
});

test("JSON: formats losslessly, and shows an error at its position", async (open) => {
  const { json } = await open("#json");
  await json.enter(
    '{"b":1.0,"a":[1e400]}',
    '{\n  "b": 1.0,\n  "a": [\n    1e400\n  ]\n}',
  );
  await json.set("indent", "4");
  await json.expect('{\n    "b": 1.0,\n    "a": [\n        1e400\n    ]\n}');
  await json.set("action", "minify");
  await json.expect('{"b":1.0,"a":[1e400]}');
  await json.set("action", "validate");
  await json.expect("This is valid JSON.");
  await json.enter('{"a":1}x', "This isn’t valid JSON.");
  assertEquals((await json.read()).sizes, "8 bytes");
  for (const action of ["format", "minify", "validate"]) {
    await json.set("action", action);
    await json.fill('{\n  "a": 1,\n  "😀": x\n}');
    await json.expectMessage('got "x" at line 3, column 8');
    await json.press("Show");
    assertEquals((await json.read()).selected, "x");
    assertEquals(await json.texts(".cm-error"), ["x"]);
    assertMatch((await json.texts(".cm-errorLine")).join(), /": x$/);
  }
  await json.enter("[]", "This is valid JSON.");
  assertEquals(await json.texts(".cm-error"), []);
});
