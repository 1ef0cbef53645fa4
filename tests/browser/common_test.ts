/// <reference lib="dom" />

/**
 * The guarantees of all tools in every browser: `deno task test:browser` tests them in
 * Chromium, and `.ci/more` in Firefox and WebKit.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Jobs, test } from "./_browser.ts";
import { checkAccessibility, digest } from "./_page.ts";
import { type ToolName, TOOLS } from "./_tool.ts";

/** A JSON Web Token of `{"alg":"HS256"}` and `{"sub":"1"}`. */
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";

test("every suggestion changes the input only on a click", async (open, t) => {
  const visited = await open();
  const { json, base64 } = visited;
  const rows = [
    ["base64?encode", "SGVsbG8sIHfDtnJsZCE=", "Decode it", "Hello, wörld!"],
    ["base64?encode", `Bearer ${TOKEN}`, "Decode it", /^{"alg":"HS256"}\n{/],
    ["base64?encode", "data:;base64,YWJj", "Decode it", "abc"],
    ["base64?decode", "data:;base64,YWJj", "Decode the contents", "abc"],
    ["base64?encode", '"SGVsbG8="', "Decode it", "Hello"],
    ["base64?decode", "'SGVsbG8=',", "Decode the contents", "Hello"],
    ["hash", "\ufeffabc", "Remove it", digest("abc")],
    ["json?minify", "{a: [True, // x\n 'y', ", "Repair", '{"a":[true,"y"]}'],
    ["json?minify", '{\\"a\\":1}', "Unwrap", '{"a":1}'],
  ] as const;
  for (const [link, text, button, result] of rows) {
    await t.step(`${button}: ${text}`, async () => {
      const [tool, action] = link.split("?") as [ToolName, string?];
      const driver = visited[tool];
      await driver.show();
      if (action) await driver.set("action", action);
      await driver.fill(text);
      await driver.until("buttons", new RegExp(`(^|, )${button}(,|$)`));
      assertEquals((await driver.read()).input, text, "not before the click");
      await driver.press(button);
      await driver.expect(result);
    });
  }
  await json.enter('{"a":1,"b":2,"a":3}');
  await json.expectMessage("An object contains the name “a” more than once");
  await json.press("Show");
  assertEquals((await json.read()).selected, '"');
  await base64.show();
  await base64.set("action", "decode");
  await base64.fill(TOKEN);
  await base64.expectMessage("The signature isn’t checked.");
  assertMatch((await base64.read()).code, /"input":"eyJzdWIiOiIxIn0"/);
  await base64.press("Open the payload in JSON");
  await json.until("input", '{"sub":"1"}');
  await base64.show();
  await base64.fill("/w==");
  await base64.expect("Binary data, 1 byte");
  assertEquals(await base64.texts(".message button"), []);
});

test("every character of a string is preserved", async (open, t) => {
  const { page, hash, json } = await open("#json?minify");
  const text = '"\ufeff\u202e\u2028"';
  await json.enter(`\r${text}\r\n\n`, text);
  assertEquals((await json.read()).input, `\r${text}\r\n\n`);
  await hash.show();
  const texts = [
    "one\r\ntwo\r\n",
    "a\nb\r\nc\rd\r\ne",
    "\ufeff\0a\r\n\0\ufeff\r\n\rb\u2029\u202e\n",
  ];
  for (const text of texts) {
    await t.step(JSON.stringify(text), async () => {
      await hash.enter(text, digest(text));
      assertEquals((await hash.read()).input, text);
      await hash.drop(`${text}x`);
      await hash.expect(digest(`${text}x`));
    });
  }
  await hash.fill("a😀b\ud800");
  await hash.expectMessage("the lone surrogate U+D800 at line 1, column 4");

  // Enter inserts the line ending of the text, which the caret passes in one step.
  await hash.enter("one\r\ntwo", digest("one\r\ntwo"));
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
    await hash.set("lineEndings", name!);
    await hash.expect(digest(`one?${end}two!`));
  }
});

test("changes are undone one at a time", async (open) => {
  const { page, base64 } = await open();
  await page.keyboard.type("mine");
  await base64.expect("bWluZQ==");
  const file = "<b>\r\n\n\ttheirs\r".repeat(5);
  await base64.drop(file);
  await base64.expect(btoa(file));
  await base64.click("[name=useAsInput]");
  await base64.expect(file);
  await base64.click("[name=clear]");
  const texts = [btoa(file), file, "mine"];
  for (const text of texts) {
    await page.keyboard.press("Control+Z");
    await base64.until("input", text);
  }
  for (const text of texts.toReversed().slice(1)) {
    await page.keyboard.press("Control+Y");
    await base64.until("input", text);
  }
});

test("every tool can be operated with the keyboard", async (open) => {
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
  await press("Control+Shift+6");
  await base64.expect("YWJj");
  await press("Control+Shift+Digit2");
  await hash.until("state", "current");
  await page.keyboard.type("abc");
  await hash.expect(digest("abc"));
  await press("Control+Shift+Digit3");
  await uuid.expect(/./);
  const { result } = await uuid.read();
  await press("Control+Enter");
  await uuid.expect(new RegExp(`^(?!${result})`));
  await page.click("#help");
  await page.waitForFunction(() =>
    document.querySelector("#shortcuts")!.checkVisibility()
  );
  await press("Escape");
  await page.waitForFunction(() =>
    !document.querySelector("#shortcuts")!.checkVisibility()
  );
});

test("a computation can be canceled and run again", async (open) => {
  const { page, hold, base64 } = await open("#base64", { prefix: "/tools" });
  await base64.enter("a", "YQ==");
  for (const text of ["abc", "x".repeat(300_000)]) {
    const release = await hold();
    await base64.fill(text);
    await base64.until("badge", "Computing…");
    assertEquals((await base64.read()).isUsable, false);
    await page.keyboard.press("Escape");
    await base64.expectMessage("The computation was canceled.");
    await release();
    assertEquals((await base64.read()).badge, "Out of date");
    await base64.press("Try again");
    await base64.expect(btoa(text));
  }
});

declare const jobs: Jobs;

test("a long computation shows its progress, and canceling it causes no request", async (open) => {
  const { page, service, hash, uuid } = await open("#hash");
  const starts = await page.evaluate(() => jobs.starts);
  await hash.drop({ byte: 0, megabytes: 300 });
  await hash.until("badge", /^Computing… [1-9]\d?%$/);
  const isBarShown = await page.evaluate(() =>
    document.querySelector<HTMLProgressElement>("#hash progress")!.value > 0
  );
  assert(isBarShown);
  // Another tool doesn't wait for the file.
  await uuid.show();
  await uuid.expect(/./);
  await hash.show();
  assertMatch((await hash.read()).badge, /^Computing…/);
  await service.stop();
  await page.keyboard.press("Escape");
  await hash.expectMessage("canceled");
  await page.waitForFunction((starts) => jobs.starts > starts, starts);
  await hash.drop("abc");
  await hash.expect(digest("abc"));
  service.restart();
});

test("every tool works offline, even if it was not used before", async (open) => {
  const { service, base64, hash, uuid, password, json } = await open();
  await service.stop();
  await base64.enter("héllo", "aMOpbGxv");
  await hash.show();
  await hash.enter("abc", digest("abc"));
  await hash.drop("\0".repeat(1_100_000));
  await hash.expect(digest("\0".repeat(1_100_000)));
  await uuid.show();
  await uuid.expect(/^[0-9a-f-]{36}$/);
  await password.show();
  await password.expect(/^.{16}$/);
  await json.show();
  await json.fill("[1,]");
  await json.expectMessage("Invalid JSON");
  await json.press("Repair");
  await json.expect("[\n  1\n]");
  service.restart();
});

test("large inputs and results are complete", async (open) => {
  const { base64, json } = await open();
  const text = "x".repeat(1_048_576 - 60);
  await base64.drop(text);
  await base64.expect(btoa(text));
  assertEquals((await base64.read()).sizes, "1.05 MB → 1.4 MB");
  await json.show();
  const depth = 1_500;
  await json.enter(`${"[".repeat(depth)}"end"${"]".repeat(depth)}`, / "end"\n/);
  assert((await json.read()).result.length > 4_400_000);
});

test(
  "in dark colors at 320 px every tool fits, and axe-core finds no violation",
  async (open, t) => {
    const visited = await open("", { viewport: { width: 320, height: 700 } });
    const { page } = visited;
    await page.evaluate(() => {
      const theme = document.querySelector<HTMLSelectElement>("#theme")!;
      theme.value = "dark";
      theme.dispatchEvent(new Event("change"));
    });
    for (const tool of TOOLS) {
      await t.step(tool, async () => {
        await visited[tool].show();
        await visited[tool].showApiCall();
        await checkAccessibility(page);
      });
    }
  },
);
