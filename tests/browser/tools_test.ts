/// <reference lib="dom" />

/**
 * The promises of the page in every browser, used as a person would: in Chromium by
 * `deno task test:browser`, in the others by `deno task test:engines`.
 * `_webkit.ts` has the methods of the page that are used here.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "./_browser.ts";
import { digest, findViolations } from "./_page.ts";
import { type ToolName, TOOLS } from "./_tool.ts";

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
  await base64.expect("Hello, wörld! 👋");
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

test("Hash: computes the digests of any file in the browser, in several forms", async (open) => {
  const { page, service, hash } = await open("#hash");
  await hash.expect(digest(""));
  const { calls } = service;
  const files = {
    "no text": PNG,
    "a text above the limit of the service": "x".repeat(1_048_577),
    "a text whose JSON is above it": "\n".repeat(600_000),
  };
  for (const file of Object.values(files)) {
    await hash.drop(file);
    await hash.expect(digest(file));
    const { badge, sizes, input } = await hash.look();
    assertEquals(badge, "Computed in this browser, not sent");
    assertMatch(sizes, /^[\d,.]+ (bytes|KB|MB)$/);
    assertEquals(input, "");
  }
  assertEquals(service.calls, calls, "no file is sent");
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
  assertEquals((await hash.look()).badge, "");
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
  const { page, service, base64 } = await open();
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
  assertEquals(service.calls, 0, "no file is sent");
  await base64.set("action", "decode");
  await base64.expectMessage("Base64 is a text");
  await base64.click("[name=clear]");
  await base64.drop(PNG);
  await base64.expectMessage("“dropped.txt” is not UTF-8 text");
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
  const line =
    "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  await uuid.expect(new RegExp(`^${line}$`));
  const { result: first } = await uuid.look();
  await uuid.click("[name=regenerate]");
  await uuid.expect(new RegExp(`^(?!${first})${line}$`));
  await uuid.set("count", "3");
  await uuid.expect(new RegExp(`^(${line}\n){2}${line}$`));
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
  const { page, service, password } = await open("#password");
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
  const { calls } = service;
  await password.set("count", "3");
  await password.expect(/^([2346789]{16}\n){2}[2346789]{16}$/);
  const lines = (await password.look()).result.split("\n");
  assertEquals(new Set(lines).size, 3);
  assertEquals(service.calls, calls + 3);
  assertMatch((await password.look()).code, /password\?(?!.*count)/);
  await password.copy(".item:nth-child(2) [name=copy]");
  await password.set("count", "21");
  await password.expectMessage("Enter a number from 1 to 20.");
  await password.set("count", "1");
  await password.expect(/^[2346789]{16}$/);
  await password.set("numbers", false);
  await password.expectMessage("Choose at least one kind of character.");
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
  await json.ask('{"a":1}x', "This is not valid JSON.");
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

/** A JSON Web Token of `{"alg":"HS256"}` and `{"sub":"1"}`. */
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";

test("what is recognised is one click from right", async (open, t) => {
  const visited = await open();
  const { page, json, base64 } = visited;
  const rows = [
    ["base64?encode", "SGVsbG8sIHfDtnJsZCE=", "Decode it", "Hello, wörld!"],
    ["base64?encode", `Bearer ${TOKEN}`, "Decode it", /^{"alg":"HS256"}\n{/],
    ["base64?encode", "data:;base64,YWJj", "Decode it", "abc"],
    ["base64?decode", "data:;base64,YWJj", "Decode its content", "abc"],
    ["base64?encode", '"SGVsbG8="', "Decode it", "Hello"],
    ["base64?decode", "'SGVsbG8=',", "Decode the Base64", "Hello"],
    ["base64?decode", "Basic dXNlcjpwYXNz", "Decode the Base64", "user:pass"],
    ["base64?decode", "SGVsbG8%3D", "Decode the Base64", "Hello"],
    ["hash", "\ufeffabc", "Remove it", digest("abc")],
    ["json?minify", "{a: [True, // x\n 'y', ", "Repair", '{"a":[true,"y"]}'],
    ["json?minify", '{\\"a\\":1}', "Unwrap", '{"a":1}'],
  ] as const;
  for (const [place, text, button, result] of rows) {
    await t.step(`${button}: ${text}`, async () => {
      const [tool, action] = place.split("?") as [ToolName, string?];
      const driver = visited[tool];
      await driver.show();
      if (action) await driver.set("action", action);
      await driver.fill(text);
      await driver.until("buttons", new RegExp(`(^|, )${button}(,|$)`));
      assertEquals((await driver.look()).input, text, "nothing unasked");
      await driver.press(button);
      await driver.expect(result);
      await page.keyboard.press("Control+Z");
      await driver.until("input", text);
    });
  }
  await json.ask('{"a":1,"b":2,"a":3}');
  await json.expectMessage("An object has the name “a” twice");
  await json.press("Show");
  assertEquals((await json.look()).selected, '"');
  await base64.show();
  await base64.set("action", "decode");
  await base64.fill(TOKEN);
  await base64.expectMessage("Its signature is not checked.");
  assertMatch((await base64.look()).code, /"input":"eyJzdWIiOiIxIn0"/);
  await base64.press("Open the payload in JSON");
  await json.until("input", '{"sub":"1"}');
  await base64.show();
  // As PowerShell's -EncodedCommand has them: of ASCII and not.
  const encoded = { "dir": "ZABpAHIA", "dir é": "ZABpAHIAIADpAA==" };
  for (const [text, base64Text] of Object.entries(encoded)) {
    await base64.fill(base64Text);
    await base64.expectMessage("This looks like UTF-16");
    await base64.press("Show the text");
    await base64.expect(text);
    assertEquals((await base64.look()).input, base64Text);
  }
  await base64.fill("/w==");
  await base64.expect("Binary data, 1 byte");
  assertEquals(await base64.texts(".message button"), ["Download"]);
});

test("every text goes in and comes out as it is", async (open, t) => {
  const { page, hash, json } = await open("#json?minify");
  const text = '"\ud800 \ufeff\u202e\u2028"';
  await json.ask(`\r${text}\r\n\n`, text);
  assertEquals((await json.look()).input, `\r${text}\r\n\n`);
  await hash.show();
  const texts = [
    "one\r\ntwo\r\n",
    "a\nb\r\nc\rd\r\ne",
    "\ufeff\0a\r\n\0\ufeff\r\n\rb\u2029\u202e\n",
  ];
  for (const text of texts) {
    await t.step(JSON.stringify(text), async () => {
      await hash.ask(text, digest(text));
      assertEquals((await hash.look()).input, text);
      await hash.drop(`${text}x`);
      await hash.expect(digest(`${text}x`));
    });
  }
  await hash.fill("a😀b\ud800");
  await hash.expectMessage("the lone surrogate U+D800 at line 1, column 4");

  // A line end is the one of the text, and is passed and removed in one step.
  await hash.ask("one\r\ntwo", digest("one\r\ntwo"));
  await page.keyboard.press("Enter");
  await page.keyboard.type("!");
  await hash.expect(digest("one\r\ntwo\r\n!"));
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Backspace");
  await hash.expect(digest("one\r\ntwo!"));
  for (const key of ["ArrowUp", "End"]) await page.keyboard.press(key);
  await page.keyboard.type("?");
  await hash.expect(digest("one?\r\ntwo!"));
  for (const [name, end] of [["LF", "\n"], ["CR", "\r"], ["CRLF", "\r\n"]]) {
    await hash.set("lineEnds", name!);
    await hash.expect(digest(`one?${end}two!`));
  }
});

test("changes are undone one at a time, a swap with its action", async (open) => {
  const { page, base64 } = await open();
  const readAction = () =>
    page.evaluate(() =>
      document.querySelector<HTMLInputElement>("#base64 :checked")!.value
    );
  await page.keyboard.type("mine");
  await base64.expect("bWluZQ==");
  const file = "<b>\r\n\n\ttheirs\r".repeat(5);
  await base64.drop(file);
  await base64.expect(btoa(file));
  await base64.click("[name=useAsInput]");
  await base64.expect(file);
  assertEquals(await readAction(), "decode");
  await base64.click("[name=clear]");
  await base64.until("input", "");
  const steps: [string, string, string][] = [
    ["Control+Z", btoa(file), "decode"],
    ["Control+Z", file, "encode"],
    ["Control+Z", "mine", "encode"],
    ["Control+Y", file, "encode"],
    ["Control+Y", btoa(file), "decode"],
  ];
  for (const [keys, text, action] of steps) {
    await page.keyboard.press(keys);
    await base64.until("input", text);
    assertEquals(await readAction(), action);
  }
  await base64.expect(file);
});

test("the keyboard alone is enough", async (open) => {
  const { page, base64, hash, uuid } = await open();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.keyboard.type("abc");
  await base64.expect("YWJj");
  // Tab leaves the editor; Shift+Tab leads back to the buttons.
  await press("Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab");
  await press("Enter");
  await base64.expect("abc");
  await press("Control+Shift+S");
  await base64.expect("YWJj");
  await press("Control+Shift+Digit2");
  await hash.until("state", "current");
  await page.keyboard.type("abc");
  await hash.expect(digest("abc"));
  await press("Control+Shift+Digit3");
  await uuid.expect(/./);
  const { result } = await uuid.look();
  await press("Control+Enter");
  await uuid.expect(new RegExp(`^(?!${result})`));
  await page.click("#help");
  await press("Escape");
  await page.waitForFunction(() =>
    !document.querySelector("#shortcuts")!.checkVisibility()
  );
});

test("a slow or failing service is named, and asked again on request", async (open) => {
  const { page, service, base64 } = await open("#base64", { prefix: "/tools" });
  await base64.ask("a", "YQ==");
  for (const text of ["abc", "x".repeat(300_000)]) {
    const release = service.hold();
    await base64.fill(text);
    await base64.until("badge", "Waiting for the service…");
    assertEquals((await base64.look()).isUsable, false);
    await page.keyboard.press("Escape");
    await base64.expectMessage("The call was cancelled.");
    release();
    // It is not made again unasked, as failed ones are.
    await page.evaluate(() => {
      dispatchEvent(new Event("focus"));
    });
    assertEquals((await base64.look()).badge, "Out of date");
    await base64.press("Try again");
    await base64.expect(btoa(text));
  }
  const failures = [
    [502, "This answer is not the service’s (status 502)"],
    [503, "The service is busy (status 503)."],
  ] as const;
  for (const [status, words] of failures) {
    service.answer = (request) =>
      request.text().then(() => new Response("<p>", { status }));
    await base64.fill(words);
    await base64.expectMessage(words);
  }
  await service.stop();
  await base64.press("Try again");
  await base64.expectMessage("The service cannot be reached.");
  assertEquals((await base64.look()).state, "stale");
  service.answer = undefined;
  service.restart();
  await base64.press("Try again");
  await base64.expect(btoa(failures[1][1]));
});

test("large texts and results are whole", async (open) => {
  const { base64, json } = await open();
  const text = "x".repeat(1_048_576 - 60);
  await base64.drop(text);
  await base64.expect(btoa(text));
  assertEquals(
    (await base64.look()).sizes,
    "1.05 MB → 1.4 MB",
  );
  await json.show();
  const depth = 1_500;
  await json.ask(`${"[".repeat(depth)}"end"${"]".repeat(depth)}`, / "end"\n/);
  assert((await json.look()).result.length > 4_400_000);
});

test("printing prints all of input and result, and nothing of other tools", async (open) => {
  const { page, password, json } = await open("#password");
  await password.expect(/./);
  const { result: secret } = await password.look();
  await json.show();
  const numbers = Array.from({ length: 2_000 }, (_, i) => i);
  await json.ask(JSON.stringify(numbers), JSON.stringify(numbers, null, 2));
  await page.emulateMedia?.({ media: "print" });
  await page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
  });
  const printed = [JSON.stringify(numbers), JSON.stringify(numbers, null, 2)];
  const readPrint = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("#json .print")]
        .map(({ textContent }) => textContent)
    );
  assertEquals(await readPrint(), printed);
  const all = await page.evaluate(() => document.body.innerText);
  assert(!all.includes(secret));
  await page.evaluate(() => {
    dispatchEvent(new Event("afterprint"));
  });
  assertEquals(await readPrint(), ["", ""]);
});

test(
  "in the dark on 320 px every tool fits and axe-core is content",
  async (open, t) => {
    const visited = await open("", { viewport: { width: 320, height: 700 } });
    const { page } = visited;
    await page.evaluate(() => {
      const theme = document.querySelector<HTMLSelectElement>("#theme")!;
      theme.value = "dark";
      theme.dispatchEvent(new Event("change"));
    });
    await page.waitForFunction(() =>
      getComputedStyle(document.body).backgroundColor === "rgb(15, 19, 18)"
    );
    for (const tool of TOOLS) {
      await t.step(tool, async () => {
        await visited[tool].show();
        if (tool === "json") {
          await visited.json.fill("[1,]");
          await visited.json.expectMessage("Not valid JSON");
        }
        await visited[tool].showApiCall();
        const overflow = await page.evaluate(() =>
          document.documentElement.scrollWidth - innerWidth
        );
        assert(overflow <= 0, `${overflow} px too wide`);
        assertEquals(await findViolations(page), []);
      });
    }
    await page.waitForFunction(() =>
      /column 4/.test(document.querySelector("#announcer")!.textContent)
    );
  },
);
