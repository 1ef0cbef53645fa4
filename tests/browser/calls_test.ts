/// <reference lib="dom" />

/** Calls: late, failing and cancelled ones, retries, uploads, limits. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { clipboard, holdAnswers, type Host, sha256, test } from "./_browser.ts";

test("from the first keystroke until the answer nothing can be copied, saved or swapped", async (open) => {
  const { page, base64 } = await open();
  await base64.ask("abc", "YWJj");
  assertEquals(await base64.look(), {
    state: "current",
    badge: "",
    result: "YWJj",
    sizes: "3 bytes → 4 bytes",
    message: "",
    isUsable: true,
  });
  const release = await holdAnswers(page, "api/base64");
  // In the same moment, long before the call, and while it waits.
  const stale = {
    state: "stale",
    badge: "",
    result: "YWJj",
    sizes: "3 bytes → 4 bytes",
    message: "",
    isUsable: false,
  };
  assertEquals({ ...await base64.look("abcdef"), badge: "" }, stale);
  await page.locator("#base64 .badge", { hasText: "Waiting" }).waitFor();
  assertEquals({ ...await base64.look(), badge: "" }, stale);
  // Disabled buttons do nothing, even if a script clicks them.
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  for (const name of ["copy", "swap", "save"]) {
    await page.dispatchEvent(`#base64 .bar [name=${name}]`, "click");
  }
  assertEquals(await clipboard(page), "before");
  assertEquals(await base64.read(), "abcdef");
  await release();
  await base64.expect("YWJjZGVm");
  // Back to a text that has its answer: no call is needed to know it.
  assertEquals((await base64.look("abcde")).state, "stale");
  assertEquals((await base64.look("abcdef")).state, "current");
});

test("a result that arrives while one types is that of its call, with its sizes", async (open) => {
  const { page, base64 } = await open("#base64");
  const release = await holdAnswers(page, "api/base64");
  const asked = page.waitForRequest("**/api/base64");
  await base64.fill("abc");
  await asked;
  const answered = page.waitForResponse("**/api/base64");
  await release();
  // Typing goes on until then, so that no newer call is made.
  let isAnswered = false;
  answered.then(() => isAnswered = true);
  let text = "abc";
  let sight = await base64.look(text += "x");
  while (!isAnswered || sight.result === "") {
    sight = await base64.look(text += "x");
  }
  const { result, sizes, state, isUsable } = sight;
  assertEquals({ result, sizes, state, isUsable }, {
    result: "YWJj",
    sizes: "3 bytes → 4 bytes",
    state: "stale",
    isUsable: false,
  });
});

test("Escape cancels a call that waits, and closes the search", async (open) => {
  const { page, base64 } = await open("#base64");
  const release = await holdAnswers(page, "api/base64");
  await base64.fill("abc");
  await page.locator("#base64 .badge", { hasText: "Waiting" }).waitFor();
  assert(!await page.isVisible("#base64 [name=example]"), "beside a text");
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

test("the limit of the service is named where a request is above it", async (open) => {
  const { base64 } = await open("#base64", {
    variables: { MAX_BODY_BYTES: "1000" },
  });
  await base64.fill('"'.repeat(600));
  await base64.expectMessage("the service takes at most 1,000 bytes a request");
  await base64.ask("x".repeat(900), btoa("x".repeat(900)));
});

test("an answer that is not the service's is named as what it is", async (open) => {
  const { page, base64 } = await open();
  await page.route("**/api/base64", (route) => {
    const contentType = "text/html";
    return route.fulfill({ status: 502, contentType, body: "<h1>no</h1>" });
  });
  await base64.fill("abc");
  await base64.expectMessage("not the service’s (status 502)");
});

test("a busy service is said to be busy, and asked again on request", async (open) => {
  const { page, uuid } = await open("#uuid");
  await uuid.expect(/./);
  await page.route(
    "**/api/uuid",
    (route) => route.fulfill({ status: 503, json: { error: "busy" } }),
  );
  await page.click("#uuid [name=again]");
  await uuid.expectMessage("The service is busy (status 503).");
  assertEquals((await uuid.look()).state, "stale");
  await page.unroute("**/api/uuid");
  await page.click("#uuid .message button");
  await uuid.expect(/./);
});

test("the page recovers when the browser is online or in use again", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.expect(sha256(""));
  let text = "";
  for (const event of ["online", "focus"]) {
    text += "a";
    await page.route("**/api/hash", (route) => route.abort());
    await hash.fill(text);
    await hash.expectMessage("The service cannot be reached.");
    await page.unroute("**/api/hash");
    await page.evaluate((event) => dispatchEvent(new Event(event)), event);
    await hash.expect(sha256(text));
    assertEquals((await hash.look()).message, "");
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
  await page.click("#base64 button.primary");
  await page.locator("#announcer", { hasText: "Copied." }).waitFor();
  await json.show();
  assertEquals(await page.textContent("#announcer"), "");
});

test("a mistake of the page is not blamed on the network", async (open) => {
  const { page, complaints, base64 } = await open();
  await page.evaluate(() => {
    const host = document.querySelector("#base64 .result .editor") as Host;
    host.view.dispatch = () => {
      throw new Error("a mistake");
    };
  });
  const reported = page.waitForEvent("pageerror");
  await base64.fill("abc");
  await base64.expectMessage("This page has made a mistake.");
  assertMatch((await reported).message, /a mistake/);
  assertEquals(complaints.splice(0), ["a mistake"]);
});
