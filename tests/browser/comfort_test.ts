/// <reference lib="dom" />

/** What makes the page a pleasure: layout, JSON, options in the address, messages. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";
import {
  copy,
  holdAnswers,
  type Host,
  sha256,
  test,
  visit,
} from "./_browser.ts";

/** The edges of an element, in pixels of the window. */
async function readBox(page: Page, selector: string) {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

test("wide windows have input and result side by side above the fold", async () => {
  for (
    const [width, height] of [[1000, 700], [1440, 900], [1920, 1080]] as const
  ) {
    await using visited = await visit("", { viewport: { width, height } });
    const { page, tools } = visited;
    for (const tool of ["base64", "hash", "json"]) {
      await tools[tool]!.show();
      const bar = await readBox(page, `#${tool} .bar`);
      const input = await readBox(page, `#${tool} .source`);
      const result = await readBox(page, `#${tool} .result`);
      const foot = await readBox(page, "footer");
      assertEquals(input.top, result.top);
      assert(bar.bottom <= input.top && input.right <= result.left);
      assert(result.bottom < foot.top && foot.bottom <= height);
      assert(result.height > height - 240, `${tool}: ${result.height}`);
    }
    for (const tool of ["uuid", "password"]) {
      await tools[tool]!.show();
      assert((await readBox(page, `#${tool} .result`)).bottom <= height);
    }
  }
});

test("phones have the result within reach", async () => {
  for (const width of [320, 390]) {
    await using visited = await visit("", { viewport: { width, height: 660 } });
    const { page, tools } = visited;
    for (const tool of ["base64", "hash", "json"]) {
      await tools[tool]!.show();
      await tools[tool]!.ask('["a"]', /./);
      const input = await readBox(page, `#${tool} .source`);
      const result = await readBox(page, `#${tool} .result .head`);
      assert(input.bottom <= result.top);
      assert(
        result.bottom + 30 <= 660,
        `${tool}: the first line is at ${result.top}`,
      );
    }
  }
});

test("the last good result stays, without a jump, while JSON is not valid", async (open) => {
  const { page, json } = await open("#json", {
    viewport: { width: 320, height: 800 },
  });
  await json.ask("[1]", "[\n  1\n]");
  const read = () =>
    page.evaluate(() => {
      const box = document.querySelector("#json .result .editor")!;
      const { top, height } = box.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
  const before = await read();
  await json.fill("[1,");
  await json.expectMessage("Not valid JSON");
  assertEquals(await read(), before);
  await page.locator("#json .badge:not(:empty)").waitFor();
  const { state, badge, result, isUsable } = await json.look();
  assertEquals({ state, badge, result, isUsable }, {
    state: "stale",
    badge: "Of the last valid input",
    result: "[\n  1\n]",
    isUsable: false,
  });
});

test("JSON: input and result have lines, colours, folding, search and the path at the caret", async (open) => {
  const { page, json } = await open("#json");
  const text = '{"a\\"": [-1.5e3, true,\n null, {"x y": {"z": "x:"}}]}';
  await json.ask(text, /^\{\n/);
  for (const pane of ["source", "result"]) {
    const tokens = await page.evaluate((pane) => {
      const host = document.querySelector(`#json .${pane} .editor`)!;
      return [...host.shadowRoot!.querySelectorAll("[class^=tok-]")]
        .map(({ className, textContent }) => `${className} ${textContent}`)
        .filter((token) => !/tok-punctuation/.test(token));
    }, pane);
    assertEquals(tokens, [
      'tok-propertyName "a\\""',
      "tok-number -1.5e3",
      "tok-bool true",
      "tok-keyword null",
      'tok-propertyName "x y"',
      'tok-propertyName "z"',
      'tok-string "x:"',
    ]);
  }
  const lines = (await json.read("result")).split("\n").length;
  await page.locator("#json .result .cm-lineNumbers", { hasText: `${lines}` })
    .waitFor();
  await page.click("#json .source .cm-line:last-child");
  await page.keyboard.press("End");
  for (let i = 0; i < 5; i += 1) await page.keyboard.press("ArrowLeft");
  await page.locator("#json .path", {
    hasText: '$["a\\""][3]["x y"].z',
  }).waitFor();
  await page.locator("#json .place", { hasText: "Ln 2, Col 25" }).waitFor();
  await page.keyboard.press("Control+F");
  await page.keyboard.type("null");
  await page.locator("#json .source .cm-searchMatch").waitFor();
  await page.keyboard.press("Escape");
  await page.locator('#json .result .cm-foldGutter [title="Fold line"]').nth(1)
    .click();
  await page.locator("#json .result .cm-foldPlaceholder").waitFor();
});

/** Whether a part of the input is within the part of it that is in view. */
async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await readBox(page, "#json .source .editor");
  const part = await readBox(page, selector);
  return part.left >= box.left && part.left <= box.right &&
    part.top >= box.top && part.bottom <= box.bottom;
}

test("JSON: the error is marked, a pasted text scrolled to it, and Show selects it", async (open) => {
  const texts = {
    "far right": [`[${" ".repeat(16_000)}x]`, "line 1, column 16002"],
    "far down": [`[\n${"1,\n".repeat(5_000)}x]`, "line 5002, column 1"],
    "after CR and CRLF": ["[\r1,\r\n2\r, x]", "line 4, column 3"],
    "after tabs and wide characters": ['[\n\t\t"漢字😀é",\tx]', "column 11"],
    "at the left of a long line": [`x${" ".repeat(16_000)}`, "column 1"],
    "at the end": ["[1", "column 3"],
  };
  await using visited = await visit("#json");
  const { page, json } = visited;
  for (const [name, [text, position]] of Object.entries(texts)) {
    await open.step(name, async () => {
      await json.ask("[]", "[]");
      await json.fill(text!);
      await json.expectMessage(position!);
      const [expected, mark] = name === "at the end"
        ? ["", "#json .cm-wrongEnd"]
        : ["x", "#json .cm-wrong"];
      if (name === "far down") {
        await page.locator(mark!).waitFor();
        assert(await isInView(page, mark!));
      }
      // From either end of the text.
      for (const key of ["Control+Home", "Control+End"]) {
        await page.keyboard.press(key);
        await page.click('#json .message button:text("Show")');
        assertEquals(await json.readSelection(), expected);
        await page.locator(mark!).waitFor();
        assert(await isInView(page, mark!), `${name}, ${key}`);
      }
    });
  }
});

test("the mark goes when the text changes, and typing is not scrolled away", async (open) => {
  const { page, json } = await open("#json");
  await json.ask(`[\n${"1,\n".repeat(500)}1]`, /^\[/);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("[");
  await json.expectMessage("line 502, column 3");
  await page.locator("#json .place", { hasText: "Ln 1, Col 2" }).waitFor();
  assert(await page.isHidden("#json .cm-wrong"), "it is out of view");
  await json.fill("[\n  1,\n    ?\n]");
  await json.expectMessage("line 3, column 5");
  assertEquals(await page.innerText("#json .cm-wrong"), "?");
  await json.look("[\n\n  1,\n    ?\n]");
  assert(!await page.isVisible("#json .cm-wrong"));
});

test("Base64: Show selects the offending character", async (open) => {
  const { page, base64 } = await open("#base64?decode");
  await base64.look(`${"QUJD\n".repeat(300)}QU*D`);
  await base64.expectMessage('got "*" at line 301, column 3');
  await page.click("#base64 .message button");
  assertEquals(await base64.readSelection(), "*");
  assert(
    await page.evaluate(() => {
      const host = document.querySelector("#base64 .editor") as Host;
      return host.view.scrollDOM.scrollTop > 1_000;
    }),
  );
  await base64.fill("/w==");
  await base64.expectMessage("This is binary data, 1 byte");
});

test("Hash: compares with a digest in any notation, and says which one it is", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.fill("abc");
  const digest = sha256("abc");
  await hash.expect(digest);
  const verdict = () => page.innerText("#hash .verdict");
  assertEquals(await verdict(), "");
  const base64 = Buffer.from(digest, "hex").toString("base64");
  const notations = [
    ` ${digest.toUpperCase().replaceAll(/.{8}/g, "$& ")}\t`,
    digest.replaceAll(/..(?!$)/g, "$&:").toUpperCase(),
    `${digest}  file.txt`,
    `${digest} *file.txt\n`,
    `sha256:${digest}`,
    `sha256-${base64}`,
    base64,
    base64.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    `0x${digest}`,
    `SHA256 (file.txt) = ${digest}`,
    `SHA2-256(stdin)= ${digest}`,
  ];
  for (const notation of notations) {
    await page.fill("#hash-expected", notation);
    assertEquals(await verdict(), "✓ Equal: SHA-256", notation);
  }
  const sha1 = createHash("sha1").update("abc").digest("hex");
  await page.fill("#hash-expected", sha1);
  assertEquals(await verdict(), "✓ Equal: SHA-1");
  await page.fill("#hash-expected", `${sha1.slice(1)}0`);
  assertEquals(await verdict(), "✗ Not equal to SHA-1");
  await page.fill("#hash-expected", digest.slice(1));
  assertEquals(await verdict(), "✗ Not a SHA-1, SHA-256 or SHA-512 digest");
  await page.fill("#hash-expected", digest);
  const release = await holdAnswers(page, "api/hash");
  await hash.look("abcd");
  assertEquals(await verdict(), "", "nothing is said of what is out of date");
  await release();
  await page.locator("#hash .verdict", { hasText: "✗ Not equal" }).waitFor();
});

test("files can be opened, inputs cleared, and Ctrl+Enter calls", async (open) => {
  const { page, json } = await open("#json");
  const chosen = page.waitForEvent("filechooser");
  await page.click("#json .open");
  await (await chosen).setFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"a":\r\n1}'),
  });
  await json.expect('{\n  "a": 1\n}');
  assertEquals(await page.inputValue("#json .ends select"), "CRLF");
  const asked = page.waitForRequest("**/api/json");
  await page.focus("#json .open");
  await page.keyboard.press("Control+Enter");
  await asked;
  await json.expect('{\n  "a": 1\n}');
  await page.click("#json .clear");
  assertEquals(await json.read(), "");
  assertEquals((await json.look()).state, "empty");
});

test("the address has the options, never the input", async (open) => {
  const { page, origin, hash, password, json } = await open("#HASH?SHA512");
  const readAddress = () => page.evaluate(() => location.hash);
  assert(await page.isChecked("#hash [value=sha512]"));
  assertEquals(await readAddress(), "#hash?sha512");
  await hash.fill("secret");
  await page.check("#hash [value=sha1]");
  await page.waitForFunction(() => location.hash === "#hash?sha1");
  await json.show();
  await page.check("#json [value='4']");
  await page.waitForFunction(() => location.hash === "#json?indent=4");
  await page.goBack();
  await page.locator("#hash form").waitFor();
  assert(await page.isChecked("#hash [value=sha1]"));
  const addresses = {
    "#base64?decode": "#base64?decode",
    "#base64?nonsense&url": "#base64?url",
    "#uuid?count=5": "#uuid?count=5",
    "#uuid?count=500": "#uuid",
    "#uuid?count=abc": "#uuid",
    "#password?length=24&symbols=false": "#password?length=24&symbols=false",
    "#password?length=999&symbols=maybe": "#password",
    "#json?minify&4": "#json?minify",
    "#json?indent=4": "#json?indent=4",
    "#json?4": "#json?indent=4",
    "#JSON?Indent=4,action=format": "#json?indent=4",
    "#hash?algorithm=sha512": "#hash?sha512",
    "#password?symbols=no;uppercase=0":
      "#password?uppercase=false&symbols=false",
    "#nonsense?x": "#base64",
  };
  for (const [given, kept] of Object.entries(addresses)) {
    await open.step(given, async () => {
      await page.goto(`${origin}/${given}`);
      await page.waitForFunction((kept) => location.hash === kept, kept);
    });
  }
  await page.goto(`${origin}/#password?length=24&symbols=false`);
  await password.expect(/^[A-Za-z0-9]{24}$/);
});

test("messages are for people, and copying has a place of its own", async (open) => {
  const { page, json, tools } = await open("#base64?decode");
  const cases: [string, string, string][] = [
    ["base64", "YQ=", "must end in the padding that its length needs"],
    ["base64", "-_+", "must not mix the standard and the URL-safe alphabet"],
    ["base64", "YWJjZ", "The input must be whole Base64 text"],
    ["json", "{'a'}", "Not valid JSON: "],
  ];
  for (const [tool, text, words] of cases) {
    await tools[tool]!.show();
    await tools[tool]!.fill(text);
    await tools[tool]!.expectMessage(words);
    const { message } = await tools[tool]!.look();
    assert(!/"input"|"action"/.test(message), message);
  }
  await page.click("#json .code");
  await copy(page, "#json .command .copy");
  assertMatch((await json.look()).message, /^Not valid JSON/);
});

test("the curl line is quoted, silent but for errors, and shows what is hidden", async (open) => {
  const { page, origin, hash, uuid } = await open("#hash");
  const text =
    'it\'s "q" $HOME `x` \\ !\x01\x7f\x85\u202etxt.\u2066\u200b\ufeff\n\ttab 漢😀';
  await hash.look(text);
  await hash.expect(createHash("sha256").update(text).digest("hex"));
  const line = (await page.textContent("#hash .command pre"))!;
  assert(line.startsWith(`curl -sS '${origin}/api/hash' -d '{`), line);
  assert(
    !/[\p{Cc}\p{Cf}]/u.test(line),
  );
  assertStringIncludes(line, "\\u202etxt.\\u2066");
  const { stdout } = await new Deno.Command("bash", { args: ["-c", line] })
    .output();
  assertEquals(
    JSON.parse(new TextDecoder().decode(stdout)).result,
    createHash("sha256").update(text).digest("hex"),
  );
  await uuid.show();
  assertEquals(
    (await page.textContent("#uuid .command pre"))!,
    `curl -sS '${origin}/api/uuid'`,
  );
});
