/// <reference lib="dom" />

/** Help with what people bring: tokens, images, lists, files, keyboards of other systems. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  clipboard,
  copy,
  dropFiles,
  holdAnswers,
  type Host,
  sha256,
  test,
  visit,
} from "./_browser.ts";

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

test("UUIDs are a list on every width, copied whole in a form", async (open) => {
  for (const width of [320, 1440]) {
    await open.step(`${width} px`, async () => {
      await using visited = await visit("#uuid?count=3", {
        viewport: { width, height: 900 },
      });
      const { page, uuid } = visited;
      await uuid.expect(/^(.{36}\n){2}.{36}$/);
      const { result } = await uuid.look();
      const [first = ""] = result.split("C");
      const readPlaces = (selector: string) =>
        page.locator(selector).evaluateAll((elements) =>
          elements.map((element) => {
            const { left, top, height } = element.getBoundingClientRect();
            return { left, top, height };
          })
        );
      const lines = await readPlaces("#uuid .line");
      assertEquals(new Set(lines.map(({ left }) => left)).size, 1);
      assertEquals(new Set(lines.map(({ top }) => top)).size, 3);
      assert(lines.every(({ height }) => height < 40), "on one line each");
      assertEquals(await page.innerText("#uuid .primary .label"), "Copy all 3");
      const lists: Record<string, RegExp> = {
        lines: /^(\S{36}\n){2}\S{36}$/,
        upper: /^([\dA-F-]{36}\n){2}[\dA-F-]{36}$/,
        bare: /^([\da-f]{32}\n){2}[\da-f]{32}$/,
        quoted: /^('[\da-f-]{36}',\n){2}'[\da-f-]{36}'$/,
        json: /^\[\n( {2}"[\da-f-]{36}",\n){2} {2}"[\da-f-]{36}"\n\]$/,
      };
      for (const [form, list] of Object.entries(lists)) {
        await page.selectOption("#uuid [name=form]", form);
        await copy(page, "#uuid .primary");
        assertMatch(await clipboard(page), list);
      }
      assert(first !== "");
      // The controls stay where they are, and Enter makes new ones.
      const controls = "#uuid .actions, #uuid .settings-pane";
      const before = await readPlaces(controls);
      await page.fill("#uuid [name=count]", "100");
      await uuid.expect(/^(.{36}\n){99}.{36}$/);
      assertEquals(await readPlaces(controls), before);
      const { result: old } = await uuid.look();
      const answered = page.waitForResponse("**/api/uuid*");
      await page.press("#uuid [name=count]", "Enter");
      await answered;
      await uuid.expect(/./);
      assert((await uuid.look()).result !== old);
      await page.fill("#uuid [name=count]", "1");
      await uuid.expect(/^\S{36}$/);
      assertEquals(await readPlaces(controls), before);
    });
  }
});

test("Escape cancels a call that waits, and leaves the editor", async (open) => {
  const { page, base64 } = await open("#base64");
  const release = await holdAnswers(page, "api/base64");
  await base64.fill("abc");
  await page.locator("#base64[data-waiting]").waitFor();
  assert(!await page.isVisible("#base64 .example"), "beside a text");
  await page.keyboard.press("Escape");
  await base64.expectMessage("The call was cancelled.");
  await release();
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.locator("#base64 .message button", { hasText: "Try again" })
    .click();
  await base64.expect("YWJj");
  await page.locator("#base64 .source .editor:focus").waitFor();
  await page.keyboard.press("Control+F");
  await page.locator("#base64 .cm-search").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#base64 .source .editor:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("nav [aria-current]:focus").waitFor();
});

test("the upload of a large text is followed", async (open) => {
  const { page, base64 } = await open("#base64", {
    prepare: async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: 400_000,
      });
    },
  });
  await base64.fill("x".repeat(700_000));
  await page.locator("#base64 .badge:visible", { hasText: /Sending: \d+ %/ })
    .waitFor();
  await base64.expect(/^eHh4/);
  await base64.fill("y".repeat(700_000));
  await page.locator("#base64 .badge:visible", { hasText: /Sending: \d+ %/ })
    .waitFor();
  await page.keyboard.press("Escape");
  await base64.expectMessage("The call was cancelled.");
});

test("shortcuts have the names of the person's keyboard", async () => {
  for (const platform of ["MacIntel", "Linux x86_64"]) {
    await using visited = await visit("", {
      prepare: (page) =>
        page.addInitScript(
          (platform) =>
            Object.defineProperty(navigator, "platform", { value: platform }),
          platform,
        ),
    });
    const keys = await visited.page.locator("#shortcuts dt").allTextContents();
    const expected = platform === "MacIntel"
      ? ["⌃ ⇧ 1 … 5", "⌘ Enter"]
      : ["Ctrl Shift 1 … 5", "Ctrl Enter"];
    assertEquals(keys.slice(0, 2), expected);
  }
});

test("Hash says what it hashes, and compares where the digests are", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.expect(sha256(""));
  assertEquals(
    await page.innerText("#hash .result h3"),
    "Digests of the empty text",
  );
  await hash.ask("abc", sha256("abc"));
  assertEquals(await page.innerText("#hash .result h3"), "Digests");
  const box = (selector: string) => page.locator(selector).boundingBox();
  const last = (await box("#hash .digest:last-child"))!;
  const field = (await box("#hash-expected"))!;
  assert(field.y - last.y - last.height < 60);
  await page.fill("#hash-expected", "0".repeat(128));
  const isCut = await page.locator("#hash-expected").evaluate(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight,
  );
  assert(!isCut, "a SHA-512 is seen whole");
});

test("a file that is dragged over the page is told what will happen", async (open) => {
  const { page, uuid } = await open("#base64");
  const drag = () =>
    page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["a"], "a.txt"));
      const init = { dataTransfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent("dragover", init));
    });
  await drag();
  await page.locator(".drop-here:visible", {
    hasText: "Drop one text file: it becomes the input",
  }).waitFor();
  await uuid.show();
  await drag();
  await page.locator(".drop-here:visible", { hasText: "no input" }).waitFor();
});

test("JSON that programs and people write is repaired, as far as the service agrees", async (open) => {
  const { page, json } = await open("#json?minify");
  const press = (label: string) =>
    page.click(`#json .message button:text("${label}")`);
  await json.fill("{a: [True, NaN, // x\n 'y', ");
  await json.expectMessage(
    "It has unquoted names, True, NaN (it becomes null), comments, single quotes and no end.",
  );
  await press("Repair");
  await json.expect('{"a":[true,null,"y"]}');
  await json.fill(JSON.stringify('{"a":1}'));
  await json.expectMessage("This is JSON inside a string.");
  await press("Unwrap");
  await json.expect('{"a":1}');
  await json.ask('{"a":1,"b":2,"a":3}', /./);
  await json.expectMessage(
    "An object has the name “a” twice, and most programs take the last one. This page has found it, not the service.",
  );
  await press("Show");
  assertEquals(
    await page.evaluate(() => {
      const host = document.querySelector("#json .editor") as Host;
      return host.view.state.selection.main.anchor;
    }),
    13,
  );
  // A repair that the service refuses is not offered.
  await page.route("**/api/json", async (route) => {
    if (!route.request().postData()!.includes('"validate"')) {
      return await route.continue();
    }
    await route.fulfill({ json: { result: "no", valid: false } });
  });
  const validated = page.waitForResponse("**/api/json");
  await json.fill("[1,]");
  await json.expectMessage("Not valid JSON");
  await validated;
  await page.waitForTimeout(300);
  assert(!/trailing/.test((await json.look()).message));
});

test("JSON: the result is collapsed and expanded whole, and searched from anywhere", async (open) => {
  const { page, json } = await open("#json");
  const items = Array.from({ length: 2_000 }, (_, id) => ({ id, tags: ["{"] }));
  await json.ask(JSON.stringify({ items, last: { a: [1] }, none: {} }), /./);
  const readLines = () =>
    page.locator("#json .result .cm-line").allTextContents();
  await page.click("#json [data-act=fold]");
  assertEquals(await readLines(), [
    "{",
    '  "items": […],',
    '  "last": {…},',
    '  "none": {}',
    "}",
  ]);
  await page.click("#json [data-act=unfold]");
  assert((await readLines()).length > 20);
  const text = await json.read("result");
  assertEquals(JSON.parse(text).items.length, 2_000);
  await page.focus("#json .copy.primary");
  await page.keyboard.press("Control+F");
  await page.keyboard.type('"id": 1999');
  await page.keyboard.press("Enter");
  await page.locator("#json .result .cm-searchMatch", { hasText: "1999" })
    .waitFor();
});

test("JSON: an error in a long line is centred with what is around it", async (open) => {
  const { page, json } = await open("#json");
  await json.fill(
    `[${'"abcdefgh",'.repeat(15_000)}x${',"ijkl"'.repeat(5_000)}]`,
  );
  await json.expectMessage("column 165002");
  const mark = page.locator("#json .cm-wrong");
  await mark.waitFor();
  const box = (await page.locator("#json .source .editor").boundingBox())!;
  const { x } = (await mark.boundingBox())!;
  assert(x > box.x + box.width / 4 && x < box.x + box.width * 3 / 4, `${x}`);
});
