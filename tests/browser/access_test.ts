/// <reference lib="dom" />

/** The page for everybody: focus, names, announcements, contrast, without scripts. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import axe from "axe-core";
import type { Page } from "playwright-core";
import {
  expectMessage,
  expectResult,
  fill,
  holdAnswers,
  look,
  visit,
} from "./_browser.ts";

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
    const head = element.matches(".editor") && element.previousElementSibling;
    if (head) {
      const isMarked = getComputedStyle(head).boxShadow !== "none";
      return { name, mark: isMarked ? "solid 2px" : "none" };
    }
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return { name, mark: `${outlineStyle} ${outlineWidth}` };
  });
}

Deno.test("every control shows that it has the focus", async (t) => {
  for (const tool of TOOLS) {
    await t.step(tool, async () => {
      await using visited = await visit(`#${tool}`);
      const { page } = visited;
      if (TEXTS[tool]) await fill(page, tool, TEXTS[tool]);
      await expectResult(page, tool, /./);
      await page.click(`#${tool} .code`);
      const stops = await page.evaluate((tool) =>
        [
          ...document.querySelectorAll<HTMLElement>(
            `#${tool} :is(button, .editor, pre, select, [type=text], [type=number], [role=switch], [type=range], [type=radio]:checked)`,
          ),
        ].filter((element) =>
          element.checkVisibility() && !element.matches(":disabled")
        )
          .length, tool);
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

Deno.test("the buttons of a tool have names of their own", async () => {
  await using visited = await visit();
  const { page } = visited;
  for (const tool of TOOLS) {
    await page.click(`nav a[href^="#${tool}"]`);
    await page.locator(`#${tool} form`).waitFor();
    await page.click(`#${tool} .code`);
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

Deno.test("what is wrong is marked, and described by the message", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  const readMarked = (tool: string) =>
    page.evaluate(
      (tool) =>
        [...document.querySelectorAll(`#${tool} [aria-invalid=true]`)].map((
          control,
        ) => [
          control.getAttribute("name"),
          document.getElementById(control.getAttribute("aria-describedby")!)!
            .innerText.trim(),
        ]),
      tool,
    );
  const input = page.locator("#json-input");
  await fill(page, "json", "[1,]");
  await expectMessage(page, "json", "Not valid JSON");
  assertEquals(await input.getAttribute("aria-invalid"), "true");
  assertMatch(
    (await page.textContent("#json .source #description"))!,
    /^Not valid JSON: .*column 4$/,
  );
  assertEquals(await input.getAttribute("aria-describedby"), "description");
  await fill(page, "json", "[1]");
  await expectResult(page, "json", /./);
  assertEquals(await input.getAttribute("aria-invalid"), null);
  assertEquals(await page.textContent("#json .source #description"), "");
  await page.click('nav a[href="#uuid"]');
  await page.fill("#uuid [name=count]", "0");
  await expectMessage(page, "uuid", "Choose");
  assertEquals(await readMarked("uuid"), [[
    "count",
    "Choose a whole number from 1 to 100.",
  ]]);
  await page.click('nav a[href="#password"]');
  for (const name of ["uppercase", "lowercase", "numbers", "symbols"]) {
    await page.uncheck(`#password [name=${name}]`);
  }
  await expectMessage(
    page,
    "password",
    "Choose at least one kind of character.",
  );
  assertEquals((await readMarked("password")).map(([name]) => name), [
    "uppercase",
    "lowercase",
    "numbers",
    "symbols",
  ]);
});

Deno.test("results are announced once, errors after a pause", async () => {
  await using visited = await visit("#uuid");
  const { page } = visited;
  await expectResult(page, "uuid", /./);
  const { result: first } = await look(page, "uuid");
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
  const waitForTold = (text: string) =>
    page.waitForFunction(
      (text) =>
        document.querySelector("#announcer")!.textContent!.includes(text),
      text,
    );
  await page.click("#uuid [type=submit]");
  await expectResult(page, "uuid", /./);
  const { result: uuid } = await look(page, "uuid");
  await waitForTold(uuid);
  assertEquals(await readTold(), [uuid]);
  await page.click('nav a[href="#password"]');
  await expectResult(page, "password", /./);
  const { result: password } = await look(page, "password");
  await waitForTold(password);
  assertEquals(await readTold(), [`${password} (very strong, 103.6 bits)`]);
  await page.click('nav a[href="#json"]');
  await page.focus("#json-input");
  for (const key of "[1,]") {
    await page.keyboard.press(key);
    // Each text has an answer of its own, wrong but for none.
    await page.waitForResponse("**/api/json");
  }
  await waitForTold("Not valid JSON");
  const told = await readTold();
  assertEquals(told.length, 1);
  assertMatch(told[0]!, /column 4\. It has a trailing comma\.$/);
  await fill(page, "json", "[1]");
  await expectResult(page, "json", /./);
  await page.click("#json .copy.primary");
  await waitForTold("Copied.");
});

Deno.test("the focus is never lost", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  const focused = () =>
    page.evaluate(() =>
      document.activeElement!.className || document.activeElement!.id
    );
  await page.route("**/api/hash", (route) => route.abort());
  await fill(page, "hash", "abc");
  await expectMessage(page, "hash", "cannot be reached");
  await page.unroute("**/api/hash");
  await page.focus("#hash .message button");
  await page.keyboard.press("Enter");
  await expectResult(page, "hash", /./);
  assertEquals(await focused(), "editor");
  await page.focus("#hash .digest .copy");
  await page.keyboard.press("Enter");
  await page.locator("#hash .copy", { hasText: "Copied" }).waitFor();
  assertEquals(await focused(), "copy quiet");
  await page.click('nav a[href="#base64"]');
  await fill(page, "base64", "abc");
  await expectResult(page, "base64", /./);
  const release = await holdAnswers(page, "api/base64");
  await page.focus("#base64 .reuse");
  await page.keyboard.press("Enter");
  assertEquals(await look(page, "base64").then(({ state }) => state), "stale");
  assertMatch(await focused(), /^reuse/);
  await release();
  await expectResult(page, "base64", "abc");
  assertMatch(await focused(), /^reuse/);
});

Deno.test("phones do not zoom, correct or translate what is typed", async () => {
  await using visited = await visit("", {
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = visited;
  const inputs = await page.evaluate(() => {
    const editors = [...document.querySelectorAll(".pane .editor")]
      .map(({ shadowRoot }) => shadowRoot!.querySelector(".cm-content")!);
    const fields = document.querySelectorAll("[type=text], [type=number]");
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
  assertEquals(inputs.length, 7);
  for (const { size, attributes, type } of inputs) {
    assertEquals(size, "16px");
    if (type !== "number") assertEquals(attributes, "false,off,off,false,no");
  }
  assertEquals(await page.locator(".output:not([translate=no])").count(), 0);
});

Deno.test("over plain HTTP from elsewhere the page says that passwords are not encrypted", async () => {
  for (const isInsecure of [false, true]) {
    await using visited = await visit("#password", { isInsecure });
    await expectResult(visited.page, "password", /./);
    assertEquals(await visited.page.isVisible("text=unencrypted"), isInsecure);
  }
});

Deno.test("without scripts there is a notice, and no dead form", async (t) => {
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
    await t.step(name, async () => {
      await using visited = await visit("", options);
      const { page } = visited;
      await page.locator("text=needs JavaScript").waitFor();
      assertEquals(
        await page.locator("form:visible, button:visible, nav:visible").count(),
        0,
      );
    });
  }
});

Deno.test("in forced colours shapes and system colours say what colours said", async () => {
  await using visited = await visit("#password", { forcedColors: "active" });
  const { page } = visited;
  await page.uncheck("#password [name=symbols]");
  const [current, other, on, off] = await page.evaluate(() =>
    [
      "nav [aria-current]",
      "nav a",
      "[role=switch]:checked",
      "[role=switch]:not(:checked)",
    ]
      .map((selector) =>
        getComputedStyle(document.querySelector(selector)!).backgroundColor
      )
  );
  assert(current !== other && on !== off);
  await page.click('nav a[href="#json"]');
  await fill(page, "json", "[1,]");
  await expectMessage(page, "json", "Not valid");
  const mark = await page.evaluate(() => {
    const { shadowRoot } = document.querySelector("#json .editor")!;
    const line = shadowRoot!.querySelector(".cm-wrongLine")!;
    const { borderTopStyle, borderTopWidth } = getComputedStyle(line);
    return `${borderTopStyle} ${borderTopWidth}`;
  });
  assertEquals(mark, "solid 2px");
});

/** Brings a tool into a state. */
const STATES: Readonly<
  Record<string, (page: Page, tool: string) => Promise<unknown>>
> = {
  async empty() {},
  async filled(page, tool) {
    if (TEXTS[tool]) await fill(page, tool, TEXTS[tool]);
    await expectResult(page, tool, /./);
    if (tool === "hash") await page.fill("#hash-expected", "abc");
  },
  async code(page, tool) {
    await page.click(`#${tool} .code`);
  },
  async stale(page, tool) {
    await holdAnswers(page, `api/${tool}*`);
    if (TEXTS[tool]) await fill(page, tool, `${TEXTS[tool]} `);
    else await page.click(`#${tool} [type=submit]`);
    await page.locator(`#${tool} .badge:not(:empty)`).waitFor();
  },
  async wrong(page, tool) {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    if (tool === "base64") await page.check("#base64 [value=decode]");
    if (TEXTS[tool]) await fill(page, tool, "[1,");
    if (tool === "uuid") await page.fill("#uuid [name=count]", "0");
    if (tool === "password") {
      for (const name of ["uppercase", "lowercase", "numbers", "symbols"]) {
        await page.uncheck(`#password [name=${name}]`);
      }
    }
    if (tool === "hash") await fill(page, tool, "\ud800");
    await page.locator(`#${tool} .message span:not(:empty)`).waitFor();
  },
};

Deno.test("axe-core, all rules on, finds no violation in any tool, state, width and scheme", async (t) => {
  const looks = [
    { colorScheme: "light" },
    { colorScheme: "dark" },
    { forcedColors: "active" },
  ] as const;
  for (const options of looks) {
    for (const width of [320, 768, 1440]) {
      await t.step(`${Object.values(options)}, ${width} px`, async () => {
        await using visited = await visit("", {
          ...options,
          viewport: { width, height: 800 },
          reducedMotion: "reduce",
        });
        const { page } = visited;
        // Evaluated by the debugger, which the page's policy does not bind.
        await page.evaluate(axe.source);
        for (const tool of TOOLS) {
          await page.click(`nav a[href^="#${tool}"]`);
          for (const [state, enter] of Object.entries(STATES)) {
            await enter(page, tool);
            assertEquals(await findViolations(page), [], `${tool}, ${state}`);
            const overflow = await page.evaluate(() =>
              document.documentElement.scrollWidth - innerWidth
            );
            assert(overflow <= 0, `${tool}, ${state}: ${overflow} px too wide`);
          }
        }
        await page.focus("#json-input");
        await page.keyboard.press("Control+F");
        await page.locator("#json .cm-search").waitFor();
        assertEquals(await findViolations(page), [], "search");
        await page.click("#help");
        assertEquals(await findViolations(page), [], "shortcuts");
      });
    }
  }
});

/** What axe-core has to say against the page, but for rules of AAA alone. */
function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // deno-lint-ignore no-explicit-any -- axe-core put it there a moment ago
    const { axe } = globalThis as any;
    const rules = Object.fromEntries(
      axe.getRules().map((
        { ruleId }: { ruleId: string },
      ) => [ruleId, { enabled: true }]),
    );
    const { violations } = await axe.run({ rules });
    return violations
      .filter(({ tags }: { tags: string[] }) => !tags.includes("wcag2aaa"))
      .map(({ id, nodes }: { id: string; nodes: { html: string }[] }) =>
        `${id}: ${nodes.map(({ html }) => html).join(", ")}`
      );
  });
}
