/// <reference lib="dom" />

/** The page in a browser, and what it must never do there. */

import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { EditorView } from "@codemirror/view";
import { type ServerProcess, startServer } from "../_server.ts";
import { ENGINE, openTab } from "./_engines.ts";

export { browser } from "./_engines.ts";

/** A page of a server of its own, its tools, and what it must never do. */
interface Visit extends AsyncDisposable, Record<ToolName, ToolDriver> {
  readonly page: Page;
  readonly origin: string;
  readonly tools: Readonly<Record<string, ToolDriver>>;
  /** Errors and requests to other origins; checked to be empty at the end. */
  readonly complaints: string[];
}

const TOOL_NAMES = ["base64", "hash", "uuid", "password", "json"] as const;
type ToolName = typeof TOOL_NAMES[number];

/** How to come to the page. */
interface VisitOptions extends BrowserContextOptions {
  /** Path under which a proxy serves the page. */
  readonly prefix?: string;
  /** Delay of each answer to a POST request behind the proxy, in milliseconds. */
  readonly delayMs?: number;
  /** Environment of the server. */
  readonly variables?: Record<string, string>;
  /** Come by a name that is not secure over plain HTTP. */
  readonly isInsecure?: boolean;
  /** Until when the page is loaded, by default the event `load`. */
  readonly waitUntil?: "commit";
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** A server for all pages of a file without variables. WebKit has one storage for an origin, and needs new ones. */
let shared: ServerProcess | undefined;

if (ENGINE !== "webkit") {
  Deno.test.beforeAll(async () => {
    shared = await startServer();
  });
  Deno.test.afterAll(async () => {
    await shared?.[Symbol.asyncDispose]();
  });
}

/** Opens the page, or runs a step. */
export interface Open {
  (...args: Parameters<typeof visit>): Promise<Visit>;
  readonly step: Deno.TestContext["step"];
}

/** A test of the page, which is closed and checked at its end. */
export function test(name: string, run: (open: Open) => Promise<void>): void {
  Deno.test(name, async (t) => {
    await using visits = new AsyncDisposableStack();
    const open = async (...args: Parameters<typeof visit>) =>
      visits.use(await visit(...args));
    await run(Object.assign(open, { step: t.step.bind(t) }));
  });
}

/** Opens the page; closing it checks that it kept quiet and to itself. */
export async function visit(
  hash = "",
  {
    prefix = "",
    delayMs = 0,
    variables,
    isInsecure,
    waitUntil,
    prepare,
    ...options
  }: VisitOptions = {},
): Promise<Visit> {
  const own = variables || !shared ? await startServer(variables) : undefined;
  const server = own ?? shared!;
  const proxy = prefix === ""
    ? undefined
    : mountUnder(prefix, { origin: server.origin, delayMs });
  const host = isInsecure ? "elsewhere.test" : "127.0.0.1";
  const origin = `http://${host}:${proxy?.addr.port ?? server.port}`;
  const tab = await openTab(origin, options);
  const { page, complaints } = tab;
  await prepare?.(page);
  await page.goto(`${origin}${prefix}/${hash}`, {
    waitUntil: waitUntil ?? "load",
  });
  if (!waitUntil && options.javaScriptEnabled !== false) {
    await waitUntilUsable(page);
  }
  const tools = Object.fromEntries(
    TOOL_NAMES.map((name) => [name, new ToolDriver(page, name)]),
  ) as Record<ToolName, ToolDriver>;
  return {
    page,
    ...tools,
    tools,
    origin,
    complaints,
    async [Symbol.asyncDispose]() {
      const stored = options.javaScriptEnabled === false
        ? ["", 0, 0]
        : await page.evaluate(() => [
          Object.keys(localStorage).filter((key) =>
            key !== "developer-utilities"
          ).join(),
          sessionStorage.length,
          document.cookie.length,
        ]);
      await tab.close();
      await proxy?.shutdown();
      await own?.[Symbol.asyncDispose]();
      assertEquals(complaints, []);
      assertEquals(stored, ["", 0, 0]);
    },
  };
}

/** Waits until the modules of a page are there, or have failed. */
export async function waitUntilUsable(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByName("usable").length > 0 ||
    document.querySelector(".failed")?.checkVisibility()
  );
}

/** A reverse proxy that serves an origin under a path of its own. */
function mountUnder(
  prefix: string,
  { origin, delayMs }: { origin: string; delayMs: number },
) {
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
      if (body !== null && delayMs > 0) await delay(delayMs, request.signal);
      return await fetch(origin + pathname.slice(prefix.length) + search, {
        method,
        body,
      });
    },
  );
}

/** Waits, or until a signal is aborted. */
function delay(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** An element that holds an editor. */
export interface Host extends HTMLElement {
  readonly view: EditorView;
}

/** One tool of the page, used as a person would. */
export class ToolDriver {
  constructor(readonly page: Page, readonly name: string) {}

  /** Makes a text the input, as pasting does; only Chromium takes a paste that a script made. */
  async fill(text: string): Promise<void> {
    await this.page.evaluate(([name, text, takesEvents]) => {
      const { view } = document.querySelector(`#${name} .editor`) as Host;
      const { length } = view.state.doc;
      view.dispatch({ selection: { anchor: 0, head: length } });
      view.focus();
      if (text === "") {
        const changes = { from: 0, to: length };
        view.dispatch({ changes, userEvent: "delete" });
      }
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      const init = { clipboardData, bubbles: true, cancelable: true };
      const event = new ClipboardEvent("paste", init);
      if (takesEvents) view.contentDOM.dispatchEvent(event);
      else {
        const userEvent = "input.paste";
        view.dispatch(view.state.replaceSelection(text), { userEvent });
      }
    }, [this.name, text, ENGINE === "chromium"] as const);
  }

  /** Goes to the tool by its link. */
  async show(): Promise<void> {
    await this.page.click(`nav a[href^="#${this.name}"]`);
    await this.page.locator(`#${this.name} form`).waitFor();
  }

  /** Fills the input, and waits for its result. */
  async ask(text: string, expected: string | RegExp): Promise<void> {
    await this.fill(text);
    await this.expect(expected);
  }

  /** The exact text of the input or the result. */
  async read(pane: "source" | "result" = "source"): Promise<string> {
    return await this.page.evaluate((selector) => {
      const host = document.querySelector(selector) as Host;
      return host.view.state.doc.toString();
    }, `#${this.name} .${pane} .editor`);
  }

  /** Waits until the input is a text, exactly. */
  async expectInput(text: string): Promise<void> {
    await this.page.waitForFunction(([name, text]) => {
      const { view } = document.querySelector(`#${name} .editor`) as Host;
      return view.state.doc.toString() === text;
    }, [this.name, text] as const);
  }

  /** The part of the input that is selected. */
  async readSelection(): Promise<string> {
    return await this.page.evaluate((name) => {
      const host = document.querySelector(`#${name} .editor`) as Host;
      const { selection: { main }, doc } = host.view.state;
      return doc.sliceString(main.from, main.to);
    }, this.name);
  }

  /** Waits until the result is the expected one, and not out of date. */
  async expect(expected: string | RegExp): Promise<void> {
    const isText = typeof expected === "string";
    await this.page.waitForFunction(([name, source, isText]) => {
      const section = document.querySelector<HTMLElement>(`#${name}`)!;
      const host = section.querySelector(".result .editor") as Host | null;
      const note = section.querySelector(".note:not(:empty)");
      const lines = section.querySelectorAll(".line").length > 0
        ? section.querySelectorAll(".line")
        : section.querySelectorAll(".output, .digest:has(:checked) code");
      const result = note?.textContent ?? host?.view.state.doc.toString() ??
        [...lines].map(({ textContent }) => textContent).join("\n");
      return section.dataset.state === "current" &&
        (isText ? result === source : new RegExp(source!).test(result));
    }, [this.name, isText ? expected : expected.source, isText] as const);
  }

  /** Waits until the message has the expected words. */
  async expectMessage(words: string): Promise<void> {
    const message = this.page.locator(`#${this.name} .message`);
    await message.filter({ hasText: words }).waitFor();
  }

  /** The visible state of the tool, after replacing its input in the same moment. */
  async look(typed?: string): Promise<Sight> {
    return await this.page.evaluate(([name, typed]) => {
      const section = document.querySelector<HTMLElement>(`#${name}`)!;
      if (typed !== undefined) {
        const { view } = section.querySelector(".editor") as Host;
        const { state } = view;
        const insert = state.toText(typed);
        const changes = { from: 0, to: state.doc.length, insert };
        view.dispatch({ changes, userEvent: "input.type" });
      }
      const read = (selector: string) =>
        section.querySelector(selector)?.textContent ?? "";
      const host = section.querySelector(".result .editor") as Host | null;
      const needing = [
        ...section.querySelectorAll(
          ":is([name=copy], [name=save], [name=swap]):not(.command *)",
        ),
      ];
      return {
        state: section.dataset.state!,
        badge: read(".badge"),
        result: host?.view.state.doc.toString() ??
          [...section.querySelectorAll(".line, .digest:has(:checked) code")]
            .map(({ textContent }) => textContent).join("\n"),
        sizes: read(".sizes"),
        message: read(".message span"),
        isUsable: needing.some(({ ariaDisabled }) => ariaDisabled !== "true"),
      };
    }, [this.name, typed] as const);
  }

  /** Drops a file on the input. */
  async drop(file: Uint8Array | string): Promise<void> {
    await dropFiles(this.page, `#${this.name} .editor`, [file]);
  }
}

/** Presses a button that copies, and waits until it says so. */
export async function copy(page: Page, selector: string): Promise<void> {
  await page.click(selector);
  await page.locator(selector, { hasText: "Copied" }).waitFor();
}

/** The look of a tool in one moment. */
interface Sight {
  /** `current`, `stale`, or `empty`. */
  readonly state: string;
  readonly badge: string;
  readonly result: string;
  readonly sizes: string;
  readonly message: string;
  /** Whether what needs a result can be used. */
  readonly isUsable: boolean;
}

/** Holds back the answers of an endpoint until they are let go. */
export async function holdAnswers(
  page: Page,
  path: string,
): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>();
  await page.route(`**/${path}`, async (route) => {
    await release.promise;
    // A call that was given up has no one to answer.
    await route.continue().catch(() => {});
  });
  return async () => {
    release.resolve();
    await page.unroute(`**/${path}`);
  };
}

/** Drops files on a part of the page, as a person would from a folder. */
export async function dropFiles(
  page: Page,
  target: string,
  files: readonly (Uint8Array | string)[],
): Promise<boolean> {
  // A text is handed over faster than an array.
  const contents = files.map((file) => {
    const bytes = typeof file === "string"
      ? new TextEncoder().encode(file)
      : file;
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  });
  return await page.evaluate(([target, contents]) => {
    const dataTransfer = new DataTransfer();
    for (const content of contents) {
      const bytes = Uint8Array.from(content, (byte) => byte.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], "dropped.txt"));
    }
    const init = { dataTransfer, bubbles: true, cancelable: true };
    const element = document.querySelector(target)!;
    const isOver = element.dispatchEvent(new DragEvent("dragover", init));
    return !element.dispatchEvent(new DragEvent("drop", init)) && !isOver;
  }, [target, contents] as const);
}

/** The edges of an element, in pixels of the window. */
export async function readBox(page: Page, selector: string) {
  const { x, y, width, height } = (await page.locator(selector).boundingBox())!;
  return { left: x, top: y, right: x + width, bottom: y + height, height };
}

/** The text on the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The digest that the tools should show, in hexadecimal digits. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
