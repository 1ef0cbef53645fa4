/// <reference lib="dom" />

/** Services of the browser and of extensions can't read inputs and results. */

import { assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";

/** Attributes that stop services from reading the text of a field. */
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

/** Classes or names of the elements that must have contained an input or a result. */
const CONTAINERS = new Set([
  "cm-line",
  "file-name",
  "line",
  "pre",
  "span",
  "visually-hidden",
]);

/**
 * Visits all elements, including the elements in shadow roots. Returns the elements that
 * contain one of the strings (`containers`), the elements of these that can be translated
 * (`leaking`), the fields that are open to a service (`open`), and the number of fields.
 */
function walk(page: Page, texts: readonly string[]) {
  return page.evaluate(([texts, closed]) => {
    const leaking: string[] = [];
    const containers: string[] = [];
    const open: string[] = [];
    let fields = 0;
    const visit = (element: Element, isTranslated: boolean) => {
      const mark = element.getAttribute("translate");
      const isOpen = mark === null ? isTranslated : mark !== "no";
      const html = (element.cloneNode(false) as Element).outerHTML;
      const own = [...element.childNodes, ...element.attributes]
        .map((node) => node instanceof Element ? "" : node.nodeValue).join(" ");
      if (texts.some((text) => own.includes(text))) {
        containers.push(element.className || element.tagName.toLowerCase());
        if (isOpen) leaking.push(html);
      }
      const isField = element.matches(
        "textarea, [contenteditable=true], input:not([type=checkbox], [type=radio], " +
          "[type=range], [type=file], [type=number])",
      );
      if (isField) {
        fields += 1;
        const isClosed = !isOpen && Object.entries(closed).every(
          ([name, value]) => element.getAttribute(name) === value,
        );
        if (!isClosed) open.push(html);
      }
      const { children, shadowRoot } = element;
      for (const child of [...children, ...shadowRoot?.children ?? []]) {
        visit(child, isOpen);
      }
    };
    visit(document.documentElement, true);
    return { leaking, containers, open, fields };
  }, [texts, CLOSED] as const);
}

test("no input or result is translated, and no field is open to a service", async (open) => {
  const { page, base64, hash, uuid, password, json } = await open();
  const texts = ["canary"];
  const containers = new Set<string>();
  const check = async () => {
    const found = await walk(page, texts);
    assertEquals(found.leaking, []);
    assertEquals(found.open, []);
    for (const name of found.containers) containers.add(name);
    return found.fields;
  };
  await base64.enter("canary");
  await base64.showApiCall();
  await check();
  await base64.click("[name=useAsInput]");
  await base64.expect("canary");
  await check();
  await json.show();
  await json.enter('{"canary":1,"canary":2}');
  await json.expectMessage("canary");
  for (const pane of ["source", "result"]) {
    await page.click(`#json .${pane} .cm-line`);
    await page.keyboard.press("Control+F");
    await page.locator(`#json .${pane} [name=search]`).waitFor();
  }
  // Two inputs, the expected digest, search and replacement, and search in the result.
  assertEquals(await check(), 6);
  await hash.show();
  await page.fill("#hash-expected", "crc32 (canary) = 01234567");
  await hash.enter("canary");
  await check();
  await uuid.show();
  await uuid.expect(/./);
  texts.push((await uuid.read()).result);
  await page.locator("#announcer", { hasText: texts[1]! }).waitFor();
  await check();
  await password.show();
  await password.expect(/./);
  texts.push((await password.read()).result);
  await check();
  texts.push("dropped.txt");
  await base64.show();
  await base64.set("action", "encode");
  await base64.drop(Uint8Array.of(0xff, 0xfe));
  await base64.expect("//4=");
  await check();
  assertEquals(containers.intersection(CONTAINERS), CONTAINERS);
});

test("the browser blocks scripts at other URLs, and HTML from strings", async (open) => {
  const { page, problems } = await open();
  const outcomes = await page.evaluate(async () => {
    const text = "?text";
    const worker = performance.getEntriesByType("resource")
      .find(({ name }) => name.endsWith("/worker.js"))!.name;
    const attempts = [
      () => new Worker(worker + text, { type: "module" }),
      () => navigator.serviceWorker.register(`service_worker.js${text}`),
      () => document.createElement("script").src = worker + text,
      () => document.createElement("script").text = text,
      () => document.body.innerHTML = text,
      () => new DOMParser().parseFromString(text, "text/html"),
    ];
    const outcomes: string[] = [];
    for (const attempt of attempts) {
      try {
        await attempt();
        outcomes.push("permitted");
      } catch (error) {
        outcomes.push((error as Error).name);
      }
    }
    return outcomes;
  });
  assertEquals(outcomes, Array(6).fill("TypeError"));
  // The browser reports each.
  assertEquals(problems.splice(0).length, 6);
});
