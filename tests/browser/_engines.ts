/** The browsers that the tests run in, by the variable BROWSER: `chromium`, `firefox` or `webkit`. */

import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
} from "playwright-core";
import type { WebKit } from "./_webkit.ts";

/** The browser of this run. */
export const ENGINE = Deno.env.get("BROWSER") ?? "chromium";

const CHROMIUM_FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A name of this machine that browsers do not take for secure.
  "--host-resolver-rules=MAP elsewhere.test 127.0.0.1",
];

const FIREFOX_PREFERENCES = {
  // Firefox cannot grant the clipboard to one origin.
  "dom.events.testing.asyncClipboard": true,
  "network.dns.localDomains": "elsewhere.test",
};

/** Launched before the tests of a file, closed after them; not WebKit, which Playwright does not drive. */
export let browser: Browser;
let webkit: WebKit;

Deno.test.beforeAll(async () => {
  if (ENGINE === "webkit") {
    const { launchWebKit } = await import("./_webkit.ts");
    webkit = await launchWebKit();
  } else if (ENGINE === "firefox") {
    browser = await firefox.launch({
      // Mozilla's own builds and those of distributions, without a driver.
      channel: "moz-firefox",
      executablePath: Deno.env.get("FIREFOX") ?? "/usr/bin/firefox-esr",
      firefoxUserPrefs: FIREFOX_PREFERENCES,
    });
  } else {
    browser = await chromium.launch({
      executablePath: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium",
      args: CHROMIUM_FLAGS,
    });
  }
});

Deno.test.afterAll(async () => {
  await browser?.close();
  await webkit?.[Symbol.asyncDispose]();
});

/** A page that is not loaded yet. */
interface Tab {
  readonly page: Page;
  /** Errors and requests to other origins, complete when the tab is closed. */
  readonly complaints: string[];
  close(): Promise<void>;
}

/** Opens a tab for pages of an origin. */
export async function openTab(
  origin: string,
  options: BrowserContextOptions,
): Promise<Tab> {
  const complaints: string[] = [];
  if (ENGINE === "webkit") {
    const { page } = webkit;
    const close = async () => {
      complaints.push(...await webkit.readComplaints(origin));
    };
    return { page, complaints, close };
  }
  const context = await browser.newContext({
    viewport: { width: 1100, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  if (ENGINE === "firefox") typeOver(page);
  else {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], {
      origin: origin.replace("elsewhere.test", "127.0.0.1"),
    });
  }
  page.on("console", (message) => {
    // The browser itself reports each error answer; that is no error of the page.
    // So it does each header that it does not take over plain HTTP.
    const isAnswer = /status of [45]\d\d|net::ERR_FAILED|Opener-Policy/.test(
      message.text(),
    );
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
  return { page, complaints, close: () => context.close() };
}

/** Makes `fill()` replace a number, to which Firefox's driver adds digits instead. */
function typeOver(page: Page): void {
  page.fill = async (selector, value) => {
    await page.focus(selector);
    await page.keyboard.press("Control+A");
    await page.keyboard.type(value);
  };
}
