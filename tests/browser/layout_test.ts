/// <reference lib="dom" />

/** Layout: panes, messages, lists and touch targets on windows of all sizes. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { clipboard, copy, readBox, test, visit } from "./_browser.ts";

test("wide windows have input and result side by side above the fold", async () => {
  for (
    const [width, height] of [[1000, 700], [1440, 900], [1920, 1080]] as const
  ) {
    await using visited = await visit("", { viewport: { width, height } });
    const { page, tools } = visited;
    for (const tool of ["base64", "hash", "json"]) {
      await tools[tool]!.show();
      const bar = await readBox(page, `#${tool} .bar`);
      const input = await readBox(page, `#${tool} .source`);
      const result = await readBox(page, `#${tool} .result`);
      const foot = await readBox(page, "footer");
      assertEquals(input.top, result.top);
      assert(bar.bottom <= input.top && input.right <= result.left);
      assert(result.bottom < foot.top && foot.bottom <= height);
      assert(result.height > height - 240, `${tool}: ${result.height}`);
    }
    for (const tool of ["uuid", "password"]) {
      await tools[tool]!.show();
      assert((await readBox(page, `#${tool} .result`)).bottom <= height);
    }
  }
});

test("phones have the name of the page and its settings in one row", async () => {
  for (const width of [320, 390]) {
    await using visited = await visit("", { viewport: { width, height: 700 } });
    const name = await readBox(visited.page, "h1");
    const settings = await readBox(visited.page, ".settings");
    assert(settings.top < name.bottom, `${width} px`);
  }
});

test("nothing moves while the page loads", async (open) => {
  for (const name of ["base64", "uuid", "json"]) {
    for (const width of [320, 412, 1440]) {
      await open.step(`${name}, ${width} px`, async () => {
        await using visited = await visit(`#${name}`, {
          viewport: { width, height: 800 },
          prepare: (page) => page.addInitScript(observeShifts),
        });
        const { page } = visited;
        await page.waitForFunction(() =>
          new Promise((resolve) => requestAnimationFrame(resolve))
        );
        assertEquals(await page.evaluate("shifts"), []);
      });
    }
  }
});

/** A move of elements that no input caused (Layout Instability API). */
interface LayoutShift extends PerformanceEntry {
  readonly sources: readonly { readonly node: Node | null }[];
}

/** Collects the elements that move, in the global variable `shifts`. */
function observeShifts() {
  const shifts: string[] = [];
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const { sources } of list.getEntries() as LayoutShift[]) {
      for (const { node } of sources) {
        shifts.push(node instanceof Element ? node.className : "a text");
      }
    }
  }).observe({ type: "layout-shift", buffered: true });
}

test("phones have the result within reach", async () => {
  for (const width of [320, 390]) {
    await using visited = await visit("", { viewport: { width, height: 660 } });
    const { page, tools } = visited;
    for (const tool of ["base64", "hash", "json"]) {
      await tools[tool]!.show();
      await tools[tool]!.ask('["a"]', /./);
      const input = await readBox(page, `#${tool} .source`);
      const result = await readBox(page, `#${tool} .result .head`);
      assert(input.bottom <= result.top);
      assert(
        result.bottom + 30 <= 660,
        `${tool}: the first line is at ${result.top}`,
      );
    }
  }
});

test("the last good result stays, without a jump, while JSON is not valid", async (open) => {
  const { page, json } = await open("#json", {
    viewport: { width: 320, height: 800 },
  });
  await json.ask("[1]", "[\n  1\n]");
  const read = () =>
    page.evaluate(() => {
      const box = document.querySelector("#json .result .editor")!;
      const { top, height } = box.getBoundingClientRect();
      return { top: top + scrollY, height };
    });
  const before = await read();
  await json.fill("[1,");
  await json.expectMessage("Not valid JSON");
  assertEquals(await read(), before);
  await page.locator("#json .badge:not(:empty)").waitFor();
  const { state, badge, result, isUsable } = await json.look();
  assertEquals({ state, badge, result, isUsable }, {
    state: "stale",
    badge: "Of the last valid input",
    result: "[\n  1\n]",
    isUsable: false,
  });
  const isCut = await page.locator("#json .result .badge").evaluate(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  );
  assert(!isCut);
});

/** Whether two elements share a part of the page. */
async function overlap(page: Page, selectors: readonly string[]) {
  const [a, b] = await Promise.all(
    selectors.map((selector) => page.locator(selector).boundingBox()),
  );
  return a!.x < b!.x + b!.width && b!.x < a!.x + a!.width &&
    a!.y < b!.y + b!.height && b!.y < a!.y + a!.height;
}

test("messages and badges stand beside each other, and are seen whole", async (open) => {
  for (const width of [320, 390, 1440]) {
    await open.step(`${width} px`, async () => {
      await using visited = await visit("#uuid?count=100", {
        viewport: { width, height: 800 },
      });
      const { page, uuid, password } = visited;
      await uuid.expect(/./);
      await page.fill("#uuid [name=count]", "500");
      await uuid.expectMessage("The count must be");
      await page.locator("#uuid .badge:visible", {
        hasText: "Previous UUIDs",
      }).waitFor();
      await page.locator("#uuid .message").scrollIntoViewIfNeeded();
      const isCut = await page.locator("#uuid .message").evaluate(
        ({ scrollHeight, clientHeight }) => scrollHeight > clientHeight + 1,
      );
      assert(!isCut);
      assert(!await overlap(page, ["#uuid .message", "#uuid .badge"]));
      await password.show();
      await password.expect(/./);
      await page.route("**/api/password*", (route) => route.abort());
      await page.click("#password [name=again]");
      await password.expectMessage("cannot be reached");
      await page.locator("#password .badge:visible", {
        hasText: "Previous password",
      }).waitFor();
      for (const part of [".message", ".actions", ".output", ".strength"]) {
        const parts = [`#password ${part}`, "#password .badge"];
        assert(!await overlap(page, parts), part);
      }
    });
  }
});

test("UUIDs are a list on every width, copied whole in a form", async (open) => {
  for (const width of [320, 1440]) {
    await open.step(`${width} px`, async () => {
      await using visited = await visit("#uuid?count=3", {
        viewport: { width, height: 900 },
      });
      const { page, uuid } = visited;
      await uuid.expect(/^(.{36}\n){2}.{36}$/);
      const { result } = await uuid.look();
      const [first = ""] = result.split("C");
      const readPlaces = (selector: string) =>
        page.locator(selector).evaluateAll((elements) =>
          elements.map((element) => {
            const { left, top, height } = element.getBoundingClientRect();
            return { left, top, height };
          })
        );
      const lines = await readPlaces("#uuid .line");
      assertEquals(new Set(lines.map(({ left }) => left)).size, 1);
      assertEquals(new Set(lines.map(({ top }) => top)).size, 3);
      assert(lines.every(({ height }) => height < 40), "on one line each");
      assertEquals(await page.innerText("#uuid .primary .label"), "Copy all 3");
      const lists: Record<string, RegExp> = {
        lines: /^(\S{36}\n){2}\S{36}$/,
        upper: /^([\dA-F-]{36}\n){2}[\dA-F-]{36}$/,
        bare: /^([\da-f]{32}\n){2}[\da-f]{32}$/,
        quoted: /^('[\da-f-]{36}',\n){2}'[\da-f-]{36}'$/,
        json: /^\[\n( {2}"[\da-f-]{36}",\n){2} {2}"[\da-f-]{36}"\n\]$/,
      };
      for (const [form, list] of Object.entries(lists)) {
        await page.selectOption("#uuid [name=form]", form);
        await copy(page, "#uuid .primary");
        assertMatch(await clipboard(page), list);
      }
      assert(first !== "");
      // The controls stay where they are, and Enter makes new ones.
      const controls = "#uuid .actions, #uuid .options";
      const before = await readPlaces(controls);
      await page.fill("#uuid [name=count]", "100");
      await uuid.expect(/^(.{36}\n){99}.{36}$/);
      assertEquals(await readPlaces(controls), before);
      const { result: old } = await uuid.look();
      const answered = page.waitForResponse("**/api/uuid*");
      await page.press("#uuid [name=count]", "Enter");
      await answered;
      await uuid.expect(/./);
      assert((await uuid.look()).result !== old);
      await page.fill("#uuid [name=count]", "1");
      await uuid.expect(/^\S{36}$/);
      assertEquals(await readPlaces(controls), before);
    });
  }
});

/** A phone. */
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

test("on a phone every control is at least 44 px high", async (open) => {
  const { page, tools } = await open("", PHONE);
  const texts = { base64: "a", hash: "a\r\nb", json: '{"a":1,"a":2}' };
  for (const tool of ["base64", "hash", "uuid", "password", "json"]) {
    await tools[tool]!.show();
    const text = texts[tool as keyof typeof texts];
    if (text) await tools[tool]!.fill(text);
    if (tool === "uuid") await page.fill("#uuid [name=count]", "3");
    await tools[tool]!.expect(/./);
    await page.tap(`#${tool} [name=code]`);
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(
        "a, button, select, textarea, label, [type=number], [type=range]",
      )]
        // The label is the target of a control inside it, and links in a text have its line height.
        .filter((element) =>
          element.checkVisibility() && !element.closest("footer") &&
          !(element.matches("label") && !element.querySelector("input"))
        )
        .map((element) => ({
          name: element.textContent.trim() || element.outerHTML,
          height: element.getBoundingClientRect().height,
        }))
    );
    assert(sizes.length >= 15, `${sizes.length}`);
    assertEquals(sizes.filter(({ height }) => height < 44), [], tool);
  }
});

test("on a phone large results scroll in their panes, and the page ends with its footer", async (open) => {
  const { page, json, uuid } = await open("#json", PHONE);
  const readEnd = () =>
    page.evaluate(() => {
      const { scrollHeight } = document.documentElement;
      const { bottom } = document.querySelector("footer")!
        .getBoundingClientRect();
      return { scrollHeight, footer: Math.round(bottom + scrollY) };
    });
  const numbers = Array.from({ length: 2_000 }, (_, i) => i);
  await json.ask(JSON.stringify(numbers), /^\[/);
  const { scrollHeight, footer } = await readEnd();
  assertEquals(footer, scrollHeight);
  assert(scrollHeight < 1_200, `${scrollHeight}`);
  await uuid.show();
  await page.fill("#uuid [name=count]", "100");
  await uuid.expect(/^(.{36}\n){99}.{36}$/);
  const end = await readEnd();
  assertEquals(end.footer, end.scrollHeight);
  assert(end.scrollHeight < 1_200, `${end.scrollHeight}`);
});
