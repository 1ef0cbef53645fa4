/// <reference lib="dom" />

/** The page around the tools: loading, URLs, settings, theme, shortcuts, and layout. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { openNextTab, reload, test, waitUntilComplete } from "./_browser.ts";
import { clipboard, DARK, LIGHT, readBackground, readBox } from "./_page.ts";
import { TOOLS } from "./_tool.ts";

test("while modules load, the form of the tool is visible but inert", async (open) => {
  const release = Promise.withResolvers<void>();
  const { page, json } = await open("#json?minify", {
    isUnloaded: true,
    prepare: (page) =>
      page.route("**/packages.js", async (route) => {
        await release.promise;
        await route.continue();
      }),
  });
  await page.locator("#json .source h3").waitFor();
  assertEquals(await page.textContent("nav [aria-current]"), "JSON");
  await page.locator("#json form[inert][aria-busy=true]").waitFor();
  assert(!await page.isVisible(".notice"));
  release.resolve();
  await waitUntilComplete(page);
  await json.enter("[ ]", "[]");
  assertEquals(await page.locator("[inert], [aria-busy=true]").count(), 0);
});

test("links open each tool, and the URL contains its options", async (open) => {
  const visited = await open("#hash?sha512");
  const { page, origin, hash, password, json } = visited;
  const waitForFragment = (expected: string) =>
    page.waitForFunction((hash) => location.hash === hash, expected);
  assert(await page.isChecked("#hash [value=sha512]"));
  await hash.fill("secret");
  await hash.set("algorithm", "sha1");
  await waitForFragment("#hash?sha1");
  await json.show();
  await json.set("indent", "4");
  await waitForFragment("#json?indent=4");
  await page.goBack();
  await page.locator("#hash form").waitFor();
  assert(await page.isChecked("#hash [value=sha1]"));
  for (const tool of TOOLS) {
    await visited[tool].show();
    assertEquals(await page.locator("main > section:visible").count(), 1);
    const current = await page.getAttribute("nav a[aria-current]", "href");
    assertEquals(current?.split("?")[0], `#${tool}`);
  }
  await page.goto(`${origin}/#password?length=24&symbols=false`);
  await password.expect(/^[A-Za-z0-9]{24}$/);
});

test("an invalid option is reported and removed from the URL", async (open) => {
  const { page, uuid } = await open("#uuid?count=500");
  await uuid.expectMessage('The URL contains an invalid part: "count=500".');
  await uuid.expect(/^\S{36}$/);
  await uuid.set("count", "5");
  await uuid.expect(/^(\S{36}\n){4}\S{36}$/);
  await uuid.set("count", "500");
  await uuid.expectMessage("Enter a number from 1 to 100.");
  assertEquals(await page.evaluate(() => location.hash), "#uuid");
});

test("tool, options, notation, language, and wrapping are remembered", async (open) => {
  const { page, origin, uuid } = await open("#uuid?count=2");
  await uuid.set("copyAs", "json");
  await uuid.expect(/^"[\w-]{36}"\n"[\w-]{36}"$/);
  await uuid.showApiCall();
  await uuid.set("language", "python");
  const next = await openNextTab(page, origin);
  assertEquals(new URL(next.url()).hash, "#uuid?count=2");
  await next.locator("#uuid .line", { hasText: '"' }).first().waitFor();
  assertEquals(await next.inputValue("#uuid [name=copyAs]"), "json");
  await next.locator("#uuid .api-call pre", { hasText: "urllib" }).waitFor();
});

/** Whether the text of each visible editor is wider than the editor. */
function readOverflow(page: Page): Promise<boolean[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".editor")]
      .filter((host) => host.checkVisibility())
      .map((host) => {
        const scroller = host.shadowRoot!.querySelector(".cm-scroller")!;
        return scroller.scrollWidth > scroller.clientWidth;
      })
  );
}

test("long lines are wrapped in all editors or in none, even after a reload", async (open) => {
  const { page, base64, json } = await open("#json?minify");
  const text = JSON.stringify(Array.from({ length: 400 }, (_, i) => i));
  await json.enter(text, text);
  assertEquals(await readOverflow(page), [false, false]);
  await json.click("[name=wrapLines]");
  assertEquals(await readOverflow(page), [true, true]);
  await reload(page);
  await base64.show();
  await base64.enter(text);
  assertEquals(await readOverflow(page), [true, true]);
  await base64.click("[name=wrapLines]");
  assertEquals(await readOverflow(page), [false, false]);
});

test("the page follows the system theme, and works without storage", async (open) => {
  const backgrounds: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const { page, base64 } = await open("", {
      colorScheme,
      prepare: (page) =>
        page.addInitScript(() => {
          if (location.protocol === "about:") return;
          for (const name of ["localStorage", "sessionStorage"] as const) {
            const storage = globalThis[name];
            Object.defineProperty(globalThis, name, {
              get() {
                if ("isPermitted" in globalThis) return storage;
                throw new DOMException("denied", "SecurityError");
              },
            });
          }
        }),
    });
    backgrounds.push(await readBackground(page));
    await page.keyboard.type("abc");
    await base64.expect("YWJj");
    await page.selectOption("#theme", "light");
    assertEquals(await readBackground(page), backgrounds[0]);
    // The end of each test reads the storages.
    await page.evaluate(() => Object.assign(globalThis, { isPermitted: true }));
  }
  assertEquals(backgrounds, [LIGHT, DARK]);
});

test("shortcuts copy, search, and close the search", async (open) => {
  const { page, base64, hash } = await open();
  await base64.enter("abc", "YWJj");
  await page.keyboard.press("Control+F");
  await page.locator("#base64 .cm-search").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#base64 .source .editor:focus").waitFor();
  await page.keyboard.press("Control+Shift+Enter");
  await page.locator("#base64 .primary", { hasText: "Copied" }).waitFor();
  assertEquals(await clipboard(page), "YWJj");
  await hash.show();
  await hash.set("algorithm", "sha1");
  await hash.expect(/^da39a3ee/);
  await page.keyboard.press("Control+Shift+Enter");
  await page.locator("#hash [name=copy]", { hasText: "Copied" }).waitFor();
  assertMatch(await clipboard(page), /^da39a3ee/);
});

type Keys = Omit<KeyboardEventInit, "view">;

/** Presses a key on another keyboard layout. Returns whether the page handled it. */
function pressKey(page: Page, keys: Keys): Promise<boolean> {
  return page.evaluate((keys) => {
    const options = { bubbles: true, cancelable: true, composed: true };
    const event = new KeyboardEvent("keydown", { ...options, ...keys });
    return !document.activeElement!.dispatchEvent(event);
  }, keys);
}

test("shortcuts use the letter of a key, or its position if the letter isn’t Latin", async (open) => {
  const { page, base64, hash } = await open();
  const ctrl = { ctrlKey: true };
  await base64.enter("abc", "YWJj");
  await page.focus("#base64 button.primary");
  // Reload on Colemak, view source on Dvorak, search on Bépo.
  const unhandled = [
    { ...ctrl, shiftKey: true, code: "KeyS", key: "R" },
    { ...ctrl, code: "KeyF", key: "u" },
    { ...ctrl, code: "KeyF", key: "e" },
    { ...ctrl, shiftKey: true, altKey: true, code: "Digit2", key: "¡" },
  ];
  for (const keys of unhandled) {
    assert(!await pressKey(page, keys), `${keys.code} ${keys.key}`);
  }
  assertEquals((await base64.read()).input, "abc");
  assertEquals(await page.locator(".cm-search").count(), 0);
  const shift = { ...ctrl, shiftKey: true };
  assert(await pressKey(page, { ...shift, code: "Digit6", key: "^" }));
  await base64.until("input", "YWJj");
  await base64.expect("abc");
  assert(await pressKey(page, { ...ctrl, code: "KeyY", key: "f" }));
  await page.locator("#base64 .cm-search").waitFor();
  await page.keyboard.press("Escape");
  await page.focus("#base64 button.primary");
  assert(await pressKey(page, { ...ctrl, code: "KeyF", key: "а" }));
  await page.locator("#base64 .cm-search").waitFor();
  assert(await pressKey(page, { ...shift, code: "Digit2", key: "@" }));
  await hash.until("state", "current");
});

test("a stored theme is applied before the first paint, and in every tab", async (open) => {
  const release = Promise.withResolvers<void>();
  const { page, origin } = await open("", {
    colorScheme: "light",
    isUnloaded: true,
    prepare: async (page) => {
      await page.addInitScript(() => {
        localStorage.setItem("developer-utilities", '{"theme":"dark"}');
      });
      await page.route("**/start.js", async (route) => {
        await release.promise;
        await route.continue();
      });
    },
  });
  await page.locator("footer").waitFor({ state: "attached" });
  await page.waitForFunction(
    (dark) => getComputedStyle(document.body).backgroundColor === dark,
    DARK!,
  );
  release.resolve();
  await waitUntilComplete(page);
  const next = await openNextTab(page, origin);
  await next.selectOption("#theme", "light");
  await page.waitForFunction(() =>
    document.querySelector<HTMLSelectElement>("#theme")!.value === "light"
  );
  assertEquals(await readBackground(page), LIGHT);
});

test(
  "no part covers another in a low window",
  async (open, t) => {
    const visited = await open();
    const { page } = visited;
    const sizes = [[1366, 625], [900, 380], [360, 500]];
    for (const tool of TOOLS) {
      await visited[tool].show();
      for (const [width, height] of sizes) {
        await t.step(`${tool}, ${width} × ${height}`, async () => {
          await page.setViewportSize({ width: width!, height: height! });
          const isGenerator = tool === "uuid" || tool === "password";
          const selectors = isGenerator
            ? [".output", ".actions", ".options", ".status"]
            : [".panes", ".status"];
          let end = 0;
          for (const selector of selectors) {
            const part = `#${tool} ${selector}`;
            const { top, bottom } = await readBox(page, part);
            assert(top >= end - 1, `${part} starts at ${top}, before ${end}`);
            end = bottom;
          }
          if (isGenerator) return;
          const editor = await readBox(page, `#${tool} .source .editor`);
          assert(editor.height >= 76, `${editor.height}`);
        });
      }
    }
  },
);

/** A phone. */
const PHONE = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
};

test("on a phone every control is at least 44 px high", async (open) => {
  const visited = await open("", PHONE);
  const { page } = visited;
  const texts: Partial<Record<string, string>> = {
    base64: "a",
    hash: "a\r\nb",
    json: '{"a":1,"a":2}',
  };
  for (const tool of TOOLS) {
    await visited[tool].show();
    const text = texts[tool];
    if (text) await visited[tool].fill(text);
    if (tool === "uuid") await visited.uuid.set("count", "3");
    await visited[tool].expect(/./);
    await visited[tool].showApiCall();
    const sizes = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(
        "a, button, select, textarea, label, [type=number], [type=range]",
      )]
        // A label is the target of its control.
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
