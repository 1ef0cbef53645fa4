/// <reference lib="dom" />

/**
 * The page in the browser that the variable BROWSER names (`chromium`, `firefox` or
 * `webkit`), its tools, and the service that it calls.
 */

import { assert, assertEquals, assertMatch } from "@std/assert";
import axe from "axe-core";
import { createHash } from "node:crypto";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Page,
} from "playwright-core";
import type { EditorView } from "@codemirror/view";
import { createHandler } from "../../routes/mod.ts";
import type { WebKit } from "./_webkit.ts";

/** The browser of this run. */
const ENGINE = Deno.env.get("BROWSER") ?? "chromium";

/** Name of this machine that browsers do not take for secure. */
const INSECURE_HOST = "elsewhere.test";

/** Launched before the tests of a file, closed after them. */
let browser: Browser | undefined;
let webkit: WebKit | undefined;

Deno.test.beforeAll(async () => {
  if (ENGINE === "webkit") {
    const { launchWebKit } = await import("./_webkit.ts");
    webkit = await launchWebKit();
  } else if (ENGINE === "firefox") {
    browser = await firefox.launch({
      // Mozilla's own builds and those of distributions, without a driver.
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

/** Opens a tab for pages of an origin, and collects its errors and requests to other origins. */
async function openTab(
  origin: string,
  options: BrowserContextOptions,
  complaints: string[],
): Promise<Page> {
  const viewport = { width: 1100, height: 900, ...options.viewport };
  if (webkit) {
    await webkit.page.setViewportSize(viewport);
    return webkit.page;
  }
  const context = await browser!.newContext({ ...options, viewport });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  if (ENGINE === "chromium") {
    await context.grantPermissions(["clipboard-read", "clipboard-write"], {
      origin: origin.replace(INSECURE_HOST, "127.0.0.1"),
    });
  }
  page.on("console", (message) => {
    // The browser itself reports each error answer; that is no error of the page.
    // So it does each header that it does not take over plain HTTP.
    const isAnswer = /status of [45]\d\d|net::ERR_|Opener-Policy/.test(
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
  return page;
}

export const TOOLS = ["base64", "hash", "uuid", "password", "json"] as const;
export type ToolName = typeof TOOLS[number];

/** A loaded page, and its tools by their names. */
export interface Visit extends AsyncDisposable, Record<ToolName, ToolDriver> {
  readonly page: Page;
  readonly service: Service;
  readonly origin: string;
  /** Errors and requests to other origins; checked to be empty at the end. */
  readonly complaints: string[];
}

/** How to come to the page. */
interface VisitOptions extends BrowserContextOptions {
  /** Path under which a proxy serves the page. */
  readonly prefix?: string;
  readonly maxBodyBytes?: number;
  /** Come by a name that is not secure over plain HTTP. */
  readonly isInsecure?: boolean;
  /** Whether the page is used before its modules are loaded, or without them. */
  readonly isUnloaded?: boolean;
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page) => unknown;
}

/** Opens the page; it is closed and checked at the end of the test. */
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
    for (const { page, complaints } of visits) {
      const stored = await page.evaluate(() =>
        document.cookie +
        Object.keys({ ...localStorage, ...sessionStorage }).join()
      );
      assertMatch(stored, /^(developer-utilities)?$/);
      assertEquals(complaints, []);
    }
  });
}

/** Opens the page. */
async function visit(hash = "", options: VisitOptions = {}): Promise<Visit> {
  const { prefix = "", isInsecure, isUnloaded, prepare, ...others } = options;
  const service = new Service(options);
  const host = isInsecure ? INSECURE_HOST : "127.0.0.1";
  const origin = `http://${host}:${service.port}`;
  const complaints: string[] = [];
  const page = await openTab(origin, others, complaints);
  await page.addInitScript(`globalThis.readSight = ${readSight}`);
  await prepare?.(page);
  await page.goto(`${origin}${prefix}/${hash}`, {
    waitUntil: isUnloaded ? "commit" : "load",
  });
  if (!isUnloaded) await waitUntilUsable(page);
  const tools = TOOLS.map((name) => [name, new ToolDriver(page, name)]);
  return {
    page,
    service,
    origin,
    complaints,
    ...Object.fromEntries(tools) as Record<ToolName, ToolDriver>,
    async [Symbol.asyncDispose]() {
      // WebKit has one page for all tests.
      await page.context?.().close();
      await service.stop();
    },
  };
}

/** Waits until the modules of a page have run. */
export async function waitUntilUsable(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByName("usable").length > 0
  );
}

/** A function that answers a request. */
type Answer = (request: Request) => Response | Promise<Response>;

/** The service under a path, and what may stand between it and the page. */
export class Service {
  readonly port: number;
  /** Answers of the service itself. */
  readonly handle: Answer;
  /** Answers the calls instead of the service, if set. */
  answer: Answer | undefined;
  /** Number of calls so far. */
  calls = 0;
  readonly #prefix: string;
  #server;

  constructor({ prefix = "", maxBodyBytes }: VisitOptions) {
    this.#prefix = prefix;
    this.handle = createHandler(maxBodyBytes ? { maxBodyBytes } : {});
    this.#server = this.#listen(0);
    this.port = this.#server.addr.port;
  }

  #listen(port: number) {
    const options = { hostname: "127.0.0.1", port, onListen() {} };
    return Deno.serve(options, (request) => {
      const url = new URL(request.url);
      if (!url.pathname.startsWith(`${this.#prefix}/`)) {
        return new Response("elsewhere", { status: 404 });
      }
      url.pathname = url.pathname.slice(this.#prefix.length);
      const inner = new Request(url, request);
      if (!url.pathname.startsWith("/api/")) return this.handle(inner);
      this.calls += 1;
      return (this.answer ?? this.handle)(inner);
    });
  }

  /** Stops listening, so that calls fail in the network. */
  stop(): Promise<void> {
    return this.#server.shutdown();
  }

  restart(): void {
    this.#server = this.#listen(this.port);
  }

  /** Holds the answers to calls from now on, until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.answer = (request) => promise.then(() => this.handle(request));
    return () => {
      this.answer = undefined;
      resolve();
    };
  }
}

export interface Host extends HTMLElement {
  readonly view: EditorView;
}

/** What a person sees of a tool in one moment; runs in the page, as a global function. */
function readSight(name: string) {
  const section = document.getElementById(name)!;
  const find = (selector: string) =>
    section.querySelector<HTMLElement>(selector);
  const read = (selector: string) => find(selector)?.textContent ?? "";
  const view = (pane: string) =>
    (find(`.${pane} .editor`) as Host | null)?.view;
  const lines = [
    ...section.querySelectorAll(".line, .digest:has(:checked) code"),
  ];
  const buttons = section.querySelectorAll(
    ":is([name=copy], [name=save], [name=swap]):not(.command *)",
  );
  return {
    /** `current`, `stale`, or `empty`. */
    state: section.dataset.state!,
    get input() {
      return view("source")?.state.doc.toString() ?? "";
    },
    /** The part of the input that is selected. */
    get selected() {
      const state = view("source")?.state;
      const { from, to } = state?.selection.main ?? {};
      return state?.sliceDoc(from, to) ?? "";
    },
    /** The result, unless it is out of date. */
    get answer() {
      return this.state === "current" ? this.result : undefined;
    },
    get result() {
      return read(".note") || (view("result")?.state.doc.toString() ??
        lines.map(({ textContent }) => textContent).join("\n"));
    },
    badge: read(".badge"),
    sizes: read(".sizes"),
    message: read(".message span"),
    /** Labels of the buttons in the message. */
    buttons: [...section.querySelectorAll(".message button")]
      .map(({ textContent }) => textContent).join(", "),
    code: read(".command pre"),
    /** Whether the buttons that need a result can be used. */
    isUsable: [...buttons].some(({ ariaDisabled }) => ariaDisabled !== "true"),
  };
}

type Sight = ReturnType<typeof readSight>;

/** One tool of the page, used as a person would. */
export class ToolDriver {
  constructor(readonly page: Page, readonly name: ToolName) {}

  /** Goes to the tool by its link. */
  async show(): Promise<void> {
    await this.page.click(`nav a[href^="#${this.name}"]`);
    await this.page.waitForFunction(
      (name) => document.getElementById(name)!.checkVisibility(),
      this.name,
    );
  }

  async click(selector: string): Promise<void> {
    await this.page.click(`#${this.name} ${selector}`);
  }

  /** Presses a button of the message. */
  async press(label: string): Promise<void> {
    const buttons = await this.texts(".message button");
    assert(buttons.includes(label), `${label} is not among ${buttons}`);
    const place = buttons.indexOf(label) + 1;
    await this.click(`.message button:nth-of-type(${place})`);
  }

  /** Chooses an option, checks or unchecks a box, or types a number. */
  async set(name: string, value: string | boolean): Promise<void> {
    const selector = `[name=${name}]`;
    const { type, checked } = await this.page.evaluate(
      ([tool, selector, value]) => {
        const control = document.querySelector<
          HTMLInputElement | HTMLSelectElement
        >(`#${tool} ${selector}`)!;
        const { type } = control;
        if (control instanceof HTMLSelectElement) {
          control.value = String(value);
          control.dispatchEvent(new Event("input", { bubbles: true }));
          return { type, checked: false };
        }
        if (type === "number") control.select();
        return { type, checked: control.checked };
      },
      [this.name, selector, value] as const,
    );
    if (type === "radio") await this.click(`${selector}[value="${value}"]`);
    if (type === "checkbox" && checked !== value) await this.click(selector);
    if (type === "number") await this.page.keyboard.type(String(value));
  }

  /** Makes a text the input, as pasting over all of it does. */
  async fill(text: string, userEvent = "input.paste"): Promise<void> {
    await this.page.evaluate(([name, text, userEvent]) => {
      const { view } = document.querySelector(`#${name} .editor`) as Host;
      view.focus();
      const insert = view.state.toText(text);
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert },
        selection: { anchor: insert.length },
        userEvent,
      });
    }, [this.name, text, userEvent] as const);
  }

  /** Makes a text the input, as typing does, and returns what is seen next. */
  async type(text: string): Promise<Sight> {
    await this.fill(text, "input.type");
    return await this.look();
  }

  /** Drops files on a part of the page, by default on the input; returns whether the page has taken them. */
  async drop(
    files: Uint8Array | string | readonly (Uint8Array | string)[],
    target = `#${this.name} .editor`,
  ): Promise<boolean> {
    const contents = [files].flat().map((file) =>
      typeof file === "string" ? file : [...file]
    );
    return await this.page.evaluate(([target, contents]) => {
      const dataTransfer = new DataTransfer();
      for (const content of contents) {
        const isText = typeof content === "string";
        const part = isText ? content : Uint8Array.from(content);
        dataTransfer.items.add(new File([part], "dropped.txt"));
      }
      const init = { dataTransfer, bubbles: true, cancelable: true };
      const element = document.querySelector(target)!;
      const isOver = element.dispatchEvent(new DragEvent("dragover", init));
      return !element.dispatchEvent(new DragEvent("drop", init)) && !isOver;
    }, [target, contents] as const);
  }

  /** What is seen now. */
  async look(): Promise<Sight> {
    return await this.page.evaluate(
      (name) => ({ ...readSight(name) }),
      this.name,
    );
  }

  /** Waits until a part of what is seen is a text, or matches an expression. */
  async until(part: keyof Sight, expected: string | RegExp): Promise<void> {
    const isText = typeof expected === "string";
    const source = isText ? expected : expected.source;
    await this.page.waitForFunction(([name, part, source, isText]) => {
      const value = String(readSight(name)[part]);
      return isText ? value === source : new RegExp(source).test(value);
    }, [this.name, part, source, isText] as const);
  }

  /** Waits for the result of the present input and options. */
  async expect(expected: string | RegExp): Promise<void> {
    await this.until("answer", expected);
  }

  /** Fills the input, and waits for its result. */
  async ask(text: string, expected: string | RegExp = /./): Promise<void> {
    await this.fill(text);
    await this.expect(expected);
  }

  /** Waits until the message has the expected words. */
  async expectMessage(words: string): Promise<void> {
    await this.until("message", new RegExp(RegExp.escape(words)));
  }

  /** The texts of visible elements, those in the editors of a pane included. */
  texts(selector: string, pane = ""): Promise<string[]> {
    return this.page.evaluate(([name, selector, pane]) => {
      const section = document.getElementById(name)!;
      const hosts = section.querySelectorAll(`${pane} .editor`);
      const roots = [...hosts].flatMap(({ shadowRoot }) => shadowRoot ?? []);
      return [...pane ? [] : [section], ...roots]
        .flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)])
        .filter((element) => element.checkVisibility())
        .map(({ innerText }) => innerText);
    }, [this.name, selector, pane] as const);
  }

  /** Presses a button that copies, and waits until it says so. */
  async copy(selector = "button.primary"): Promise<void> {
    await this.click(selector);
    await this.page.waitForFunction(
      (selector) =>
        /Copied/.test(document.querySelector(selector)!.textContent),
      `#${this.name} ${selector}`,
    );
  }
}

/** Turns off every kind of character. */
export async function turnOffClasses(password: ToolDriver): Promise<void> {
  for (const name of ["uppercase", "lowercase", "numbers", "symbols"]) {
    await password.set(name, false);
  }
}

/** Violations that axe-core finds, of all rules except those of level AAA. */
export async function findViolations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not bind.
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    // Some colours change after a delay, those of editors in shadow roots.
    const hosts = [...document.querySelectorAll(".editor")];
    const roots = hosts.flatMap(({ shadowRoot }) => shadowRoot ?? []);
    for (const root of [document, ...roots]) {
      for (const animation of root.getAnimations()) animation.finish();
    }
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const levels = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    const { violations } = await axe.run({
      runOnly: [...levels, "best-practice"],
      resultTypes: ["violations"],
    });
    return violations.map(({ id, nodes }) =>
      `${id}: ${nodes.map(({ html }) => html).join(", ")}`
    );
  });
}

/** The text on the clipboard, or the one put there. */
export function clipboard(page: Page, text?: string): Promise<string> {
  return page.evaluate(async (text) => {
    if (text !== undefined) await navigator.clipboard.writeText(text);
    return await navigator.clipboard.readText();
  }, text);
}

/** Puts a text on the clipboard and pastes it where the focus is. */
export async function paste(page: Page, text: string): Promise<void> {
  await clipboard(page, text);
  await page.keyboard.press("Control+V");
}

/** The edges of an element, in pixels of the window. */
export async function readBox(page: Page, selector: string) {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

/** A digest that the page should show, in hexadecimal digits. */
export function digest(
  text: string | Uint8Array,
  algorithm = "sha256",
): string {
  return createHash(algorithm).update(text).digest("hex");
}
