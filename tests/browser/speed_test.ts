/// <reference lib="dom" />

/**
 * Large texts. What a browser needs by itself is measured beside: the same text
 * in a text area of a page without scripts.
 */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { expectMessage, visit } from "./_browser.ts";

/** A JSON text of about 1 MiB in lines as they are common, or in one line. */
function createJson(lineEnd: string): string {
  const item =
    `  {"id": 12345, "name": "widget", "tags": ["new", "sale"]},${lineEnd}`;
  return `[${item.repeat(Math.floor(1_048_576 / item.length))}1]`;
}

/** How long frames took at most, and the page's own scripts in one, in milliseconds. */
interface Durations {
  readonly frame: number;
  readonly scripts: number;
}

/** Starts to measure; what scripts force the browser to lay out counts as theirs. */
async function watchFrames(page: Page): Promise<() => Promise<Durations>> {
  const frames = await page.evaluateHandle(() => {
    const frames: [number, number][] = [];
    new PerformanceObserver((list) => {
      for (const frame of list.getEntries()) {
        // deno-lint-ignore no-explicit-any -- TypeScript does not know it yet
        const { scripts } = frame as any;
        const durations = scripts.map(({ duration }: PerformanceEntry) =>
          duration
        );
        frames.push([frame.duration, Math.max(0, ...durations)]);
      }
    }).observe({ type: "long-animation-frame" });
    return frames;
  });
  return async () => {
    // What is observed is handed over in a task of its own.
    await page.evaluate(() =>
      new Promise((resolve) => setTimeout(resolve, 100))
    );
    const durations = await frames.evaluate((frames) => frames.splice(0));
    return {
      frame: Math.max(0, ...durations.map(([frame]) => frame)),
      scripts: Math.max(0, ...durations.map(([, scripts]) => scripts)),
    };
  };
}

async function pasteAndType(
  page: Page,
  text: string,
  finish: () => Promise<unknown>,
): Promise<{ paste: Durations; typing: Durations }> {
  await page.evaluate((text) => navigator.clipboard.writeText(text), text);
  const readFrames = await watchFrames(page);
  await page.keyboard.press("Control+V");
  await finish();
  const paste = await readFrames();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  for (let i = 0; i < 5; i += 1) {
    await page.keyboard.press("Space");
    await finish();
  }
  return { paste, typing: await readFrames() };
}

Deno.test("1 MiB of JSON is pasted and typed in without long tasks of the page's own making", async (t) => {
  for (
    const [name, end, start] of [
      ["many lines", "\n", ""],
      ["one line", "", ""],
      ["CRLF", "\r\n", ""],
      ["not valid", "\n", "x"],
      ["not valid in one line", "", "x"],
    ] as const
  ) {
    await t.step(name, async () => {
      await using visited = await visit("#json", {
        // What is escaped in the request counts too.
        variables: { MAX_BODY_BYTES: "4000000" },
      });
      const { page } = visited;
      const text = createJson(end) + start;
      await page.focus("#json-input");
      const own = await pasteAndType(
        page,
        text,
        () =>
          start
            ? expectMessage(page, "json", "Not valid JSON")
            : page.waitForFunction(() =>
              document.querySelector<HTMLElement>("#json")!.dataset.state ===
                "current"
            ),
      );
      const bare = await page.context().newPage();
      await bare.goto(visited.origin);
      await bare.evaluate(() => {
        const area = document.querySelector<HTMLTextAreaElement>(
          "#json-input",
        )!;
        const copy = area.cloneNode() as HTMLTextAreaElement;
        document.body.replaceChildren(copy);
        copy.style.cssText =
          "font: 14px/22px monospace; white-space: pre; height: 400px; width: 500px";
        copy.focus();
      });
      const browser = await pasteAndType(
        bare,
        text,
        () => bare.evaluate(() => new Promise(requestAnimationFrame)),
      );
      const durations = JSON.stringify({ name, own, browser });
      // deno-lint-ignore no-console -- the figures are worth more than their bounds
      console.info(durations);
      // A script that asks where something is waits for what the browser lays
      // out anyway.
      assert(own.typing.scripts - browser.typing.frame < 200, durations);
      assert(own.paste.scripts - browser.paste.frame < 500, durations);
      assertEquals(
        await page.inputValue("#json .ends select"),
        end === "\r\n" ? "CRLF" : end === "" ? "" : "LF",
      );
    });
  }
});
