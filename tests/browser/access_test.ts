/// <reference lib="dom" />

/** The page for everybody: focus, names, announcements, contrast, without scripts. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { findViolations } from "./_page.ts";
import { TOOLS, turnOffClasses } from "./_tool.ts";

/** A text that each tool answers. */
const TEXTS: Readonly<Record<string, string>> = {
  base64: "héllo",
  hash: "abc",
  json: '{"a":[1,true,null,"x"]}',
};

/** The name of the focused element, if its focus is shown, or else nothing. */
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
  "every control shows that it has the focus, and every button has its own name",
  async (open, t) => {
    const visited = await open();
    const { page } = visited;
    for (const tool of TOOLS) {
      await t.step(tool, async () => {
        await visited[tool].show();
        if (TEXTS[tool]) await visited[tool].ask(TEXTS[tool]);
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
        // The links of the other tools and the settings come before them.
        assert(seen >= stops, `${seen} of ${stops}`);
      });
    }
  },
);

test("what is wrong is marked, and described by the message", async (open) => {
  const { page, uuid, password, json } = await open("#json");
  const readInput = () =>
    page.locator("#json-input").evaluate(({ ariaInvalid, ariaDescription }) =>
      `${ariaInvalid}, ${ariaDescription}`
    );
  await json.fill("[1,]");
  await json.expectMessage("Invalid JSON");
  assertMatch(await readInput(), /^true, Invalid JSON: .*column 4\.$/);
  await json.ask("[1]");
  assertEquals(await readInput(), "false, ");
  await uuid.show();
  await uuid.set("count", "0");
  await uuid.expectMessage("Enter a number from 1 to 100.");
  await page.locator("[name=count]:invalid[aria-describedby=uuid-message]")
    .waitFor();
  await password.show();
  await turnOffClasses(password);
  await password.expectMessage(
    "Choose at least one of A–Z, a–z, 0–9, Symbols.",
  );
  await page.locator("[name=symbols][aria-describedby=password-message]")
    .waitFor();
});

test("results are announced once, errors after a pause, of the shown tool only", async (open) => {
  const { page, hold, base64, uuid, password, json } = await open("#uuid");
  await uuid.expect(/./);
  await page.locator("#announcer", { hasText: /-4/ }).waitFor();
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    const announcer = document.querySelector("#announcer")!;
    new MutationObserver(() => {
      if (announcer.textContent) told.push(announcer.textContent);
    }).observe(announcer, { childList: true });
  });
  await page.clock.install();
  const readTold = async () => {
    await page.clock.fastForward(2_000);
    return await page.evaluate(() =>
      (globalThis as unknown as { told: string[] }).told.splice(0)
    );
  };
  await uuid.click("[name=regenerate]");
  await uuid.expect(/./);
  assertEquals(await readTold(), [(await uuid.look()).result]);
  await password.show();
  await password.expect(/./);
  const { result: secret } = await password.look();
  assertEquals(await readTold(), [`${secret} (very-strong)`]);
  await json.show();
  for (const text of ["[", "[1", "[1,", "[1,]"]) {
    await json.type(text);
    await page.clock.runFor(200);
  }
  await json.expectMessage("column 4.");
  const told = await readTold();
  assertEquals(told.length, 1);
  assertMatch(told[0]!, /^Invalid JSON.*column 4\.$/);
  const release = await hold();
  await json.fill("[2,]");
  await base64.show();
  await release();
  await json.expectMessage("column 4");
  assertEquals(await readTold(), []);
  await base64.ask("abc", "YWJj");
  await readTold();
  await base64.copy();
  assertEquals(await readTold(), ["Copied."]);
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

test("without scripts there is a notice, and no dead form", async (open, t) => {
  const block = (pattern: string) => ({
    prepare: (page: Page) => page.route(pattern, (route) => route.abort()),
  });
  const ways: [string, Parameters<typeof open>[1]][] = [
    ["off", { javaScriptEnabled: false }],
    ["blocked", block("**/*.js")],
    ["one module missing", block("**/text.js")],
  ];
  const lacking = (page: Page) =>
    page.addInitScript(() => {
      Reflect.deleteProperty(Uint8Array.prototype, "toBase64");
    });
  ways.push(["an old browser", { prepare: lacking }]);
  for (const [name, options] of ways) {
    await t.step(name, async () => {
      const { page, complaints } = await open("", {
        ...options,
        isUnloaded: true,
      });
      // Before, the style that hides the notice may be missing.
      await page.waitForLoadState();
      await page.locator(".notice", {
        hasText: "requires JavaScript and Chrome or Edge 140",
      })
        .waitFor();
      const dead = page.locator("form:visible, button:visible, nav:visible");
      assertEquals(await dead.count(), 0);
      // The browser reports a file that is missing.
      for (const complaint of complaints.splice(0)) {
        assertMatch(complaint, /Failed to fetch/);
      }
    });
  }
});

/** Widths, colour schemes and forced colours, in pairs. */
const LOOKS = [
  [320, { colorScheme: "light", forcedColors: "none" }],
  [768, { colorScheme: "light", forcedColors: "active" }],
  [1440, { colorScheme: "dark", forcedColors: "none" }],
] as const;

/** Checks the page in its present state. */
async function checkLooks(page: Page): Promise<void> {
  for (const [width, media] of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia(media);
    const overflow = await page.evaluate(() =>
      document.documentElement.scrollWidth - innerWidth
    );
    assert(overflow <= 0, `${overflow} px too wide at ${width} px`);
    assertEquals(await findViolations(page), [], `${width} px`);
  }
}

test("axe-core finds no violation in any tool and state", async (open, t) => {
  const visited = await open("", { reducedMotion: "reduce" });
  const { page, hold } = visited;
  for (const tool of TOOLS) {
    await t.step(tool, async () => {
      const driver = visited[tool];
      const text = TEXTS[tool];
      await driver.show();
      if (text) {
        await checkLooks(page);
        await driver.ask(text);
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
      if (tool === "password") await turnOffClasses(driver);
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
});
