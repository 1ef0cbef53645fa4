/// <reference lib="dom" />

/**
 * WebKit, the engine of Safari. Playwright drives only its own build of WebKit, so this module
 * implements the methods of Playwright's page that `tools_test.ts` and `common_test.ts` use with
 * WebKitGTK's driver. Needs a screen and Debian's package `webkit2gtk-driver`.
 */

import type { Page } from "playwright-core";
// @ts-types="@types/selenium-webdriver"
import { Builder, By, Key, type WebDriver } from "selenium-webdriver";
import { startOnFreePort } from "../_server.ts";
import { fetchWithin, waitFor } from "../_within.ts";

/** Where Debian and Ubuntu install the browser of WebKitGTK. */
const MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

const CAPABILITIES = {
  browserName: "MiniBrowser",
  "webkitgtk:browserOptions": {
    binary: Deno.env.get("WEBKIT") ?? MINI_BROWSER,
    args: ["--automation"],
  },
};

/** The time limit for a condition, and the interval of checks, in milliseconds. */
const [TIMEOUT_MS, POLL_MS] = [60_000, 30];

/** A running WebKit with one window. */
export interface WebKit extends AsyncDisposable {
  readonly page: Page;
}

/** Starts WebKit. */
export async function launchWebKit(): Promise<WebKit> {
  await using started = new AsyncDisposableStack();
  const { url } = started.use(await startOnFreePort(startDriver));
  const driver = await new Builder().usingServer(url)
    .withCapabilities(CAPABILITIES).build();
  started.defer(() => driver.quit());
  const resources = started.move();
  return {
    page: new WebKitPage(driver) as unknown as Page,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A program that drives WebKit and receives its commands at a URL. Disposal ends it. */
interface Driver extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts the driver.
 *
 * @throws {Error} With the output of the driver, if it ends because the port is in use.
 */
async function startDriver(port: number): Promise<Driver> {
  await using started = new AsyncDisposableStack();
  const service = new Deno.Command("WebKitWebDriver", {
    args: [`--port=${port}`],
    env: {
      WEBKIT_DISABLE_COMPOSITING_MODE: "1",
      // The sandbox cannot be used by root, as in containers.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    },
    stderr: "piped",
  }).spawn();
  let hasEnded = false;
  const log = new Response(service.stderr).text();
  const ended = service.status.then(() => hasEnded = true);
  started.defer(async () => {
    if (!hasEnded) service.kill();
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await waitFor(async () => {
    if (hasEnded) throw new Error(`the driver ended: ${await log}`);
    // A process that already uses the port might never respond.
    return await fetchWithin(`${url}/status`, {}, { limitMs: 2_000 })
      .then(async (response) => (await response.json()).value.ready === true)
      .catch(() => false);
  });
  const resources = started.move();
  return { url, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

/** A script for the page. Its source is sent, so its argument can have any type. */
type Script = string | ((argument: never) => unknown);

/** The part of Playwright's page that the tests of the tools use. */
class WebKitPage {
  readonly #driver: WebDriver;

  constructor(driver: WebDriver) {
    this.#driver = driver;
  }

  readonly keyboard = {
    type: (text: string) => this.#driver.actions().sendKeys(text).perform(),
    press: (name: string) => {
      const keys = name.split("+").map((key) =>
        (Key as unknown as Record<string, string>)[
          key.replace("Arrow", "").replace("Backspace", "Back_Space")
            .toUpperCase()
        ] ?? key.replace("Digit", "").toLowerCase()
      );
      // Not `Key.chord()`, whose final null key is another key press in WebKit.
      const actions = this.#driver.actions();
      for (const key of keys) actions.keyDown(key);
      for (const key of keys.toReversed()) actions.keyUp(key);
      return actions.perform();
    },
  };

  async setViewportSize(size: { width: number; height: number }) {
    await this.#driver.manage().window().setRect({ x: 0, y: 0, ...size });
  }

  #script = "";

  addInitScript(script: string): void {
    this.#script = script;
  }

  async goto(url: string): Promise<void> {
    // First another page, because a change of the fragment alone loads nothing.
    await this.#driver.get("about:blank");
    await this.#driver.get(url);
    await this.evaluate(this.#script);
  }

  evaluate(script: Script, argument?: unknown): Promise<unknown> {
    return this.#driver.executeScript(
      typeof script === "string" ? script : `return (${script})(arguments[0])`,
      argument,
    );
  }

  async waitForFunction(script: Script, argument?: unknown): Promise<void> {
    const check = () => this.evaluate(script, argument);
    const message = `${script} ${JSON.stringify(argument)}`;
    await this.#driver.wait(check, TIMEOUT_MS, message, POLL_MS);
  }

  async click(selector: string): Promise<void> {
    const isVisible = (selector: string) =>
      document.querySelector(selector)?.checkVisibility();
    await this.waitForFunction(isVisible, selector);
    await this.#driver.findElement(By.css(selector)).click();
  }
}
