/// <reference lib="dom" />

/**
 * The promises of each tool of the page in every browser, used as a person would: in Chromium by
 * `deno task test:browser`, and in the others by `.ci/more`.
 * `_webkit.ts` has the methods of the page that are used here.
 */

import { assertEquals, assertMatch } from "@std/assert";
import { UUID } from "../_examples.ts";
import { test } from "./_browser.ts";
import { digest } from "./_page.ts";

test("Base64: encodes as one types, swaps, decodes, shows what is wrong", async (open) => {
  const { page, base64 } = await open();
  await page.keyboard.type("héllo?");
  await base64.expect("aMOpbGxvPw==");
  assertEquals((await base64.look()).sizes, "7 bytes → 12 bytes");
  await base64.set("variant", "url");
  await base64.expect("aMOpbGxvPw");
  await base64.click("[name=useAsInput]");
  await base64.expect("héllo?");
  assertEquals((await base64.look()).input, "aMOpbGxvPw");
  await base64.fill("QUJD\r\naMO!");
  await base64.expectMessage('got "!" at line 2, column 4');
  await base64.press("Show");
  assertEquals((await base64.look()).selected, "!");
  await base64.fill("");
  await base64.until("message", "");
  await base64.click("[name=example]");
  await base64.expect("héllo");
});

test("Hash: shows three digests, compares, keeps every byte of a file", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.expect(digest(""));
  assertEquals((await hash.look()).sizes, "0 bytes");
  await hash.ask("abc", digest("abc"));
  const algorithms = ["sha1", "sha256", "sha512"];
  assertEquals(
    await hash.texts(".digest code"),
    algorithms.map((algorithm) => digest("abc", algorithm)),
  );
  const compare = async (text: string, words: string) => {
    await page.click("#hash-expected");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
    await page.waitForFunction(
      (words) => document.querySelector(".verdict")!.textContent === words,
      words,
    );
  };
  await compare(`${digest("abc")}  file.txt`, "✓ Equal: SHA-256");
  await compare(digest("abcd", "sha1"), "✗ Not equal to SHA-1");
  const base64 = Uint8Array.fromHex(digest("abc")).toBase64();
  await compare(`integrity="sha256-${base64}"`, "✓ Equal: SHA-256");
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

/** The smallest image of one pixel as PNG. */
const PNG = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
);

test("Hash: finds the digest of a dropped file in a list of 100 files", async (open) => {
  const { page, hash } = await open("#hash");
  const lines = Array.from(
    { length: 100 },
    (_, i) => `${digest(`${i}`)}  ${i === 79 ? "dropped" : `file${i}`}.txt`,
  );
  const expectVerdict = (words: string) =>
    page.waitForFunction(
      (words) => document.querySelector(".verdict")!.textContent === words,
      words,
    );
  await page.evaluate((text) => {
    const field = document.querySelector("#hash-expected");
    if (!(field instanceof HTMLTextAreaElement)) throw new Error("no field");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, `${lines.join("\n")}\n`);
  await hash.drop("79");
  await hash.expect(digest("79"));
  await expectVerdict("✓ Equal: SHA-256");
  // The digest of another line is not that of the file.
  await hash.drop("78");
  await hash.expect(digest("78"));
  await expectVerdict("✗ Not equal to SHA-256");
  await hash.ask("79", digest("79"));
  await page.waitForFunction(() =>
    document.querySelector(".verdict")!.textContent!.startsWith(
      "✗ The text must",
    )
  );
});

test("Hash: computes the digests of any file in the browser, in several forms", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.expect(digest(""));
  const files = {
    "no text": PNG,
    "a large text": "x".repeat(1_048_577),
    "several pieces": "y".repeat(4_000_000),
  };
  for (const file of Object.values(files)) {
    await hash.drop(file);
    await hash.expect(digest(file));
    const { sizes, input } = await hash.look();
    assertMatch(sizes, /^[\d,.]+ (bytes|KB|MB)$/);
    assertEquals(input, "");
  }
  await hash.drop(PNG);
  await hash.expect(digest(PNG));
  assertEquals(await hash.texts(".file-name"), ["dropped.txt"]);
  assertMatch((await hash.texts(".file-kind")).join(), /^PNG, \d+ bytes$/);
  await page.click("#hash-expected");
  await page.keyboard.type(`${digest(PNG, "sha512")}  dropped.txt`);
  await page.waitForFunction(() =>
    document.querySelector(".verdict")!.textContent === "✓ Equal: SHA-512"
  );
  const base64 = Uint8Array.fromHex(digest(PNG)).toBase64();
  const forms = {
    upper: digest(PNG).toUpperCase(),
    base64,
    integrity: `sha256-${base64}`,
    hex: digest(PNG),
  };
  for (const [form, text] of Object.entries(forms)) {
    await hash.set("copyAs", form);
    await hash.expect(text);
  }
  await hash.set("copyAs", "integrity");
  await hash.set("algorithm", "sha1");
  const sha1 = Uint8Array.fromHex(digest(PNG, "sha1")).toBase64();
  await hash.expect(`sha1-${sha1}`);
  // A text takes the place of the file, and Clear leaves neither.
  await hash.set("copyAs", "hex");
  await hash.drop("abc");
  await hash.expect(digest("abc", "sha1"));
  assertEquals(await hash.texts(".file-name"), []);
  await hash.drop(PNG);
  await hash.expect(digest(PNG, "sha1"));
  await hash.click("[name=clear]");
  await hash.expect(digest("", "sha1"));
  assertEquals(await hash.texts(".file-name"), []);
  await page.keyboard.press("Control+Z");
  await hash.expect(digest("abc", "sha1"));
});

test("Base64: encodes any file in the browser, shows an image, and gives a data URL", async (open) => {
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
  const src = await page.evaluate(() =>
    document.querySelector("#base64 .file img")!.getAttribute("src")
  );
  assertEquals(src, null, "no image is tried");
  await base64.set("variant", "url");
  await base64.expect("-__-_w");
  await base64.set("encoding", "data-url");
  await base64.expect("data:application/octet-stream;base64,+//+/w==");
  await base64.drop(PNG);
  await base64.expect(`data:image/png;base64,${PNG.toBase64()}`);
  await base64.set("action", "decode");
  await base64.expectMessage("Base64 is text");
  await base64.click("[name=clear]");
  await base64.drop(PNG);
  await base64.expectMessage("“dropped.txt” isn’t UTF-8 text");
  await base64.press("Encode it");
  const url = `data:image/png;base64,${PNG.toBase64()}`;
  await base64.expect(url);
  await base64.click("[name=useAsInput]");
  await base64.until("input", url);
  await base64.until("buttons", /Decode its content/);
  await base64.press("Decode its content");
  await base64.expect(`Binary data, ${PNG.length} bytes (PNG)`);
  await waitForImage("#base64 .result img");
  await base64.ask("AAEC/w==", "Binary data, 4 bytes");
  assertEquals(await base64.texts(".result img"), []);
});

test("UUID: one at first, then a list with a button for each, in several forms", async (open) => {
  const { uuid } = await open("#uuid");
  await uuid.expect(new RegExp(`^${UUID}$`));
  const { result: first } = await uuid.look();
  await uuid.click("[name=regenerate]");
  await uuid.expect(new RegExp(`^(?!${first})${UUID}$`));
  await uuid.set("count", "3");
  await uuid.expect(new RegExp(`^(${UUID}\n){2}${UUID}$`));
  assertMatch((await uuid.look()).code, /\/api\/uuid\?count=3'$/);
  await uuid.copy(".item:nth-child(2) [name=copy]");
  await uuid.set("copyAs", "upper");
  await uuid.expect(/^([0-9A-F-]{36}\n){2}[0-9A-F-]{36}$/);
  await uuid.set("copyAs", "bare");
  await uuid.expect(/^([0-9a-f]{32}\n){2}[0-9a-f]{32}$/);
  await uuid.set("count", "101");
  await uuid.expectMessage("Enter a number from 1 to 100.");
  assertEquals((await uuid.look()).isUsable, false);
});

test("Password: a length, kinds of characters, look-alikes, the strength", async (open) => {
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
  const lines = (await password.look()).result.split("\n");
  assertEquals(new Set(lines).size, 3);
  assertMatch((await password.look()).code, /password\?.*count=3/);
  await password.copy(".item:nth-child(2) [name=copy]");
  await password.set("count", "101");
  await password.expectMessage("Enter a number from 1 to 100.");
  await password.set("count", "1");
  await password.expect(/^[2346789]{16}$/);
  await password.set("numbers", false);
  await password.expectMessage(
    "Choose at least one of A–Z, a–z, 0–9, Symbols.",
  );
});

test("JSON: formats losslessly, shows an error at its place", async (open) => {
  const { json } = await open("#json");
  await json.ask(
    '{"b":1.0,"a":[1e400]}',
    '{\n  "b": 1.0,\n  "a": [\n    1e400\n  ]\n}',
  );
  await json.set("indent", "4");
  await json.expect('{\n    "b": 1.0,\n    "a": [\n        1e400\n    ]\n}');
  await json.set("action", "minify");
  await json.expect('{"b":1.0,"a":[1e400]}');
  await json.set("action", "validate");
  await json.expect("This is valid JSON.");
  await json.ask('{"a":1}x', "This isn’t valid JSON.");
  assertEquals((await json.look()).sizes, "8 bytes");
  for (const action of ["format", "minify", "validate"]) {
    await json.set("action", action);
    await json.fill('{\n  "a": 1,\n  "😀": x\n}');
    await json.expectMessage('got "x" at line 3, column 8');
    await json.press("Show");
    assertEquals((await json.look()).selected, "x");
    assertEquals(await json.texts(".cm-wrong"), ["x"]);
    assertMatch((await json.texts(".cm-wrongLine")).join(), /": x$/);
  }
  await json.ask("[]", "This is valid JSON.");
  assertEquals(await json.texts(".cm-wrong"), []);
});
