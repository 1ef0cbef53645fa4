/// <reference lib="dom" />
/// <reference path="../../web/types.d.ts" />

/**
 * The promises that all tools of the page keep in every browser: in Chromium by
 * `deno task test:browser`, and in the others by `.ci/more`.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { CASES } from "../_cases.ts";
import { type Jobs, test } from "./_browser.ts";
import { digest, findViolations } from "./_page.ts";
import { type ToolName, TOOLS } from "./_tool.ts";

/** A JSON Web Token of `{"alg":"HS256"}` and `{"sub":"1"}`. */
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";

test("what is recognized is one click from right", async (open, t) => {
  const visited = await open();
  const { page, json, base64 } = visited;
  const rows = [
    ["base64?encode", "SGVsbG8sIHfDtnJsZCE=", "Decode it", "Hello, wörld!"],
    ["base64?encode", `Bearer ${TOKEN}`, "Decode it", /^{"alg":"HS256"}\n{/],
    ["base64?encode", "data:;base64,YWJj", "Decode it", "abc"],
    ["base64?decode", "data:;base64,YWJj", "Decode its content", "abc"],
    ["base64?encode", '"SGVsbG8="', "Decode it", "Hello"],
    ["base64?decode", "'SGVsbG8=',", "Decode its content", "Hello"],
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
  await json.expectMessage("An object has the name “a” more than once");
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
  await base64.fill("/w==");
  await base64.expect("Binary data, 1 byte");
  assertEquals(await base64.texts(".message button"), []);
});

test("every text goes in and comes out as it is", async (open, t) => {
  const { page, hash, json } = await open("#json?minify");
  const text = '"\ufeff\u202e\u2028"';
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
    await hash.set("lineEndings", name!);
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
  await press("Control+Shift+6");
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

test("a computation is cancelled, and done again on request", async (open) => {
  const { page, hold, base64 } = await open("#base64", { prefix: "/tools" });
  await base64.ask("a", "YQ==");
  for (const text of ["abc", "x".repeat(300_000)]) {
    const release = await hold();
    await base64.fill(text);
    await base64.until("badge", "Computing…");
    assertEquals((await base64.look()).isUsable, false);
    await page.keyboard.press("Escape");
    await base64.expectMessage("The computation was canceled.");
    await release();
    assertEquals((await base64.look()).badge, "Out of date");
    await base64.press("Try again");
    await base64.expect(btoa(text));
  }
});

declare const jobs: Jobs;

test("a long computation is ended when it is cancelled, and the next one needs no request", async (open) => {
  const { page, service, hash, uuid } = await open("#hash");
  const starts = await page.evaluate(() => jobs.starts);
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    const chunk = new Uint8Array(1_048_576);
    const chunks = Array.from({ length: 300 }, () => chunk);
    dataTransfer.items.add(new File(chunks, "large.bin"));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    document.querySelector("#hash")!.dispatchEvent(new DragEvent("drop", init));
  });
  await hash.until("badge", /^Computing… [1-9]/);
  // Another tool does not wait for the file.
  await uuid.show();
  await uuid.expect(/./);
  await hash.show();
  assertMatch((await hash.look()).badge, /^Computing…/);
  await service.stop();
  await page.keyboard.press("Escape");
  await hash.expectMessage("canceled");
  await page.waitForFunction((starts) => jobs.starts > starts, starts);
  await hash.drop("abc");
  await hash.expect(digest("abc"));
  service.restart();
});

test("every tool works without the service, also one that was not used before", async (open) => {
  const { service, base64, hash, uuid, password, json } = await open();
  await service.stop();
  await base64.ask("héllo", "aMOpbGxv");
  await hash.show();
  await hash.ask("abc", digest("abc"));
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

test("a sample of the cases has the results and errors of the API", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.ask("abc", digest("abc"));
  const sample = CASES.filter(([name, sent, expected]) =>
    typeof sent === "object" && !(expected instanceof RegExp) &&
    // The page computes all digests, and its choices are valid.
    !(name === "hash" && "error" in expected) &&
    Object.entries(sent).every(([name, value]) =>
      // A form has all values as strings, so a number can't have the wrong type.
      name !== "indent" && typeof value === "string" && value.isWellFormed()
    )
  );
  assert(sample.length >= 55, `${sample.length} cases`);
  const faults: string[] = [];
  for (const [name, values, expected] of sample) {
    const job = { name, values };
    const reply = await page.evaluate((job) => jobs.compute(job), job);
    const { results = [], error } = reply as Reply;
    const { algorithm } = values as { algorithm?: string };
    const result = results.find((result) => result.algorithm === algorithm);
    // The page shows bytes that are not text.
    if (result?.result && typeof result.result !== "string") continue;
    const { error: message = "" } = expected as { error?: string };
    const isRight = result
      ? JSON.stringify(result) === JSON.stringify(expected)
      : error && message.includes(error.requirement) &&
        (error.offset === undefined || !message.includes("offset") ||
          message.endsWith(`at offset ${error.offset}`));
    if (!isRight) faults.push(JSON.stringify([job, reply]).slice(0, 300));
  }
  assertEquals(faults, []);
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
          await visited.json.expectMessage("Invalid JSON");
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
