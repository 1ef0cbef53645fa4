/// <reference lib="dom" />

/**
 * Large texts. The figures are printed; what is asserted leaves room for a busy
 * machine, so that only another order of magnitude fails.
 */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { type Host, test, visit, waitUntilUsable } from "./_browser.ts";

/** Keys of which the time is taken. */
const KEYS = 20;

/** A JSON text of about 1 MiB in lines as they are common, or in one line. */
function createJson(lineEnd: string): string {
  const item =
    `  {"id": 12345, "name": "widget", "tags": ["new", "sale"]},${lineEnd}`;
  return `[${item.repeat(Math.floor(1_048_576 / item.length))}1]`;
}

/** Pastes a text, and waits for its answer; returns the milliseconds until it is shown. */
async function paste(
  page: Page,
  text: string,
  finish: () => Promise<unknown>,
): Promise<number> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  await page.evaluate(() => {
    addEventListener("paste", () => performance.mark("paste"), {
      capture: true,
    });
    const section = document.querySelector<HTMLElement>("#json")!;
    const observer = new MutationObserver(() => {
      const isAnswered = section.dataset.state === "current" ||
        section.dataset.message === "wrong";
      if (!isAnswered) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark("shown")));
    });
    observer.observe(section, { attributes: true, subtree: true });
  });
  await page.keyboard.press("Control+V");
  await finish();
  return await page.evaluate(async () => {
    while (performance.getEntriesByName("shown").length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const [start] = performance.getEntriesByName("paste");
    const [shown] = performance.getEntriesByName("shown");
    return Math.round(shown!.startTime - start!.startTime);
  });
}

/** Milliseconds from each key to the next frame, in their order of size. */
async function type(page: Page): Promise<number[]> {
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    addEventListener("keydown", () => {
      const start = performance.now();
      requestAnimationFrame(() =>
        setTimeout(() => times.push(performance.now() - start))
      );
    }, { capture: true });
  });
  for (let i = 0; i < KEYS; i += 1) {
    await page.keyboard.press("Space");
    await page.evaluate(() =>
      new Promise((resolve) => setTimeout(resolve, 60))
    );
  }
  return await page.evaluate(() =>
    (globalThis as unknown as { times: number[] }).times
      .map(Math.round).toSorted((a, b) => a - b)
  );
}

test("1 MiB of JSON is pasted and typed in without a wait that one feels", async (open) => {
  for (
    const [name, end, start] of [
      ["many lines", "\n", ""],
      ["one line", "", ""],
      ["CRLF", "\r\n", ""],
      ["not valid", "\n", "x"],
      ["not valid in one line", "", "x"],
    ] as const
  ) {
    await open.step(name, async () => {
      await using visited = await visit("#json", {
        // Escape sequences in the request count too.
        variables: { MAX_BODY_BYTES: "4000000" },
      });
      const { page, json } = visited;
      const pasteMs = await paste(
        page,
        createJson(end) + start,
        () =>
          start
            ? json.expectMessage("Not valid JSON")
            : page.waitForFunction(() =>
              document.querySelector<HTMLElement>("#json")!.dataset.state ===
                "current"
            ),
      );
      const keys = await type(page);
      const slowest = keys[Math.ceil(KEYS * 0.95) - 1]!;
      const figures = JSON.stringify({ name, pasteMs, slowest, keys });
      // deno-lint-ignore no-console -- the figures are worth more than their bounds
      console.info(figures);
      assert(pasteMs < 5_000 && slowest < 1_000, figures);
    });
  }
});

test("a dropped text of 775 KB is shown, and the page can be used meanwhile", async (open) => {
  const { page } = await open("#base64");
  const longest = await page.evaluate(async () => {
    const { view } = document.querySelector("#base64 .editor") as Host;
    let longest = 0;
    new PerformanceObserver((list) => {
      const durations = list.getEntries().map(({ duration }) => duration);
      longest = Math.max(longest, ...durations);
    }).observe({ type: "longtask" });
    const dataTransfer = new DataTransfer();
    const text = "a line of text that is dropped\n".repeat(25_000);
    dataTransfer.items.add(new File([text], "dropped.txt"));
    view.contentDOM.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
    );
    const section = document.querySelector<HTMLElement>("#base64")!;
    while (section.dataset.state !== "current") {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    return Math.round(longest);
  });
  // deno-lint-ignore no-console -- the figure is worth more than its bound
  console.info(JSON.stringify({ longest }));
  assert(longest < 2_000, `${longest} ms`);
});

test("the page can be used soon after it is asked for", async () => {
  await using visited = await visit();
  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    await visited.page.reload();
    await waitUntilUsable(visited.page);
    times.push(
      await visited.page.evaluate(() =>
        Math.round(performance.getEntriesByName("usable")[0]!.startTime)
      ),
    );
  }
  // deno-lint-ignore no-console -- the figures are worth more than their bounds
  console.info(JSON.stringify({ usableMs: times }));
  assertEquals(times.filter((time) => time > 3_000), []);
});
