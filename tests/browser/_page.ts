/// <reference lib="dom" />

/** Accessibility, layout, colors, and clipboard of the page. */

import { assert, assertEquals } from "@std/assert";
import axe from "axe-core";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";

/** Returns the violations that axe-core finds, of all rules except level AAA. */
async function findViolations(page: Page): Promise<string[]> {
  // The page's policy doesn't apply to the debugger.
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    // Some colors change after a delay, including in the shadow roots of editors.
    const hosts = [...document.querySelectorAll(".editor")];
    const roots = hosts.flatMap(({ shadowRoot }) => shadowRoot ?? []);
    for (const root of [document, ...roots]) {
      for (const animation of root.getAnimations()) animation.finish();
    }
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await axe.run({
      runOnly: [...levels, "best-practice"],
      resultTypes: ["violations"],
    });
    return violations.map(({ id, nodes }) =>
      `${id}: ${nodes.map(({ html }) => html).join(", ")}`
    );
  });
}

/** Checks that the page isn't wider than its window, and has no violation. */
export async function checkAccessibility(page: Page): Promise<void> {
  const { overflow, width } = await page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    return { overflow: scrollWidth - innerWidth, width: innerWidth };
  });
  assert(overflow <= 0, `${overflow} px too wide at ${width} px`);
  assertEquals(await findViolations(page), [], `${width} px`);
}

/** Clicks a button that downloads a file. Returns the name and the content of the file. */
export async function download(page: Page, selector: string) {
  const started = page.waitForEvent("download");
  await page.click(selector);
  const file = await started;
  const bytes = await Deno.readFile(await file.path());
  return {
    name: file.suggestedFilename(),
    bytes,
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
  };
}

/** Returns the text on the clipboard, after writing `text` if it is set. */
export function clipboard(page: Page, text?: string): Promise<string> {
  return page.evaluate(async (text) => {
    if (text !== undefined) await navigator.clipboard.writeText(text);
    return await navigator.clipboard.readText();
  }, text);
}

/** Pastes text into the focused element. */
export async function paste(page: Page, text: string): Promise<void> {
  await clipboard(page, text);
  await page.keyboard.press("Control+V");
}

/** The content of a paste: strings by media type, and files. */
interface Pasted {
  readonly texts?: Readonly<Record<string, string>>;
  readonly files?: readonly { name: string; content: string }[];
}

/** Pastes strings and files, as programs other than browsers provide them. */
export async function pasteData(page: Page, pasted: Pasted): Promise<void> {
  await page.evaluate(({ texts = {}, files = [] }) => {
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(texts)) {
      clipboardData.setData(type, text);
    }
    for (const { name, content } of files) {
      clipboardData.items.add(new File([content], name));
    }
    const focused = document.activeElement!;
    const target = focused.shadowRoot?.activeElement ?? focused;
    target.dispatchEvent(
      new ClipboardEvent("paste", {
        clipboardData,
        bubbles: true,
        cancelable: true,
        composed: true,
      }),
    );
  }, pasted);
}

/** The background of the page in light and in dark colors. */
export const [LIGHT, DARK] = ["rgb(243, 245, 244)", "rgb(15, 19, 18)"];

export function readBackground(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

/** Returns the edges of an element, in pixels of the window. */
export async function readBox(page: Page, selector: string) {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

/** Returns the expected digest, in hexadecimal. */
export function digest(
  text: string | Uint8Array,
  algorithm = "sha256",
): string {
  return createHash(algorithm).update(text).digest("hex");
}
