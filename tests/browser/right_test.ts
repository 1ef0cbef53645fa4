/// <reference lib="dom" />

/** What is shown is the answer to what is there, or is marked as something else. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import {
  clipboard,
  dropFile,
  dropFiles,
  expectMessage,
  expectResult,
  holdAnswers,
  look,
  sha256,
  visit,
} from "./_browser.ts";

Deno.test("from the first keystroke until the answer nothing can be copied, saved or swapped", async () => {
  await using visited = await visit();
  const { page } = visited;
  await page.fill("#base64-input", "abc");
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
    badge: "Out of date",
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
  for (const name of ["copy", "reuse", "download"]) {
    await page.dispatchEvent(`#base64 .${name}`, "click");
  }
  assertEquals(await clipboard(page), "before");
  assertEquals(await page.inputValue("#base64-input"), "abcdef");
  await release();
  await expectResult(page, "base64", "YWJjZGVm");
  // Back to a text that has its answer: no call is needed to know it.
  assertEquals((await look(page, "base64", "abcde")).state, "stale");
  assertEquals((await look(page, "base64", "abcdef")).state, "current");
});

Deno.test("sizes, strength and marks are those of the call, not of the form", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await expectResult(page, "hash", sha256(""));
  const release = await holdAnswers(page, "api/hash");
  const asked = page.waitForRequest("**/api/hash");
  await page.fill("#hash-input", "abc");
  await asked;
  // The answer arrives while a longer text is there that was not sent yet.
  const shown = await page.evaluateHandle(() => ({
    promise: new Promise<string[]>((resolve) => {
      const section = document.querySelector<HTMLElement>("#hash")!;
      const area = section.querySelector("textarea")!;
      const output = section.querySelector(".output")!;
      new MutationObserver(() =>
        resolve([
          section.querySelector(".sizes")!.textContent!,
          output.textContent!,
          section.dataset.state!,
        ])
      ).observe(output, { childList: true });
      // Typing goes on until then, so that no newer call is made.
      const type = () => {
        area.value += "x";
        area.dispatchEvent(new InputEvent("input", { bubbles: true }));
      };
      type();
      setInterval(type, 20);
    }),
  }));
  await release();
  assertEquals(await shown.evaluate(({ promise }) => promise), [
    "3 bytes → 64 bytes",
    sha256("abc"),
    "stale",
  ]);
});

Deno.test("a refused drop clears the result, ends the call, and its message stays", async (t) => {
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
      await page.fill("#hash-input", "abc");
      await expectResult(page, "hash", sha256("abc"));
      const release = await holdAnswers(page, "api/hash");
      const signals = await page.evaluateHandle(() => {
        const signals: AbortSignal[] = [];
        const original = fetch;
        globalThis.fetch = (address, init) => {
          signals.push(init!.signal!);
          return original(address, init);
        };
        return signals;
      });
      const asked = page.waitForRequest("**/api/hash");
      await page.fill("#hash-input", "abcd");
      await asked;
      // One call is on its way, another about to be made.
      await look(page, "hash", "abcde");
      await dropFiles(page, "#hash-input", files);
      await expectMessage(page, "hash", words);
      // On a slow machine the second may have been made before the drop.
      assert(
        await signals.evaluate((signals) =>
          signals.length > 0 && signals.every(({ aborted }) => aborted)
        ),
      );
      await release();
      // Longer than anything that was still to come.
      await page.evaluate(() =>
        new Promise((resolve) => setTimeout(resolve, 600))
      );
      const { state, result, message, isUsable } = await look(page, "hash");
      assertStringIncludes(message, words);
      assertEquals({ state, result, isUsable }, {
        state: "empty",
        result: "",
        isUsable: false,
      });
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
    assertEquals((await look(page, "hash")).result, "");
  });
});

Deno.test("what is too large is counted as it would be sent", async () => {
  await using visited = await visit("#base64", {
    variables: { MAX_BODY_BYTES: "1000" },
  });
  const { page } = visited;
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const input = '"'.repeat(600);
  await page.fill("#base64-input", input);
  const size = JSON.stringify({ input, action: "encode" }).length;
  await expectMessage(
    page,
    "base64",
    `makes a request of ${
      size.toLocaleString("en")
    } bytes; the service takes at most 1,000 bytes.`,
  );
  assertEquals(requests, [], "it is known without asking");
  await page.fill("#base64-input", "x".repeat(900));
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
      await page.fill("#base64-input", "");
      await page.fill("#base64-input", "abc");
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

Deno.test("a mistake of the page is not blamed on the network", async () => {
  await using visited = await visit();
  const { page, complaints } = visited;
  await page.evaluate(() => {
    document.querySelector("#base64 .output")!.scrollTo = () => {
      throw new Error("a mistake");
    };
  });
  const reported = page.waitForEvent("pageerror");
  await page.fill("#base64-input", "abc");
  await expectMessage(page, "base64", "This page has made a mistake.");
  assertMatch((await reported).message, /a mistake/);
  assertEquals(complaints.splice(0), ["a mistake"]);
});
