/// <reference lib="dom" />

/** The page in Chromium, and what it must never do there. */

import { assertEquals } from "@std/assert";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { startServer } from "./_server.ts";

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

/** Launched before the tests of a file, closed after them. */
export let browser: Browser;

Deno.test.beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium",
    args: FLAGS,
  });
});

Deno.test.afterAll(() => browser.close());

/** A page of a server of its own, and what it must never do. */
export interface Visit extends AsyncDisposable {
  readonly page: Page;
  readonly origin: string;
}

/** Opens the page; closing it checks that it kept quiet and to itself. */
export async function visit(
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
export async function expectResult(
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
export async function expectMessage(
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
export async function dropFile(
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

/** The text on the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
