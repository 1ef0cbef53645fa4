/// <reference lib="dom" />

/** The page for everybody: focus, names, announcements, contrast, without scripts. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { holdAnswers, test, type ToolDriver, visit } from "./_browser.ts";

const TOOLS = ["base64", "hash", "uuid", "password", "json"];

/** A text that each tool answers. */
const TEXTS: Readonly<Record<string, string>> = {
  base64: "héllo",
  hash: "abc",
  json: '{"a":[1,true,null,"x"]}',
};

/** The focused element, and the mark that shows the focus. */
function readFocus(page: Page): Promise<{ name: string; mark: string }> {
  return page.evaluate(() => {
    const element = document.activeElement!;
    const { tagName, className, textContent } = element;
    if (element === document.body) return { name: "body", mark: "" };
    const name = `${tagName} ${className} ${textContent}`;
    // The title of a pane is underlined.
    const head = element.matches(".editor") &&
      element.parentElement!.querySelector(".head");
    if (head) {
      const isMarked = getComputedStyle(head).boxShadow !== "none";
      return { name, mark: isMarked ? "solid 2px" : "none" };
    }
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return { name, mark: `${outlineStyle} ${outlineWidth}` };
  });
}

test("every control shows that it has the focus", async (open) => {
  for (const tool of TOOLS) {
    await open.step(tool, async () => {
      await using visited = await visit(`#${tool}`);
      const { page, tools } = visited;
      if (TEXTS[tool]) await tools[tool]!.ask(TEXTS[tool], /./);
      await page.click(`#${tool} [name=code]`);
      const stops = await page.locator(
        `#${tool} :is(button, .editor, pre, select, textarea, [type=number], [type=checkbox], [type=range], [type=radio]:checked):visible:not(:disabled)`,
      ).count();
      assert(stops >= 6);
      await page.focus(`nav [aria-current]`);
      const seen = new Set<string>();
      for (let i = 0; i < 40; i += 1) {
        await page.keyboard.press("Tab");
        const { name, mark } = await readFocus(page);
        if (name === "body" || name.includes("API description")) break;
        assertEquals(mark, "solid 2px", name);
        seen.add(`${i} ${name}`);
      }
      // The links of the other tools come before them.
      assert(seen.size >= stops, `${seen.size} of ${stops}`);
    });
  }
});

test("the buttons of a tool have names of their own", async (open) => {
  const { page, tools } = await open();
  for (const tool of TOOLS) {
    await tools[tool]!.show();
    await page.locator(`#${tool} form`).waitFor();
    await page.click(`#${tool} [name=code]`);
    const names = await page.locator(`#${tool} button:visible`)
      .allTextContents();
    const spoken = names.map((name) => name.replaceAll(/\s+/g, " ").trim());
    assertEquals(new Set(spoken).size, spoken.length, spoken.join());
    assert(
      spoken.includes(tool === "hash" ? "Copy SHA-256" : "Copy the result") &&
        spoken.includes("Copy the code"),
      spoken.join(),
    );
  }
});

test("what is wrong is marked, and described by the message", async (open) => {
  const { page, uuid, password, json } = await open("#json");
  const readInput = () =>
    page.locator("#json-input").evaluate(({ ariaInvalid, ariaDescription }) =>
      `${ariaInvalid}, ${ariaDescription}`
    );
  await json.fill("[1,]");
  await json.expectMessage("Not valid JSON");
  assertMatch(await readInput(), /^true, Not valid JSON: .*column 4\.$/);
  await json.ask("[1]", /./);
  assertEquals(await readInput(), "false, ");
  await uuid.show();
  await page.fill("#uuid [name=count]", "0");
  await uuid.expectMessage("The count must be an integer from 1 to 100");
  await page.locator("[name=count]:invalid[aria-describedby=uuid-message]")
    .waitFor();
  await password.show();
  await turnOffClasses(page);
  await password.expectMessage("Choose at least one kind of character.");
  await page.locator("[name=symbols][aria-describedby=password-message]")
    .waitFor();
});

test("results are announced once, errors after a pause", async (open) => {
  const { page, uuid, password, json } = await open("#uuid");
  await uuid.expect(/./);
  const { result: first } = await uuid.look();
  await page.locator("#announcer", { hasText: first }).waitFor();
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    const announcer = document.querySelector("#announcer")!;
    new MutationObserver(() => {
      if (announcer.textContent) told.push(announcer.textContent);
    }).observe(announcer, { childList: true });
  });
  const readTold = () =>
    page.evaluate(() =>
      (globalThis as unknown as { told: string[] }).told.splice(0)
    );
  const waitForTold = (hasText: string) =>
    page.locator("#announcer", { hasText }).waitFor({ state: "attached" });
  await page.click("#uuid [name=again]");
  await uuid.expect(/./);
  const { result: id } = await uuid.look();
  await waitForTold(id);
  assertEquals(await readTold(), [id]);
  await password.show();
  await password.expect(/./);
  const { result: secret } = await password.look();
  await waitForTold(secret);
  assertEquals(await readTold(), [`${secret} (very-strong)`]);
  await json.show();
  await page.focus("#json-input");
  for (const key of "[1,]") {
    await page.keyboard.press(key);
    // Each text has an answer of its own, wrong but for none.
    await page.waitForResponse("**/api/json");
  }
  await waitForTold("Not valid JSON");
  const told = await readTold();
  assertEquals(told.length, 1);
  assertMatch(told[0]!, /column 4\.$/);
  await json.ask("[1]", /./);
  await page.click("#json button.primary");
  await waitForTold("Copied.");
});

test("the focus is never lost", async (open) => {
  const { page, base64, hash } = await open("#hash");
  const focused = () =>
    page.evaluate(() =>
      document.activeElement!.getAttribute("name") ??
        document.activeElement!.className
    );
  await page.route("**/api/hash", (route) => route.abort());
  await hash.fill("abc");
  await hash.expectMessage("cannot be reached");
  await page.unroute("**/api/hash");
  await page.focus("#hash .message button");
  await page.keyboard.press("Enter");
  await hash.expect(/./);
  assertEquals(await focused(), "editor");
  await page.focus("#hash .digest [name=copy]");
  await page.keyboard.press("Enter");
  await page.locator("#hash [name=copy]", { hasText: "Copied" }).waitFor();
  assertEquals(await focused(), "copy");
  await base64.show();
  await base64.ask("abc", /./);
  const release = await holdAnswers(page, "api/base64");
  await page.focus("#base64 [name=swap]");
  await page.keyboard.press("Enter");
  assertEquals(await base64.look().then(({ state }) => state), "stale");
  assertMatch(await focused(), /^swap/);
  await release();
  await base64.expect("abc");
  assertMatch(await focused(), /^swap/);
});

test("phones do not zoom, correct or translate what is typed", async (open) => {
  const { page, tools } = await open("", {
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  for (const tool of TOOLS) await tools[tool]!.show();
  const inputs = await page.evaluate(() => {
    const editors = [...document.querySelectorAll(".pane .editor")]
      .map(({ shadowRoot }) => shadowRoot!.querySelector(".cm-content")!);
    const fields = document.querySelectorAll("textarea, [type=number]");
    return [...editors, ...fields].map((input) => ({
      size: getComputedStyle(input).fontSize,
      attributes: [
        "spellcheck",
        "autocapitalize",
        "autocorrect",
        "writingsuggestions",
        "translate",
      ].map((name) => input.getAttribute(name)).join(),
      type: input.getAttribute("type"),
    }));
  });
  assertEquals(inputs.length, 8);
  for (const { size, attributes, type } of inputs) {
    assertEquals(size, "16px");
    if (type !== "number") assertEquals(attributes, "false,off,off,false,no");
  }
  assertEquals(await page.locator(".output:not([translate=no])").count(), 0);
});

test("over plain HTTP from elsewhere the page says that passwords are not encrypted", async () => {
  for (const isInsecure of [false, true]) {
    await using visited = await visit("#password", { isInsecure });
    await visited.password.expect(/./);
    assertEquals(
      await visited.page.isVisible("#password .unencrypted"),
      isInsecure,
    );
  }
});

test("without scripts there is a notice, and no dead form", async (open) => {
  const ways: [string, Parameters<typeof visit>[1]][] = [
    ["off", { javaScriptEnabled: false }],
    ["blocked", {
      prepare: (page) => page.route("**/*.js", (route) => route.abort()),
    }],
    ["one module missing", {
      prepare: (page) => page.route("**/text.js", (route) => route.abort()),
    }],
  ];
  for (const [name, options] of ways) {
    await open.step(name, async () => {
      await using visited = await visit("", options);
      const { page } = visited;
      await page.locator(".notice", { hasText: "needs its JavaScript" })
        .waitFor();
      assertEquals(await page.locator(".notice:visible").count(), 1);
      assertEquals(
        await page.locator("form:visible, button:visible, nav:visible").count(),
        0,
      );
      // The browser reports a module that is missing.
      const isReported = visited.complaints.splice(0)
        .every((complaint) => /Failed to fetch/.test(complaint));
      assert(isReported);
    });
  }
});

test("in forced colours shapes and system colours say what colours said", async (open) => {
  const { page, json } = await open("#password", { forcedColors: "active" });
  // Colours change in 120 ms, and Copy has its own only while it can be used.
  await page.waitForFunction(() => {
    const [current, other, copy] = [
      "nav [aria-current]",
      "nav a",
      "#password .primary",
    ].map((selector) =>
      getComputedStyle(document.querySelector(selector)!).backgroundColor
    );
    return current !== other && copy === current;
  });
  await json.show();
  await json.fill("[1,]");
  await json.expectMessage("Not valid");
  const mark = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("#json .editor")!;
    const line = shadowRoot!.querySelector(".cm-wrongLine")!;
    const { borderTopStyle, borderTopWidth } = getComputedStyle(line);
    return `${borderTopStyle} ${borderTopWidth}`;
  });
  assertEquals(mark, "solid 2px");
});

/** Brings a tool into a state. */
const STATES: Readonly<Record<string, (tool: ToolDriver) => Promise<unknown>>> =
  {
    async empty() {},
    async filled(tool) {
      const { page, name } = tool;
      if (TEXTS[name]) await tool.ask(TEXTS[name], /./);
      if (name === "hash") await page.fill("#hash-expected", "abc");
    },
    code: ({ page, name }) => page.click(`#${name} [name=code]`),
    async stale(tool) {
      const { page, name } = tool;
      await holdAnswers(page, `api/${name}*`);
      if (TEXTS[name]) await tool.fill(`${TEXTS[name]} `);
      else await page.click(`#${name} [name=again]`);
      await page.locator(`#${name} .badge:not(:empty)`).waitFor();
    },
    async wrong(tool) {
      const { page, name } = tool;
      await page.unrouteAll({ behavior: "ignoreErrors" });
      if (name === "base64") await page.check("#base64 [value=decode]");
      if (TEXTS[name]) await tool.fill(name === "hash" ? "\ud800" : "[1,");
      if (name === "uuid") await page.fill("#uuid [name=count]", "0");
      if (name === "password") await turnOffClasses(page);
      await page.locator(`#${name} .message span:not(:empty)`).waitFor();
    },
  };

/** Turns off every kind of character. */
async function turnOffClasses(page: Page): Promise<void> {
  for (const name of ["uppercase", "lowercase", "numbers", "symbols"]) {
    await page.uncheck(`#password [name=${name}]`);
  }
}

/** The looks of the page: widths, colour schemes and forced colours. */
const WIDTHS = [320, 768, 1440];
const SCHEMES: readonly Parameters<Page["emulateMedia"]>[0][] = [
  { colorScheme: "light", forcedColors: "none" },
  { colorScheme: "dark", forcedColors: "none" },
  { colorScheme: "light", forcedColors: "active" },
];

test("axe-core finds no violation in any tool, state, width and scheme", async (open) => {
  await using visited = await visit("", { reducedMotion: "reduce" });
  const { page, tools } = visited;
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(axe.source);
  for (const tool of TOOLS) {
    await tools[tool]!.show();
    for (const [state, enter] of Object.entries(STATES)) {
      await open.step(`${tool}, ${state}`, async () => {
        await enter(tools[tool]!);
        await checkLooks(page);
      });
    }
  }
  await open.step("search", async () => {
    await page.focus("#json-input");
    await page.keyboard.press("Control+F");
    await page.locator("#json .cm-search").waitFor();
    await checkLooks(page);
  });
  await open.step("shortcuts", async () => {
    await page.click("#help");
    await checkLooks(page);
  });
});

/** Checks the page in its present state, at every width and in every scheme. */
async function checkLooks(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() =>
      document.documentElement.scrollWidth - innerWidth
    );
    assert(overflow <= 0, `${overflow} px too wide at ${width} px`);
    for (const scheme of SCHEMES) {
      await page.emulateMedia(scheme);
      const isFirst = scheme === SCHEMES[0];
      const violations = await findViolations(page, isFirst ? "all" : "colour");
      assertEquals(violations, [], `${width} px, ${JSON.stringify(scheme)}`);
    }
  }
}

/** Violations that axe-core finds: of all rules except those of level AAA, or of those on colours, which alone depend on the scheme. */
function findViolations(
  page: Page,
  rules: "all" | "colour",
): Promise<string[]> {
  return page.evaluate(async (rules) => {
    // Some colours change after a delay, those of editors in shadow roots.
    const hosts = [...document.querySelectorAll(".editor")];
    const roots = hosts.flatMap(({ shadowRoot }) => shadowRoot ?? []);
    for (const root of [document, ...roots]) {
      for (const animation of root.getAnimations()) animation.finish();
    }
    // deno-lint-ignore no-explicit-any -- axe-core is a global of the page
    const { axe } = globalThis as any;
    const values = axe.getRules()
      .filter(({ tags }: { tags: string[] }) =>
        !tags.includes("wcag2aaa") &&
        (rules === "all" || tags.includes("cat.color"))
      )
      .map(({ ruleId }: { ruleId: string }) => ruleId);
    const { violations } = await axe.run({
      runOnly: { type: "rule", values },
      resultTypes: ["violations"],
    });
    return violations
      .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
        `${id}: ${nodes.map(({ html }) => html).join(", ")}`
      );
  }, rules);
}
