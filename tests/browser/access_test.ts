/// <reference lib="dom" />

/** Accessibility: focus, names, announcements, contrast, and the page without scripts. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { checkAccessibility } from "./_page.ts";
import { TOOLS, turnOffCharacterSets } from "./_tool.ts";

/** An input of each tool that has one. */
const TEXTS: Readonly<Record<string, string>> = {
  base64: "héllo",
  hash: "abc",
  json: '{"a":[1,true,null,"x"]}',
};

/** Returns the name of the focused element, or an empty string if its focus isn't visible. */
function readFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement!;
    // The title of a pane is underlined.
    const head = element.parentElement!.querySelector(".head");
    const isUnderlined = element.matches(".editor") && head &&
      getComputedStyle(head, "::after").borderBottomStyle === "solid";
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const isOutlined = `${outlineStyle} ${outlineWidth}` === "solid 2px";
    const { tagName, textContent } = element;
    return isUnderlined || isOutlined ? `${tagName} ${textContent}` : "";
  });
}

test(
  "every control shows its focus, and every button has a unique name",
  async (open, t) => {
    const visited = await open();
    const { page } = visited;
    for (const tool of TOOLS) {
      await t.step(tool, async () => {
        await visited[tool].show();
        if (TEXTS[tool]) await visited[tool].enter(TEXTS[tool]);
        await visited[tool].showApiCall();
        const names = (await page.locator(`#${tool} button:visible`)
          .allTextContents()).map((name) =>
            name.replaceAll(/\s+/g, " ").trim()
          );
        assertEquals(new Set(names).size, names.length, names.join());
        const stops = await page.locator(
          `#${tool} :is(button, .editor, pre, select, textarea, [type=number], [type=checkbox], [type=range], [type=radio]:checked):visible:not(:disabled)`,
        ).count();
        assert(stops >= 6);
        await page.focus("nav [aria-current]");
        let seen = 0;
        for (;; seen += 1) {
          await page.keyboard.press("Tab");
          const name = await readFocus(page);
          assert(name !== "", `stop ${seen} shows no focus`);
          if (name.includes("API reference")) break;
        }
        assert(seen >= stops, `${seen} of ${stops}`);
      });
    }
  },
);

test("an invalid field is marked and described by the message", async (open) => {
  const { page, uuid, json } = await open("#json");
  const readInput = () =>
    page.locator("#json-input").evaluate(({ ariaInvalid, ariaDescription }) =>
      `${ariaInvalid}, ${ariaDescription}`
    );
  await json.fill("[1,]");
  await json.expectMessage("Invalid JSON");
  assertMatch(await readInput(), /^true, Invalid JSON: .*column 4\.$/);
  await json.enter("[1]");
  assertEquals(await readInput(), "false, ");
  await uuid.show();
  await uuid.set("count", "0");
  await uuid.expectMessage("Enter a number from 1 to 100.");
  await page.locator("[name=count]:invalid[aria-describedby=uuid-message]")
    .waitFor();
});

test("results are announced once, errors after a pause, and only of the shown tool", async (open) => {
  const { page, hold, base64, uuid, password, json } = await open("#uuid");
  await uuid.expect(/./);
  await page.locator("#announcer", { hasText: /-4/ }).waitFor();
  await page.evaluate(() => {
    const announced: string[] = [];
    Object.assign(globalThis, { announced });
    const announcer = document.querySelector("#announcer")!;
    new MutationObserver(() => {
      if (announcer.textContent) announced.push(announcer.textContent);
    }).observe(announcer, { childList: true });
  });
  await page.clock.install();
  const readAnnounced = async () => {
    await page.clock.fastForward(2_000);
    return await page.evaluate(() =>
      (globalThis as unknown as { announced: string[] }).announced.splice(0)
    );
  };
  await uuid.click("[name=regenerate]");
  await uuid.expect(/./);
  assertEquals(await readAnnounced(), [(await uuid.read()).result]);
  await password.show();
  await password.expect(/./);
  const { result: secret } = await password.read();
  assertEquals(await readAnnounced(), [`${secret} (very-strong)`]);
  await json.show();
  for (const text of ["[", "[1", "[1,", "[1,]"]) {
    await json.type(text);
    await page.clock.runFor(200);
  }
  await json.expectMessage("column 4.");
  const [announced, ...later] = await readAnnounced();
  assertMatch(announced!, /^Invalid JSON.*column 4\.$/);
  assertEquals(later, []);
  const release = await hold();
  await json.fill("[2,]");
  await base64.show();
  await release();
  await json.expectMessage("column 4");
  assertEquals(await readAnnounced(), []);
});

test("the focus is never lost", async (open) => {
  const { page, hold, hash } = await open("#hash");
  const release = await hold();
  await hash.fill("abc");
  await hash.until("badge", "Computing…");
  await page.keyboard.press("Escape");
  await hash.expectMessage("canceled");
  await release();
  await page.focus("#hash .message button");
  await page.keyboard.press("Enter");
  await hash.expect(/./);
  await page.locator("#hash .source .editor:focus").waitFor();
  await hash.copy(".digest [name=copy]");
  await page.locator("#hash [name=copy]:focus").waitFor();
});

test(
  "without its scripts the page shows a notice and no form",
  async (open, t) => {
    const block = (pattern: string) => ({
      prepare: (page: Page) => page.route(pattern, (route) => route.abort()),
    });
    const old = (page: Page) =>
      page.addInitScript(() => {
        Reflect.deleteProperty(Uint8Array.prototype, "toBase64");
      });
    const causes: [string, Parameters<typeof open>[1]][] = [
      ["off", { javaScriptEnabled: false }],
      ["blocked", block("**/*.js")],
      ["one module missing", block("**/text.js")],
      ["an old browser", { prepare: old }],
    ];
    for (const [name, options] of causes) {
      await t.step(name, async () => {
        const { page, problems } = await open("", {
          ...options,
          isUnloaded: true,
        });
        // Earlier, the style that hides the notice might be missing.
        await page.waitForLoadState();
        const hasText = "requires JavaScript and Chrome or Edge 140";
        await page.locator(".notice", { hasText }).waitFor();
        const forms = page.locator("form:visible, button:visible, nav:visible");
        assertEquals(await forms.count(), 0);
        // The browser reports a file that is missing.
        for (const problem of problems.splice(0)) {
          assertMatch(problem, /Failed to fetch/);
        }
      });
    }
  },
);

/** Widths, each with media features. */
const LOOKS = [
  [320, { colorScheme: "light", forcedColors: "none" }],
  [768, { colorScheme: "light", forcedColors: "active" }],
  [1440, { colorScheme: "dark", forcedColors: "none" }],
] as const;

/** Checks the page in its current state. */
async function checkLooks(page: Page): Promise<void> {
  for (const [width, media] of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia(media);
    await checkAccessibility(page);
  }
}

test(
  "every tool fits the window in every state, and axe-core finds no violation",
  async (open, t) => {
    const visited = await open("", { reducedMotion: "reduce" });
    const { page, hold } = visited;
    for (const tool of TOOLS) {
      await t.step(tool, async () => {
        const driver = visited[tool];
        const text = TEXTS[tool];
        await driver.show();
        if (text) {
          await checkLooks(page);
          await driver.enter(text);
        }
        if (tool === "hash") await page.fill("#hash-expected", "abc");
        await driver.showApiCall();
        await checkLooks(page);
        const release = await hold();
        if (text) await driver.fill(`${text} `);
        else await driver.click("[name=regenerate]");
        await driver.until("badge", /./);
        await checkLooks(page);
        await release();
        if (tool === "base64") await driver.set("action", "decode");
        if (text) await driver.fill(tool === "hash" ? "\ud800" : "[1,");
        if (tool === "uuid") await driver.set("count", "0");
        if (tool === "password") await turnOffCharacterSets(driver);
        await driver.until("message", /./);
        await checkLooks(page);
      });
    }
    await page.focus("#json-input");
    await page.keyboard.press("Control+F");
    await page.locator("#json .cm-search").waitFor();
    await checkLooks(page);
    await page.click("#help");
    await checkLooks(page);
  },
);
