/// <reference lib="dom" />

/**
 * WebKit, the engine of Safari, by WebKitGTK's driver, behind the methods of
 * Playwright's page that `tools_test.ts` uses: Playwright itself drives only a
 * WebKit of its own. Needs Debian's packages `webkit2gtk-driver` and `xvfb`.
 */

import type { Page } from "playwright-core";
// @ts-types="@types/selenium-webdriver"
import {
  Builder,
  Key,
  type WebDriver,
  type WebElement,
} from "selenium-webdriver";

/** Where Debian and Ubuntu install the browser of WebKitGTK. */
const MINI_BROWSER = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";

const CAPABILITIES = {
  browserName: "MiniBrowser",
  "webkitgtk:browserOptions": {
    binary: Deno.env.get("WEBKIT") ?? MINI_BROWSER,
    args: ["--automation"],
  },
};

/** Time in which a condition must hold, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A running WebKit with one window. */
export interface WebKit extends AsyncDisposable {
  readonly page: Page;
  /** Errors of the page since it was loaded, and addresses that it asked. */
  readonly readComplaints: (origin: string) => Promise<string[]>;
}

/** Starts WebKit on a screen of its own. */
export async function launchWebKit(): Promise<WebKit> {
  await using started = new AsyncDisposableStack();
  const start = (command: string, args: string[], env = {}) => {
    const options = { args, env, stdout: "piped", stderr: "null" } as const;
    const child = new Deno.Command(command, options).spawn();
    started.defer(async () => {
      child.kill();
      await Promise.all([child.status, child.stdout.cancel()]);
    });
    return child;
  };
  const screen = start("Xvfb", [
    ...["-displayfd", "1", "-screen", "0", "1280x1000x24"],
  ]);
  const reader = screen.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  const port = findPort();
  start("WebKitWebDriver", [`--port=${port}`], {
    DISPLAY: `:${new TextDecoder().decode(value).trim()}`,
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    // The sandbox cannot be used by root, as in containers.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  });
  const server = `http://127.0.0.1:${port}`;
  await poll(() =>
    fetch(`${server}/status`).then((response) => response.json(), () => false)
  );
  const driver = await new Builder().usingServer(server)
    .withCapabilities(CAPABILITIES).build();
  started.defer(() => driver.quit());
  await driver.manage().window().setRect({
    ...{ x: 0, y: 0, width: 1200, height: 950 },
  });
  const page = new WebKitPage(driver);
  const resources = started.move();
  return {
    page: page as unknown as Page,
    readComplaints: (origin) => page.readComplaints(origin),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** A port that is free now. */
function findPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Asks again and again until the answer is true in the sense of `if`. */
async function poll<T>(ask: () => Promise<T>, what = "WebKit"): Promise<T> {
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${what} is still awaited after ${TIMEOUT_MS} ms`);
}

// deno-lint-ignore no-explicit-any -- as in Playwright
type Script = (argument: any) => unknown;

/** Elements in the document, and in the shadow roots below what comes before the last part of a selector. */
function findElements({ selector, hasText = "", isVisible = false }: Query) {
  const parts = selector.split(" ");
  const last = parts.pop()!;
  const before = parts.join(" ");
  const hosts = [...document.querySelectorAll("*")].filter((element) =>
    element.shadowRoot && (!before || element.closest(before))
  );
  const inShadows = hosts.flatMap(({ shadowRoot }) => [
    ...shadowRoot!.querySelectorAll(last),
  ]);
  return [...document.querySelectorAll(selector), ...inShadows].filter((
    element,
  ) =>
    element.textContent.includes(hasText) &&
    (!isVisible || element.checkVisibility() &&
        element.getBoundingClientRect().height > 0)
  );
}

interface Query {
  readonly selector: string;
  readonly hasText?: string;
  readonly isVisible?: boolean;
}

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
        (Key as unknown as Record<string, string>)[key.toUpperCase()] ??
          key.toLowerCase()
      );
      // Not `Key.chord()`, whose final null key is another key press in WebKit.
      const actions = this.#driver.actions();
      for (const key of keys) actions.keyDown(key);
      for (const key of keys.toReversed()) actions.keyUp(key);
      return actions.perform();
    },
  };

  async goto(url: string): Promise<void> {
    // The address of another page first: a change of the part after # loads nothing.
    await this.#driver.get("about:blank");
    await this.#driver.get(url);
    await this.evaluate(() => {
      const complaints: string[] = [];
      Object.assign(globalThis, { complaints });
      addEventListener("error", ({ message }) => complaints.push(message));
      addEventListener(
        "unhandledrejection",
        ({ reason }) => complaints.push(String(reason)),
      );
      addEventListener(
        "securitypolicyviolation",
        ({ blockedURI }) => complaints.push(`policy: ${blockedURI}`),
      );
    });
  }

  async readComplaints(origin: string): Promise<string[]> {
    return await this.evaluate((origin: string) => {
      const { complaints } = globalThis as unknown as { complaints: string[] };
      const foreign = performance.getEntriesByType("resource")
        .map(({ name }) => name)
        .filter((name) => /^http/.test(name) && !name.startsWith(origin));
      return [...complaints, ...foreign];
    }, origin) as string[];
  }

  evaluate(script: Script, argument?: unknown): Promise<unknown> {
    return this.#driver.executeScript(
      `return (${script})(arguments[0])`,
      argument,
    );
  }

  async waitForFunction(script: Script, argument?: unknown): Promise<void> {
    await poll(() => this.evaluate(script, argument), String(script));
  }

  #find(query: Query): Promise<WebElement> {
    return poll(
      () =>
        this.#driver.executeScript<WebElement>(
          `return (${findElements})(arguments[0])[0]`,
          query,
        ),
      JSON.stringify(query),
    );
  }

  locator(selector: string, { hasText }: { hasText?: string } = {}) {
    const query = { selector, isVisible: true, ...hasText && { hasText } };
    return {
      filter: (options: { hasText: string }) => this.locator(selector, options),
      waitFor: () => this.#find(query),
    };
  }

  async click(selector: string): Promise<void> {
    const element = await this.#find({ selector, isVisible: true });
    await element.click();
  }

  async check(selector: string): Promise<void> {
    if (!await this.isChecked(selector)) await this.click(selector);
  }

  async uncheck(selector: string): Promise<void> {
    if (await this.isChecked(selector)) await this.click(selector);
  }

  async selectOption(selector: string, value: string): Promise<void> {
    const element = await this.#find({ selector, isVisible: true });
    await this.#driver.executeScript(
      `const [select, value] = arguments;
      select.value = value;
      select.dispatchEvent(new Event("input", { bubbles: true }));`,
      element,
      value,
    );
  }

  async fill(selector: string, text: string): Promise<void> {
    const element = await this.#find({ selector, isVisible: true });
    await this.#driver.executeScript(
      "arguments[0].focus(); arguments[0].select()",
      element,
    );
    await this.keyboard.type(text);
  }

  async #read(selector: string, name: string): Promise<unknown> {
    const element = await this.#find({ selector });
    return await this.#driver.executeScript(
      "return arguments[0][arguments[1]]",
      element,
      name,
    );
  }

  innerText(selector: string) {
    return this.#read(selector, "innerText");
  }

  textContent(selector: string) {
    return this.#read(selector, "textContent");
  }

  isChecked(selector: string) {
    return this.#read(selector, "checked");
  }

  async isDisabled(selector: string): Promise<unknown> {
    return await this.evaluate(
      (selector) => document.querySelector(selector)!.matches(":disabled"),
      selector,
    );
  }

  async isHidden(selector: string): Promise<boolean> {
    const visible = await this.#driver.executeScript<WebElement[]>(
      `return (${findElements})(arguments[0])`,
      { selector, isVisible: true },
    );
    return visible.length === 0;
  }
}
