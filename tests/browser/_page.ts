/// <reference lib="dom" />

/** The page as a whole: its accessibility, its places, and the clipboard. */

import axe from "axe-core";
import { createHash } from "node:crypto";
import type { Page } from "playwright-core";

/** Violations that axe-core finds, of all rules except those of level AAA. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    // Some colours change after a delay, those of editors in shadow roots.
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

/** The text on the clipboard, or the one put there. */
export function clipboard(page: Page, text?: string): Promise<string> {
  return page.evaluate(async (text) => {
    if (text !== undefined) await navigator.clipboard.writeText(text);
    return await navigator.clipboard.readText();
  }, text);
}

/** Puts a text on the clipboard and pastes it where the focus is. */
export async function paste(page: Page, text: string): Promise<void> {
  await clipboard(page, text);
  await page.keyboard.press("Control+V");
}

/** The content of a paste: texts by their types, and files. */
interface Pasted {
  readonly texts?: Readonly<Record<string, string>>;
  readonly files?: readonly { name: string; content: string }[];
}

/** Pastes texts and files where the focus is, as programs other than browsers offer them. */
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

/** The edges of an element, in pixels of the window. */
export async function readBox(page: Page, selector: string) {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

/** A digest that the page should show, in hexadecimal digits. */
export function digest(
  text: string | Uint8Array,
  algorithm = "sha256",
): string {
  return createHash(algorithm).update(text).digest("hex");
}
