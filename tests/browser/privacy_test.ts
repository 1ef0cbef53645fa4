/// <reference lib="dom" />

/** Texts stay out of services of the browser and of extensions, and are kept only if wanted. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test, waitUntilUsable } from "./_browser.ts";

/** Attributes by which a field is closed to services that read its text. */
const CLOSED = {
  spellcheck: "false",
  writingsuggestions: "false",
  autocorrect: "off",
  autocapitalize: "off",
  "data-gramm": "false",
  "data-gramm_editor": "false",
  "data-enable-grammarly": "false",
  "data-lt-active": "false",
};

/** Where the test must have seen an input or a result: classes, or names of elements. */
const PLACES = new Set([
  "cm-line",
  "digit",
  "file-name",
  "pre",
  "print",
  "span",
  "unseen",
]);

/**
 * Walks all elements, those in shadow roots, too. Returns those with one of the texts in
 * their own text that may be translated, where such a text is, the fields for texts
 * that are open to a service, and the number of fields.
 */
function walk(page: Page, texts: readonly string[]) {
  return page.evaluate(([texts, closed]) => {
    const seen = {
      leaking: [] as string[],
      places: [] as string[],
      open: [] as string[],
      fields: 0,
    };
    const describe = (element: Element) => element.cloneNode(false) as Element;
    const visit = (element: Element, isTranslated: boolean) => {
      const mark = element.getAttribute("translate");
      const isOpen = mark === null ? isTranslated : mark !== "no";
      const own = [...element.childNodes]
        .map((node) => node instanceof Text ? node.data : "").join("");
      const labels = [...element.attributes].map(({ value }) => value).join(
        " ",
      );
      if (texts.some((text) => own.includes(text) || labels.includes(text))) {
        seen.places.push(element.className || element.tagName.toLowerCase());
        if (isOpen) seen.leaking.push(describe(element).outerHTML);
      }
      const isField = element.matches(
        "textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], " +
          "[type=range], [type=file], [type=number])",
      );
      if (isField) {
        seen.fields += 1;
        const isClosed = !isOpen && Object.entries(closed).every(
          ([name, value]) => element.getAttribute(name) === value,
        );
        if (!isClosed) seen.open.push(describe(element).outerHTML);
      }
      for (const child of element.children) visit(child, isOpen);
      for (const child of element.shadowRoot?.children ?? []) {
        visit(child, isOpen);
      }
    };
    visit(document.documentElement, true);
    return seen;
  }, [texts, CLOSED] as const);
}

test("no input and no result is translated, and no field is open to a service", async (open) => {
  const { page, base64, hash, uuid, password, json } = await open();
  const texts = ["canary"];
  const places = new Set<string>();
  const check = async () => {
    const seen = await walk(page, texts);
    assertEquals(seen.leaking, []);
    assertEquals(seen.open, []);
    for (const place of seen.places) places.add(place);
    return seen.fields;
  };
  await base64.ask("canary");
  await base64.showApiCall();
  await check();
  await base64.click("[name=useAsInput]");
  await base64.expect("canary");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await check();
  await json.show();
  await json.ask('{"canary":1,"canary":2}');
  await json.expectMessage("canary");
  for (const pane of ["source", "result"]) {
    await page.click(`#json .${pane} .cm-line`);
    await page.keyboard.press("Control+F");
    await page.locator(`#json .${pane} [name=search]`).waitFor();
  }
  // Two inputs, the digest to compare with, search and replacement, search in the result.
  assertEquals(await check(), 6);
  await hash.show();
  await page.fill("#hash-expected", "crc32 (canary) = 01234567");
  await hash.ask("canary");
  await check();
  await uuid.show();
  await uuid.expect(/./);
  texts.push((await uuid.look()).result);
  await page.locator("#announcer", { hasText: texts[1]! }).waitFor();
  await check();
  await password.show();
  for (const name of ["uppercase", "lowercase", "symbols"]) {
    await password.set(name, false);
  }
  await password.expect(/^\d+$/);
  texts.push((await password.look()).result);
  await check();
  texts.push("dropped.txt");
  await base64.show();
  await base64.set("action", "encode");
  await base64.drop(Uint8Array.of(0xff, 0xfe));
  await base64.expect("//4=");
  await check();
  assertEquals(places.intersection(PLACES), PLACES);
});

test("the browser itself starts no other script with a text in its address, and makes no HTML of one", async (open) => {
  const { page, complaints } = await open();
  const outcomes = await page.evaluate(async () => {
    const text = "?text";
    const worker = performance.getEntriesByType("resource")
      .find(({ name }) => name.endsWith("/worker.js"))!.name;
    const ways = [
      () => new Worker(worker + text, { type: "module" }),
      () => navigator.serviceWorker.register(`service_worker.js${text}`),
      () => document.createElement("script").src = worker + text,
      () => document.createElement("script").text = text,
      () => document.body.innerHTML = text,
      () => new DOMParser().parseFromString(text, "text/html"),
    ];
    const outcomes: string[] = [];
    for (const way of ways) {
      try {
        await way();
        outcomes.push("permitted");
      } catch (error) {
        outcomes.push((error as Error).name);
      }
    }
    return outcomes;
  });
  assertEquals(outcomes, Array(6).fill("TypeError"));
  // The browser names each.
  assertEquals(complaints.splice(0).length, 6);
});

test("the choice to remember the input holds in every tab", async (open) => {
  const { page, base64 } = await open();
  const box = page.getByLabel("Remember my input");
  assertEquals(await box.isChecked(), false);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await waitUntilUsable(other);
  await other.getByLabel("Remember my input").check();
  await page.waitForFunction(() =>
    document.querySelector<HTMLInputElement>("#keep")!.checked
  );
  await base64.ask("kept");
  const reload = async () => {
    await page.reload();
    await waitUntilUsable(page);
    return (await base64.look()).input;
  };
  assertEquals(await reload(), "kept");
  await other.getByLabel("Remember my input").uncheck();
  await page.waitForFunction(() => sessionStorage.length === 0);
  assertEquals(await reload(), "");
});
