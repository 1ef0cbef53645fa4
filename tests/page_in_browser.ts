/// <reference lib="dom" />

/**
 * The page in a real browser, used as a person would. Run by
 * `deno task test:browser`; it needs Chromium.
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import axe from "axe-core";
import { createHash } from "node:crypto";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { computeEntropy } from "../lib/password.ts";
import { startServer } from "./_server.ts";

const TOOLS = ["base64", "hash", "uuid", "password", "json"];

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Browser;

Deno.test.beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium",
    args: FLAGS,
  });
});

Deno.test.afterAll(() => browser.close());

/** A page of a server of its own, and what it must never do. */
interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly origin: string;
}

/** Opens the page; closing it checks that it kept quiet and to itself. */
async function visit(
  hash = "",
  options: BrowserContextOptions = {},
  prefix = "",
): Promise<Visit> {
  const server = await startServer();
  const proxy = prefix === "" ? undefined : mountUnder(prefix, server.origin);
  const origin = proxy === undefined
    ? server.origin
    : `http://127.0.0.1:${proxy.addr.port}`;
  const context = await browser.newContext({
    permissions: ["clipboard-read", "clipboard-write"],
    viewport: { width: 1100, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    // The browser itself reports each 4xx answer; that is no error of the page.
    const isAnswer = /status of 4\d\d|net::ERR_FAILED/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isAnswer) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (/^http/.test(protocol) && target !== origin) {
      complaints.push(`a request to ${request.url()}`);
    }
  });
  await page.goto(`${origin}${prefix}/${hash}`);
  return {
    page,
    origin,
    async [Symbol.asyncDispose]() {
      const stored = await page.evaluate(
        () => [
          localStorage.length,
          sessionStorage.length,
          document.cookie.length,
        ],
      );
      await context.close();
      await proxy?.shutdown();
      await server[Symbol.asyncDispose]();
      assertEquals(complaints, []);
      assertEquals(stored, [0, 0, 0]);
    },
  };
}

/** A reverse proxy that serves an origin under a path of its own. */
function mountUnder(prefix: string, origin: string) {
  return Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { pathname, search } = new URL(request.url);
      if (!pathname.startsWith(`${prefix}/`)) {
        return new Response(
          "elsewhere",
          { status: 404 },
        );
      }
      const { method } = request;
      const body = method === "POST" ? await request.text() : null;
      return await fetch(origin + pathname.slice(prefix.length) + search, {
        method,
        body,
      });
    },
  );
}

/** Waits until the tool's result is the expected one. */
async function expectResult(
  page: Page,
  tool: string,
  expected: string | RegExp,
): Promise<void> {
  await page.waitForFunction(
    ([tool, source, isText]) => {
      const area = document.querySelector<HTMLTextAreaElement>(
        `#${tool} .result textarea`,
      )!;
      return isText
        ? area.value === source
        : new RegExp(source!).test(area.value);
    },
    [
      tool,
      typeof expected === "string" ? expected : expected.source,
      typeof expected === "string" ? "yes" : "",
    ] as const,
  );
}

/** Waits until the tool's message has the expected words. */
async function expectMessage(
  page: Page,
  tool: string,
  words: string,
): Promise<void> {
  await page.waitForFunction(
    ([tool, words]) =>
      document.querySelector(`#${tool} .message`)!.textContent!.includes(
        words!,
      ),
    [tool, words] as const,
  );
}

/** Drops a file on a tool's input, as a person would from a folder. */
async function dropFile(
  page: Page,
  tool: string,
  bytes: Uint8Array,
): Promise<void> {
  const transfer = await page.evaluateHandle((bytes) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(bytes)], "dropped.txt"));
    return transfer;
  }, [...bytes]);
  await page.dispatchEvent(`#${tool}-input`, "drop", {
    dataTransfer: transfer,
  });
}

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

Deno.test("Base64: encodes as one types, swaps, decodes, names what is wrong", async () => {
  await using visited = await visit();
  const { page } = visited;
  await page.type("#base64-input", "héllo?");
  await expectResult(page, "base64", "aMOpbGxvPw==");
  assertMatch(await page.innerText("#base64 .sizes"), /^7 bytes → 12 bytes$/);
  await page.check("#base64 [value=url]");
  await expectResult(page, "base64", "aMOpbGxvPw");
  await page.click("#base64 .swap");
  await expectResult(page, "base64", "héllo?");
  assertEquals(await page.inputValue("#base64-input"), "aMOpbGxvPw");
  assert(await page.isChecked("#base64 [value=decode]"));
  assert(
    await page.isDisabled("#base64 [value=url]"),
    "an alphabet is for encoding",
  );
  await page.fill("#base64-input", "aMO!");
  await expectMessage(
    page,
    "base64",
    '"input" must be Base64 text, got "!" at offset 3',
  );
  await expectResult(page, "base64", "");
  await page.fill("#base64-input", "");
  await page.waitForFunction(() =>
    document.querySelector("#base64 .message")!.textContent === ""
  );
});

Deno.test("Hash: keeps every byte of a dropped file", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await page.fill("#hash-input", "abc");
  await expectResult(
    page,
    "hash",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  await page.check("#hash [value=sha1]");
  await expectResult(page, "hash", "a9993e364706816aba3e25717850c26c9cd0d89d");
  const bytes = new TextEncoder().encode("\ufeffone\r\ntwo\rthree\n");
  await dropFile(page, "hash", bytes);
  await expectResult(
    page,
    "hash",
    createHash("sha1").update(bytes).digest("hex"),
  );
  await dropFile(page, "hash", Uint8Array.of(0xff, 0xfe));
  await expectMessage(page, "hash", "“dropped.txt” is not UTF-8 text.");
  await dropFile(page, "hash", new Uint8Array(1_048_577));
  await expectMessage(
    page,
    "hash",
    "1,048,577 bytes; the service takes at most 1,048,576 bytes",
  );
});

Deno.test("UUID: one at first, then as many as asked for", async () => {
  await using visited = await visit("#uuid");
  const { page } = visited;
  const line =
    "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  await expectResult(page, "uuid", new RegExp(`^${line}$`));
  const first = await page.inputValue("#uuid .result textarea");
  await page.click("#uuid [type=submit]");
  await page.waitForFunction(
    (first) =>
      ![first, ""].includes(
        document.querySelector<HTMLTextAreaElement>("#uuid .result textarea")!
          .value,
      ),
    first,
  );
  await page.fill("#uuid-count", "100");
  await expectResult(page, "uuid", new RegExp(`^(${line}\\n){99}${line}$`));
  assertMatch(
    await page.innerText("#uuid pre"),
    /^curl -s 'http:\/\/[^']+\/api\/uuid\?count=100'$/,
  );
  await page.fill("#uuid-count", "101");
  await expectMessage(
    page,
    "uuid",
    '"count" must be an integer from 1 to 100, got "101"',
  );
});

Deno.test("Password: slider, switches and the meter", async () => {
  await using visited = await visit("#password");
  const { page } = visited;
  await expectResult(page, "password", /^[^\s"'`\\]{16}$/);
  const bits = computeEntropy([26, 26, 10, 28], 16).toFixed(1);
  assertEquals(
    await page.innerText("#password .rating"),
    `very strong, ${bits} bits`,
  );
  for (const name of ["uppercase", "lowercase", "symbols"]) {
    await page.uncheck(`#password [name=${name}]`);
  }
  await expectResult(page, "password", /^[0-9]{16}$/);
  await page.uncheck("#password [name=ambiguous]");
  await expectResult(page, "password", /^[2346789]{16}$/);
  assertEquals(
    await page.innerText("#password .rating"),
    `fair, ${computeEntropy([7], 16).toFixed(1)} bits`,
  );
  await page.fill("#password-length", "40");
  await expectResult(page, "password", /^[2346789]{40}$/);
  assertEquals(await page.innerText("#password output"), "40");
  await page.uncheck("#password [name=numbers]");
  await expectMessage(page, "password", "must be true");
  assert(await page.isHidden("#password .strength"));
});

Deno.test("JSON: formats losslessly, shows an error in its place", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await page.fill("#json-input", '{"b":1.0,"a":[1e400]}');
  await expectResult(
    page,
    "json",
    '{\n  "b": 1.0,\n  "a": [\n    1e400\n  ]\n}',
  );
  await page.check("#json [value='4']");
  await expectResult(
    page,
    "json",
    '{\n    "b": 1.0,\n    "a": [\n        1e400\n    ]\n}',
  );
  await page.check("#json [value=validate]");
  await expectMessage(page, "json", "This is valid JSON.");
  for (const action of ["format", "minify", "validate"]) {
    await page.check(`#json [value=${action}]`);
    await page.fill("#json-input", '{\n  "a": 1,\n  "😀": x\n}');
    await expectMessage(
      page,
      "json",
      'expected a JSON value, got "x" at line 3, column 8',
    );
    await page.click("#json .message button");
    const selected = await page.evaluate(() => {
      const area = document.querySelector<HTMLTextAreaElement>("#json-input")!;
      return area.value.slice(area.selectionStart, area.selectionEnd);
    });
    assertEquals(selected, "x");
    assertEquals(await readMarkedLine(page), 3);
  }
  await page.fill("#json-input", "[]");
  await expectMessage(page, "json", "This is valid JSON.");
  assert(await page.isHidden("#json .marked-line"));
});

/** The line of the input that the mark lies behind, counted from 1. */
async function readMarkedLine(page: Page): Promise<number> {
  const mark = (await page.locator("#json .marked-line").boundingBox())!;
  const area = (await page.locator("#json-input").boundingBox())!;
  const [padding, height, scrolled] = await page.evaluate(() => {
    const area = document.querySelector<HTMLTextAreaElement>("#json-input")!;
    const { paddingTop, lineHeight } = getComputedStyle(area);
    return [
      parseFloat(paddingTop),
      parseFloat(lineHeight),
      area.scrollTop,
    ] as const;
  });
  return Math.round((mark.y - area.y - padding + scrolled) / height) + 1;
}

Deno.test("JSON: the mark follows the text when it scrolls", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  await page.fill("#json-input", "[\n" + "1,\n".repeat(200) + "x]");
  await expectMessage(page, "json", "line 202, column 1");
  await page.click("#json .message button");
  assertEquals(await readMarkedLine(page), 202);
  assert(
    await page.evaluate(() =>
      document.querySelector("#json-input")!.scrollTop > 1_000
    ),
  );
});

Deno.test("copy buttons copy the whole result and a curl command that works", async () => {
  await using visited = await visit();
  const { page } = visited;
  await page.fill("#base64-input", 'it\'s "quoted" \\ $HOME `é`');
  await expectResult(page, "base64", /^aXQn/);
  await page.click("#base64 .result .copy");
  await expectMessage(page, "base64", "Copied.");
  assertEquals(
    await clipboard(page),
    await page.inputValue("#base64 .result textarea"),
  );
  await page.click("#base64 .command .copy");
  await page.waitForFunction(async () =>
    (await navigator.clipboard.readText()).startsWith("curl")
  );
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", await clipboard(page)],
  }).output();
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), {
    result: btoa(unescape(encodeURIComponent('it\'s "quoted" \\ $HOME `é`'))),
  });
});

Deno.test("1 MiB goes through, shown in part, copied and downloaded whole", async () => {
  await using visited = await visit();
  const { page } = visited;
  const text = "x".repeat(1_048_576 - 40);
  await dropFile(page, "base64", new TextEncoder().encode(text));
  await expectResult(page, "base64", /^(eHh4){25000}$/);
  assertStringIncludes(
    await page.innerText("#base64 .sizes"),
    "1,048,536 bytes → 1,398,048 bytes; the first 100,000 characters are shown",
  );
  await page.click("#base64 .result .copy");
  await expectMessage(page, "base64", "Copied.");
  assertEquals(await clipboard(page), btoa(text));
  const started = page.waitForEvent("download");
  await page.click("#base64 .result .download");
  const file = await (await started).path();
  assertEquals(await Deno.readTextFile(file), btoa(text));
  assertMatch(await page.innerText("#base64 pre"), /-d @request\.json$/);
});

Deno.test("the newest answer wins, whatever the order of arrival", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  const release = Promise.withResolvers<void>();
  await page.route("**/api/hash", async (route) => {
    if (route.request().postData()?.includes('"first"')) await release.promise;
    await route.continue().catch(() => {});
  });
  await page.fill("#hash-input", "first");
  await expectMessage(page, "hash", "Waiting for the service…");
  await page.fill("#hash-input", "second");
  const expected = createHash("sha256").update("second").digest("hex");
  await expectResult(page, "hash", expected);
  release.resolve();
  await page.waitForTimeout(300);
  await expectResult(page, "hash", expected);
});

Deno.test("a failed call says so and can be tried again", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await page.route("**/api/hash", (route) => route.abort());
  await page.fill("#hash-input", "abc");
  await expectMessage(page, "hash", "The service cannot be reached.");
  await page.unroute("**/api/hash");
  await page.click("#hash .message button");
  await expectResult(page, "hash", /^ba7816bf/);
});

Deno.test("links lead to each tool, and the address never has the input", async () => {
  await using visited = await visit("#json");
  const { page, origin } = visited;
  assert(await page.isVisible("#json-input"));
  for (const tool of TOOLS) {
    await page.click(`nav a[href="#${tool}"]`);
    await page.locator(`#${tool} form`).waitFor();
    assertEquals(await page.locator("main > section:visible").count(), 1);
    assertEquals(
      await page.getAttribute("nav a[aria-current]", "href"),
      `#${tool}`,
    );
  }
  await page.goBack();
  await page.locator("#password form").waitFor();
  await page.click('nav a[href="#json"]');
  await page.fill("#json-input", '"secret"');
  await expectResult(page, "json", '"secret"');
  assertEquals(page.url(), `${origin}/#json`);
});

Deno.test("the keyboard alone is enough", async () => {
  await using visited = await visit();
  const { page } = visited;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  // The title, five links; the second leads to the hashes.
  await press("Tab", "Tab", "Tab", "Enter");
  await page.locator("#hash-input").waitFor();
  // Following a link moves the starting point to what it leads to.
  await press("Tab", "ArrowRight", "Tab");
  assert(await page.isChecked("#hash [value=sha512]"));
  await page.keyboard.type("abc");
  await expectResult(page, "hash", /^ddaf35a1/);
  const outline = await page.evaluate(() =>
    getComputedStyle(document.activeElement!).outlineStyle
  );
  assertEquals(outline, "solid");
  await press("Tab", "Enter");
  await expectMessage(page, "hash", "Copied.");
  assertMatch(await clipboard(page), /^ddaf35a1/);
});

Deno.test("axe-core finds no violation in any tool, light or dark, wide or narrow", async (t) => {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1100, 320]) {
      await using visited = await visit("", {
        colorScheme,
        viewport: { width, height: 800 },
        reducedMotion: "reduce",
      });
      const { page } = visited;
      // Evaluated by the debugger, which the page's policy does not bind.
      await page.evaluate(axe.source);
      for (const tool of TOOLS) {
        await t.step(`${tool}, ${colorScheme}, ${width} px`, async () => {
          await page.click(`nav a[href="#${tool}"]`);
          if (await page.locator(`#${tool}-input`).count() > 0) {
            await page.fill(`#${tool}-input`, "[1,");
            await page.waitForFunction((tool) => {
              const section = document.querySelector(`#${tool}`)!;
              return section.querySelector(".message")!.textContent !== "" ||
                section.querySelector<HTMLTextAreaElement>(".result textarea")!
                    .value !== "";
            }, tool);
          } else await expectResult(page, tool, /./);
          const violations = await page.evaluate(async () => {
            // deno-lint-ignore no-explicit-any -- axe-core put it there a moment ago
            const { violations } = await (globalThis as any).axe.run();
            return violations.map((
              { id, nodes }: { id: string; nodes: { html: string }[] },
            ) => `${id}: ${nodes.map(({ html }) => html).join(", ")}`);
          });
          assertEquals(violations, []);
          const overflow = await page.evaluate(() =>
            document.documentElement.scrollWidth - innerWidth
          );
          assert(overflow <= 0, `${overflow} px wider than the screen`);
        });
      }
    }
  }
});

Deno.test("the page follows the system's colours", async () => {
  const grounds: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await using visited = await visit("", { colorScheme });
    grounds.push(
      await visited.page.evaluate(() =>
        getComputedStyle(document.body).backgroundColor
      ),
    );
  }
  assertEquals(grounds, ["rgb(246, 247, 246)", "rgb(18, 21, 20)"]);
});

Deno.test("the page works under a sub-path behind a proxy", async () => {
  await using visited = await visit("#hash", {}, "/tools");
  const { page, origin } = visited;
  await page.fill("#hash-input", "abc");
  await expectResult(page, "hash", /^ba7816bf/);
  assertStringIncludes(
    await page.innerText("#hash pre"),
    `${origin}/tools/api/hash`,
  );
});

Deno.test("a page on another origin may call everything, errors included", async () => {
  await using server = await startServer();
  const elsewhere = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () =>
      new Response("<!DOCTYPE html><title>elsewhere</title>", {
        headers: { "content-type": "text/html" },
      }),
  );
  const page = await browser.newPage();
  await page.goto(`http://localhost:${elsewhere.addr.port}/`);
  const call = (path: string, init: RequestInit = {}) =>
    page.evaluate(async ([url, init]) => {
      const response = await fetch(url, init);
      return { status: response.status, body: await response.json() };
    }, [server.origin + path, init] as const);
  // This type and this header make the browser ask with a preflight first.
  const headers = { "content-type": "application/json", "x-anything": "1" };
  const post = (path: string, fields: unknown) =>
    call(path, { method: "POST", headers, body: JSON.stringify(fields) });
  assertEquals(await post("/api/base64", { action: "encode", input: "a" }), {
    status: 200,
    body: { result: "YQ==" },
  });
  assertEquals(
    (await post("/api/hash", { algorithm: "sha1", input: "abc" })).body
      .algorithm,
    "sha1",
  );
  assertEquals(
    (await post("/api/json", { action: "minify", input: "[ ]" })).body.result,
    "[]",
  );
  assertEquals((await call("/api/uuid", { headers })).status, 200);
  assertEquals((await call("/api/password", { headers })).status, 200);
  const errors = [
    await post("/api/hash", { algorithm: "md5" }),
    await post("/api/json", { action: "x" }),
    await post("/api/base64", "x".repeat(1_048_576)),
    await call("/nowhere", { headers }),
    await call("/api/hash", { headers }),
    await call("/api/uuid?count=0", { headers }),
  ];
  assertEquals(errors.map(({ status }) => status), [
    501,
    400,
    413,
    404,
    405,
    400,
  ]);
  for (const { body } of errors) assertEquals(Object.keys(body), ["error"]);
  // Without a path of its own a preflight lets no other method through.
  const refused = await call("/api/hash", { method: "DELETE", headers }).catch((
    error,
  ) => error.message);
  assertStringIncludes(refused, "Failed to fetch");
  await page.close();
  await elsewhere.shutdown();
});
