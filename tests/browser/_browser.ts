/// <reference lib="dom" />

/**
 * The page in the browser that the variable BROWSER names: `chromium`, `firefox` or
 * `webkit`.
 */

import { assertEquals, assertMatch } from "@std/assert";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
} from "playwright-core";
import { type Handle, Service } from "./_service.ts";
import { readSnapshot, ToolDriver, type ToolName, TOOLS } from "./_tool.ts";
import type { WebKit } from "./_webkit.ts";

/** The browser of this run. */
const ENGINE = Deno.env.get("BROWSER") ?? "chromium";

/** A name of this computer that isn't a secure context over plain HTTP. */
const INSECURE_HOST = "elsewhere.test";

/** Files that browsers can request late, to show them outside of the page. */
const OF_BROWSER = /\.(?:svg|png|webmanifest)$|^\/favicon\.ico$/;

let browser: Browser | undefined;
let webkit: WebKit | undefined;

Deno.test.beforeAll(async () => {
  if (ENGINE === "webkit") {
    const { launchWebKit } = await import("./_webkit.ts");
    webkit = await launchWebKit();
  } else if (ENGINE === "firefox") {
    browser = await firefox.launch({
      // Builds of Mozilla and of distributions, without a driver.
      channel: "moz-firefox",
      executablePath: Deno.env.get("FIREFOX") ?? "/usr/bin/firefox-esr",
      // Firefox cannot grant the clipboard to one origin.
      firefoxUserPrefs: { "dom.events.testing.asyncClipboard": true },
    });
  } else {
    browser = await chromium.launch({
      executablePath: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium",
      args: [
        "--disable-gpu",
        `--host-resolver-rules=MAP ${INSECURE_HOST} 127.0.0.1`,
      ],
    });
  }
});

Deno.test.afterAll(async () => {
  await browser?.close();
  await webkit?.[Symbol.asyncDispose]();
});

/** Opens a tab. Collects its errors, warnings, and requests to other origins. */
async function openTab(
  origin: string,
  options: BrowserContextOptions,
  problems: string[],
): Promise<Page> {
  const viewport = { width: 1100, height: 900, ...options.viewport };
  if (webkit) {
    await webkit.page.setViewportSize(viewport);
    return webkit.page;
  }
  const context = await browser!.newContext({ ...options, viewport });
  const page = await context.newPage();
  // Everything is slow on a busy computer.
  page.setDefaultTimeout(60_000);
  if (ENGINE === "chromium") {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], {
      origin: origin.replace(INSECURE_HOST, "127.0.0.1"),
    });
  }
  page.on("console", (message) => {
    // The browser reports error responses, and a header that it ignores over plain HTTP.
    const isExpected = /status of [45]\d\d|net::ERR_|Opener-Policy/.test(
      message.text(),
    );
    if (["error", "warning"].includes(message.type()) && !isExpected) {
      problems.push(message.text());
    }
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const { protocol, origin: target } = new URL(request.url());
    if (/^http/.test(protocol) && target !== origin) {
      problems.push(`a request to ${request.url()}`);
    }
  });
  return page;
}

/**
 * Lets tests hold the jobs of the worker as if they took long. Runs in the page before its
 * scripts, and in WebKit after them.
 */
function createHold() {
  const { postMessage } = Worker.prototype;
  let held: (() => void)[] | undefined;
  let [count, starts] = [0, 0];
  globalThis.Worker = class extends Worker {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args);
      starts += 1;
    }
  };
  Worker.prototype.postMessage = function (...args: unknown[]) {
    count += 1;
    const post = () => Reflect.apply(postMessage, this, args);
    if (held === undefined) post();
    else held.push(post);
  };
  return {
    /** The number of jobs so far. */
    get count() {
      return count;
    },
    /** The number of workers that were started. */
    get starts() {
      return starts;
    },
    hold() {
      held ??= [];
    },
    release() {
      const posts = held ?? [];
      held = undefined;
      for (const post of posts) post();
    },
  };
}

export type Jobs = ReturnType<typeof createHold>;

declare const jobs: Jobs;

/** A loaded page, and its tools by their names. */
export interface Visit extends AsyncDisposable, Record<ToolName, ToolDriver> {
  readonly page: Page;
  readonly service: Service;
  readonly origin: string;
  /** The number of jobs that the page has posted to its workers. */
  countJobs(): Promise<number>;
  /** Errors and requests to other origins, which fail the test at its end. */
  readonly problems: string[];
  /** Holds the jobs of all workers until the returned function is called. */
  hold(): Promise<() => Promise<void>>;
}

/** How to open the page. */
interface VisitOptions extends BrowserContextOptions {
  /** Path under which a proxy serves the page. */
  readonly prefix?: string;
  /** Whether to use a host that isn't a secure context. */
  readonly isInsecure?: boolean;
  /** A user name and a password in the URL, such as `a:b@`. */
  readonly userinfo?: string;
  /** Whether not to wait until the modules are loaded. */
  readonly isUnloaded?: boolean;
  /** Handles all requests instead of the service. */
  readonly override?: (service: Service) => Handle;
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page) => unknown;
}

/** Opens the page, which is checked and closed at the end of the test. */
export type Open = (hash?: string, options?: VisitOptions) => Promise<Visit>;

/** A test of the page in the browser of this run. */
export function test(
  name: string,
  run: (open: Open, t: Deno.TestContext) => Promise<void>,
): void {
  Deno.test(name, async (t) => {
    await using stack = new AsyncDisposableStack();
    const visits: Visit[] = [];
    await run(async (...args) => {
      const visited = stack.use(await visit(...args));
      visits.push(visited);
      return visited;
    }, t);
    for (const { page, service, problems } of visits) {
      const time = await readCompletion(page);
      const late = service.arrivals.filter((arrival) =>
        arrival.time > time && !OF_BROWSER.test(arrival.path) &&
        !service.detours.has(arrival.path)
      );
      assertEquals(late, [], "no request after the page is complete");
      const unexpected = await service.listUnexpected();
      assertEquals(unexpected, [], "no URL contains more than a file");
      const stored = await page.evaluate(() =>
        document.cookie +
        Object.keys({ ...localStorage, ...sessionStorage }).join()
      );
      assertMatch(stored, /^(developer-utilities)?$/);
      assertEquals(problems, []);
    }
  });
}

/** Returns the time at which the newest tab was complete, or infinity. */
async function readCompletion(page: Page): Promise<number> {
  const pages = page.context?.().pages() ?? [page];
  const times = await Promise.all(pages.map((page) =>
    page.evaluate(() => {
      const [mark] = performance.getEntriesByName("complete");
      return mark ? performance.timeOrigin + mark.startTime : null;
    })
  ));
  // WebKit's driver passes results as JSON, which has no infinity.
  return Math.max(...times.map((time) => time ?? Infinity));
}

/** Opens the page. */
async function visit(hash = "", options: VisitOptions = {}): Promise<Visit> {
  const {
    prefix = "",
    isInsecure,
    userinfo = "",
    isUnloaded,
    override,
    prepare,
    ...contextOptions
  } = options;
  const service = new Service(prefix);
  service.override = override?.(service);
  const host = isInsecure ? INSECURE_HOST : "127.0.0.1";
  const origin = `http://${host}:${service.port}`;
  const problems: string[] = [];
  const page = await openTab(origin, contextOptions, problems);
  await page.addInitScript(
    `globalThis.readSnapshot = ${readSnapshot}; globalThis.jobs = (${createHold})();`,
  );
  await prepare?.(page);
  const url = `${origin}${prefix}/${hash}`.replace("//", `//${userinfo}`);
  await page.goto(url, {
    waitUntil: isUnloaded ? "commit" : "load",
  });
  if (!isUnloaded) await waitUntilComplete(page);
  const tools = TOOLS.map((name) => [name, new ToolDriver(page, name)]);
  return {
    page,
    service,
    origin,
    problems,
    countJobs: () => page.evaluate(() => jobs.count),
    async hold() {
      await page.evaluate(() => jobs.hold());
      return () => page.evaluate(() => jobs.release());
    },
    ...Object.fromEntries(tools) as Record<ToolName, ToolDriver>,
    async [Symbol.asyncDispose]() {
      // WebKit has one page for all tests.
      await page.context?.().close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the page has loaded everything that it needs. */
export async function waitUntilComplete(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByName("complete").length > 0
  );
}

/** Opens a URL in another tab of the same browser. */
export async function openNextTab(page: Page, url: string): Promise<Page> {
  const next = await page.context().newPage();
  await next.goto(url);
  await waitUntilComplete(next);
  return next;
}

/** Reloads the page. */
export async function reload(page: Page): Promise<void> {
  await page.reload();
  await waitUntilComplete(page);
}
