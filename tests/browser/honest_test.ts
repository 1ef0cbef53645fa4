/// <reference lib="dom" />

/** Nothing on the page looks like something that it is not. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { holdAnswers, test, visit } from "./_browser.ts";

test("while modules load there is the frame of the tool, and no notice", async () => {
  const release = Promise.withResolvers<void>();
  await using visited = await visit("#json?minify", {
    waitUntil: "commit",
    prepare: (page) =>
      page.route("**/codemirror.js", async (route) => {
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
  assertEquals(await readLook(page, "#json .copy.primary"), OFF);
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
  for (const name of ["swap", "download", "copy.primary"]) {
    assertEquals(await readLook(page, `#json .bar .${name}`), OFF, name);
  }
  await page.check("#json [value=format]");
  await json.expect("[\n  1\n]");
  assertEquals(await readLook(page, "#json .copy.primary"), {
    background: "rgb(11, 110, 95)",
    cursor: "pointer",
  });
  await base64.show();
  await page.check("#base64 [value=decode]");
  await base64.ask(" ", "This decodes to nothing.");
  assertEquals(await readLook(page, "#base64 .copy.primary"), OFF);
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

/** Whether two elements share a part of the page. */
async function overlap(page: Page, selectors: readonly string[]) {
  const [a, b] = await Promise.all(
    selectors.map((selector) => page.locator(selector).boundingBox()),
  );
  return a!.x < b!.x + b!.width && b!.x < a!.x + a!.width &&
    a!.y < b!.y + b!.height && b!.y < a!.y + a!.height;
}

test("messages and badges stand beside each other, and are seen whole", async (open) => {
  for (const width of [320, 390, 1440]) {
    await open.step(`${width} px`, async () => {
      await using visited = await visit("#uuid?count=100", {
        viewport: { width, height: 800 },
      });
      const { page, uuid, password } = visited;
      await uuid.expect(/./);
      await page.fill("#uuid [name=count]", "500");
      await uuid.expectMessage("The count must be");
      await page.locator("#uuid .badge:visible", {
        hasText: "Previous UUIDs",
      }).waitFor();
      await page.locator("#uuid .message").scrollIntoViewIfNeeded();
      const isCut = await page.locator("#uuid .message").evaluate(
        ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
      );
      assert(!isCut);
      assert(!await overlap(page, ["#uuid .message", "#uuid .badge"]));
      await password.show();
      await password.expect(/./);
      await page.route("**/api/password*", (route) => route.abort());
      await page.click("#password [data-act=retry]");
      await password.expectMessage("cannot be reached");
      await page.locator("#password .badge:visible", {
        hasText: "Previous password",
      }).waitFor();
      for (const part of [".message", ".actions", ".output", ".strength"]) {
        const parts = [`#password ${part}`, "#password .badge"];
        assert(!await overlap(page, parts), part);
      }
    });
  }
});

test("a tool that is not shown says nothing", async (open) => {
  const { page, base64, json } = await open("#json");
  await page.evaluate(() => {
    const announcer = document.querySelector("#announcer")!;
    const told: string[] = [];
    Object.assign(globalThis, { told });
    new MutationObserver(() => told.push(announcer.textContent!))
      .observe(announcer, { childList: true });
  });
  const readTold = () =>
    page.evaluate(() =>
      (globalThis as unknown as { told: string[] }).told.splice(0).join("")
    );
  const release = await holdAnswers(page, "api/json");
  await json.fill("[1,]");
  const answered = page.waitForResponse("**/api/json");
  await base64.show();
  await release();
  await answered;
  // An announcement comes a second after its reason.
  await page.waitForTimeout(1_300);
  assertEquals(await readTold(), "");
  await base64.ask("abc", "YWJj");
  await page.click("#base64 .copy.primary");
  await page.locator("#announcer", { hasText: "Copied." }).waitFor();
  await json.show();
  assertEquals(await page.textContent("#announcer"), "");
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

test("a text above the limit is refused with its sizes, and not sent", async (open) => {
  const { page, base64, json } = await open();
  const calls: string[] = [];
  page.on("request", (request) => calls.push(request.method()));
  await base64.fill("x".repeat(1_200_000));
  await base64.expectMessage(
    "The input is too large: it has 1,200,000 bytes, and the service takes at most 1,048,576 bytes a request.",
  );
  await json.show();
  await json.fill(JSON.stringify('"'.repeat(300_000)));
  await json.expectMessage(
    "it has 600,002 bytes, and the service takes at most 1,048,576 bytes a request; this one would have 1,200,",
  );
  await json.expectMessage("since quotes, backslashes and line ends");
  assertEquals(calls.filter((method) => method === "POST"), []);
});

test("an invalid option is neither kept nor silently replaced", async (open) => {
  const { page, origin, tools, uuid, password } = await open("#uuid?count=500");
  await uuid.expectMessage("Not valid in the address: “count=500”.");
  await uuid.expect(/^\S{36}$/);
  const readKept = () =>
    page.evaluate(() =>
      `${location.hash} ${localStorage.getItem("developer-utilities")}`
    );
  await page.fill("#uuid [name=count]", "5");
  await uuid.expect(/(\S{36}\s?){5}/);
  await page.fill("#uuid [name=count]", "500");
  await uuid.expectMessage("The count must be");
  assertMatch(await readKept(), /^#uuid\?count=5 .*"uuid":"count=5"/);
  await password.show();
  for (const name of ["uppercase", "lowercase", "numbers"]) {
    await page.uncheck(`#password [name=${name}]`);
  }
  await page.waitForFunction(() => /numbers=false/.test(location.hash));
  await page.uncheck("#password [name=symbols]");
  await password.expectMessage("Choose at least one");
  assert(!/symbols=false/.test(await readKept()));
  await page.reload();
  await password.expect(/^[^A-Za-z0-9\s]{16}$/);
  const links = {
    "#nonsense?x": "There is no tool “nonsense”.",
    "#password?symbols=maybe": "“symbols=maybe”",
    "#password?uppercase=0&lowercase=0&numbers=0&symbols=0": "“symbols=0”",
    "#json?tabs": "“tabs”",
    "#hash?algorithm=md5": "“algorithm=md5”",
  };
  for (const [link, words] of Object.entries(links)) {
    await page.goto(`${origin}/${link}`);
    const name = /\w+/.exec(link)![0];
    await (tools[name] ?? tools.base64!).expectMessage(words);
  }
});

test("Password: look-alikes are avoided by a switch that is off, and a length is typed", async (open) => {
  const { page, password } = await open("#password");
  await password.expect(/^\S{16}$/);
  await page.check("#password [name=ambiguous]");
  await page.waitForFunction(() =>
    location.hash === "#password?ambiguous=false"
  );
  await password.expect(/^[^0O1Il5S]{16}$/);
  assertMatch(
    (await page.textContent("#password .command pre"))!,
    /\?ambiguous=false'$/,
  );
  await page.fill("#password [name=length]", "24");
  await password.expect(/^\S{24}$/);
  assertEquals(await page.inputValue("#password [type=range]"), "24");
  await page.locator("#password [type=range]").press("ArrowRight");
  await password.expect(/^\S{25}$/);
  assertEquals(await page.inputValue("#password [name=length]"), "25");
});
