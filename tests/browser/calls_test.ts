/// <reference lib="dom" />

/** Calls: late, failing and cancelled ones, retries, uploads, limits. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  clipboard,
  holdAnswers,
  type Host,
  sha256,
  test,
  visit,
} from "./_browser.ts";

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
  for (const name of ["copy.primary", "swap", "download"]) {
    await page.dispatchEvent(`#base64 .bar .${name}`, "click");
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

test("answers that are not the service's are named as what they are", async (open) => {
  const html = { contentType: "text/html", body: "<h1>no</h1>" };
  const answers: [
    { status: number; contentType: string; body: string },
    string,
  ][] = [
    [{ status: 413, ...html }, "not the service’s (status 413)"],
    [{ status: 429, ...html }, "The service is busy (status 429)"],
    [
      {
        status: 500,
        contentType: "application/json",
        body: '{"error":"internal error"}',
      },
      "The service has failed (status 500): internal error.",
    ],
    [{ status: 502, ...html }, "not the service’s (status 502)"],
    [{ status: 200, ...html }, "not the service’s (status 200)"],
    [{ status: 404, ...html }, "not the service’s (status 404)"],
    [
      { status: 200, contentType: "application/json", body: '{"a":1}' },
      "This answer is not the service’s",
    ],
    [
      { status: 200, contentType: "application/json", body: "null" },
      "This answer is not the service’s",
    ],
  ];
  await using visited = await visit();
  const { page, base64 } = visited;
  for (const [answer, words] of answers) {
    await open.step(`${answer.status} ${answer.body}`, async () => {
      await page.route("**/api/base64", (route) => route.fulfill(answer));
      await base64.fill("");
      await base64.fill("abc");
      await base64.expectMessage(words);
      await page.unroute("**/api/base64");
    });
  }
});

test("a busy service is asked again when it says, or when one likes", async (open) => {
  const { page, uuid } = await open("#uuid");
  await uuid.expect(/./);
  let calls = 0;
  await page.route("**/api/uuid", async (route) => {
    calls += 1;
    if (calls > 2) return await route.continue();
    await route.fulfill({
      status: 503,
      headers: { "retry-after": "1" },
      contentType: "application/json",
      body: '{"error":"busy"}',
    });
  });
  await page.click("#uuid [data-act=retry]");
  await uuid.expectMessage(
    "The service is busy (status 503). Trying again in 1 s.",
  );
  await uuid.expect(/./);
  assertEquals(calls, 3);
  await page.unroute("**/api/uuid");

  await page.route(
    "**/api/uuid",
    (route) => route.fulfill({ status: 503, body: "" }),
  );
  await page.click("#uuid [data-act=retry]");
  await page.locator("#uuid .message button", { hasText: "Try again" })
    .waitFor();
  assertEquals((await uuid.look()).state, "stale");
  await page.unroute("**/api/uuid");
  await page.click("#uuid .message button");
  await uuid.expect(/./);
});

test("the page recovers by itself when the service is back", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.expect(sha256(""));
  await page.route("**/api/hash", (route) => route.abort());
  await hash.fill("abc");
  await hash.expectMessage("cannot be reached. Trying again in 2 s.");
  await page.unroute("**/api/hash");
  await hash.expect(sha256("abc"));
  assertEquals((await hash.look()).message, "");
  // So it does as soon as the browser or the person is back.
  await page.route("**/api/hash", (route) => route.abort());
  await hash.fill("abcd");
  await hash.expectMessage("cannot be reached");
  await page.unroute("**/api/hash");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await hash.expect(sha256("abcd"));
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

test("a mistake of the page is not blamed on the network", async (open) => {
  const { page, complaints, base64 } = await open();
  await page.evaluate(() => {
    const host = document.querySelector("#base64 .result .editor") as Host;
    host.view.setState = () => {
      throw new Error("a mistake");
    };
  });
  const reported = page.waitForEvent("pageerror");
  await base64.fill("abc");
  await base64.expectMessage("This page has made a mistake.");
  assertMatch((await reported).message, /a mistake/);
  assertEquals(complaints.splice(0), ["a mistake"]);
});
