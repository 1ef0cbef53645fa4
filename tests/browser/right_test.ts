/// <reference lib="dom" />

/** What is shown is the answer to what is there, or is marked as something else. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  clipboard,
  dropFile,
  dropFiles,
  expectMessage,
  expectResult,
  fill,
  holdAnswers,
  type Host,
  look,
  readText,
  sha256,
  visit,
} from "./_browser.ts";

Deno.test("from the first keystroke until the answer nothing can be copied, saved or swapped", async () => {
  await using visited = await visit();
  const { page } = visited;
  await fill(page, "base64", "abc");
  await expectResult(page, "base64", "YWJj");
  assertEquals(await look(page, "base64"), {
    state: "current",
    badge: "",
    result: "YWJj",
    sizes: "3 bytes → 4 bytes",
    message: "",
    isUsable: true,
  });
  const release = await holdAnswers(page, "api/base64");
  const stale = {
    state: "stale",
    badge: "",
    result: "YWJj",
    sizes: "3 bytes → 4 bytes",
    message: "",
    isUsable: false,
  };
  // In the same moment, long before the call.
  assertEquals(await look(page, "base64", "abcdef"), stale);
  await page.locator("#base64 .badge", { hasText: "Waiting" }).waitFor();
  const { badge: _badge, ...whileWaiting } = await look(page, "base64");
  assertEquals(whileWaiting, {
    state: "stale",
    result: "YWJj",
    sizes: "3 bytes → 4 bytes",
    message: "",
    isUsable: false,
  });
  // What is off does nothing, however it is pressed.
  await page.evaluate(() => navigator.clipboard.writeText("before"));
  for (const name of ["copy.primary", "reuse", "download"]) {
    await page.dispatchEvent(`#base64 .bar .${name}`, "click");
  }
  assertEquals(await clipboard(page), "before");
  assertEquals(await readText(page, "base64"), "abcdef");
  await release();
  await expectResult(page, "base64", "YWJjZGVm");
  // Back to a text that has its answer: no call is needed to know it.
  assertEquals((await look(page, "base64", "abcde")).state, "stale");
  assertEquals((await look(page, "base64", "abcdef")).state, "current");
});

Deno.test("a result that arrives while one types is that of its call, with its sizes", async () => {
  await using visited = await visit("#base64");
  const { page } = visited;
  const release = await holdAnswers(page, "api/base64");
  const asked = page.waitForRequest("**/api/base64");
  await fill(page, "base64", "abc");
  await asked;
  const answered = page.waitForResponse("**/api/base64");
  await release();
  // Typing goes on until then, so that no newer call is made.
  let isAnswered = false;
  answered.then(() => isAnswered = true);
  let text = "abc";
  let sight = await look(page, "base64", text += "x");
  while (!isAnswered || sight.result === "") {
    sight = await look(page, "base64", text += "x");
  }
  const { result, sizes, state, isUsable } = sight;
  assertEquals({ result, sizes, state, isUsable }, {
    result: "YWJj",
    sizes: "3 bytes → 4 bytes",
    state: "stale",
    isUsable: false,
  });
});

Deno.test("a refused drop says why, and changes neither input nor result", async (t) => {
  const refusals: [string, (Uint8Array | string)[], string][] = [
    [
      "too large",
      [new Uint8Array(1_048_577)],
      "is too large: it has 1,048,577 bytes",
    ],
    ["not UTF-8", [Uint8Array.of(0xff, 0xfe)], "is not UTF-8 text"],
    ["several", ["a", "b"], "Please drop one file"],
  ];
  for (const [name, files, words] of refusals) {
    await t.step(name, async () => {
      await using visited = await visit("#hash");
      const { page } = visited;
      await fill(page, "hash", "abc");
      await expectResult(page, "hash", sha256("abc"));
      await dropFiles(page, "#hash .source .editor", files);
      await expectMessage(page, "hash", words);
      await expectResult(page, "hash", sha256("abc"));
      // A call that is on its way does not remove the message either.
      const release = await holdAnswers(page, "api/hash");
      await fill(page, "hash", "abcd");
      await dropFiles(page, "header", files);
      await expectMessage(page, "hash", words);
      await release();
      await expectResult(page, "hash", sha256("abcd"));
      assertStringIncludes((await look(page, "hash")).message, words);
    });
  }
  await t.step("a folder", async () => {
    await using visited = await visit("#hash");
    const { page } = visited;
    await expectResult(page, "hash", sha256(""));
    await page.evaluate(() => {
      DataTransferItem.prototype.webkitGetAsEntry = () =>
        ({ isDirectory: true }) as FileSystemEntry;
    });
    await dropFile(page, "hash", "");
    await expectMessage(page, "hash", "“dropped.txt” is a folder.");
    await expectResult(page, "hash", sha256(""));
  });
  for (const tool of ["uuid", "password"]) {
    await t.step(tool, async () => {
      await using visited = await visit(`#${tool}`);
      const { page } = visited;
      await expectResult(page, tool, /./);
      const { result } = await look(page, tool);
      await dropFiles(page, "header", ["a"]);
      await expectMessage(page, tool, "this tool has no input");
      await expectResult(page, tool, result);
    });
  }
});

Deno.test("what is too large is counted as it would be sent", async () => {
  await using visited = await visit("#base64", {
    variables: { MAX_BODY_BYTES: "1000" },
  });
  const { page } = visited;
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const input = '"'.repeat(600);
  await fill(page, "base64", input);
  const size = JSON.stringify({ input, action: "encode" }).length;
  await expectMessage(
    page,
    "base64",
    `makes a request of ${
      size.toLocaleString("en")
    } bytes; the service takes at most 1,000 bytes.`,
  );
  assertEquals(requests, [], "it is known without asking");
  await fill(page, "base64", "x".repeat(900));
  await expectResult(page, "base64", btoa("x".repeat(900)));
});

Deno.test("answers that are not the service's are named as what they are", async (t) => {
  const html = { contentType: "text/html", body: "<h1>no</h1>" };
  const answers: [
    { status: number; contentType: string; body: string },
    string,
  ][] = [
    [
      { status: 413, ...html },
      "something before the service, such as a proxy, takes no request of 33 bytes (status 413)",
    ],
    [{ status: 429, ...html }, "Too many requests"],
    [
      {
        status: 500,
        contentType: "application/json",
        body: '{"error":"internal error"}',
      },
      "The service has failed (status 500): internal error.",
    ],
    [
      { status: 502, ...html },
      "This answer is not the service’s (status 502, text/html",
    ],
    [
      { status: 200, ...html },
      "This answer is not the service’s (status 200, text/html",
    ],
    [
      { status: 404, ...html },
      "This answer is not the service’s (status 404, text/html",
    ],
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
  const { page } = visited;
  for (const [answer, words] of answers) {
    await t.step(`${answer.status} ${answer.body}`, async () => {
      await page.route("**/api/base64", (route) => route.fulfill(answer));
      await fill(page, "base64", "");
      await fill(page, "base64", "abc");
      await expectMessage(page, "base64", words);
      await page.unroute("**/api/base64");
    });
  }
});

Deno.test("a busy service is asked again when it says, or when one likes", async () => {
  await using visited = await visit("#uuid");
  const { page } = visited;
  await expectResult(page, "uuid", /./);
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
  await page.click("#uuid [type=submit]");
  await expectMessage(
    page,
    "uuid",
    "The service is busy (status 503). Trying again in 1 s.",
  );
  await expectResult(page, "uuid", /./);
  assertEquals(calls, 3);
  await page.unroute("**/api/uuid");

  await page.route(
    "**/api/uuid",
    (route) => route.fulfill({ status: 503, body: "" }),
  );
  await page.click("#uuid [type=submit]");
  await page.locator("#uuid .message button", { hasText: "Try again" })
    .waitFor();
  assertEquals((await look(page, "uuid")).state, "stale");
  await page.unroute("**/api/uuid");
  await page.click("#uuid .message button");
  await expectResult(page, "uuid", /./);
});

Deno.test("the page recovers by itself when the service is back", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await expectResult(page, "hash", sha256(""));
  await page.route("**/api/hash", (route) => route.abort());
  await fill(page, "hash", "abc");
  await expectMessage(page, "hash", "cannot be reached. Trying again in 2 s.");
  await page.unroute("**/api/hash");
  await expectResult(page, "hash", sha256("abc"));
  assertEquals((await look(page, "hash")).message, "");
  // So it does as soon as the browser or the person is back.
  await page.route("**/api/hash", (route) => route.abort());
  await fill(page, "hash", "abcd");
  await expectMessage(page, "hash", "cannot be reached");
  await page.unroute("**/api/hash");
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expectResult(page, "hash", sha256("abcd"));
});

Deno.test("a mistake of the page is not blamed on the network", async () => {
  await using visited = await visit();
  const { page, complaints } = visited;
  await page.evaluate(() => {
    const host = document.querySelector("#base64 .result .editor") as Host;
    host.view.dispatch = () => {
      throw new Error("a mistake");
    };
  });
  const reported = page.waitForEvent("pageerror");
  await fill(page, "base64", "abc");
  await expectMessage(page, "base64", "This page has made a mistake.");
  assertMatch((await reported).message, /a mistake/);
  assertEquals(complaints.splice(0), ["a mistake"]);
});
