/// <reference lib="dom" />

/** The page in Chromium, and what it must never do there. */

import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import type { EditorView } from "@codemirror/view";
import { startServer } from "../_server.ts";

const FLAGS = [
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
  /** Errors and requests to other origins; checked to be empty at the end. */
  readonly complaints: string[];
}

/** How to come to the page. */
export interface VisitOptions extends BrowserContextOptions {
  /** What the path begins with, behind a proxy. */
  readonly prefix?: string;
  /** Environment of the server. */
  readonly variables?: Record<string, string>;
  /** Come by a name that is not secure over plain HTTP. */
  readonly isInsecure?: boolean;
  /** Called before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Opens the page; closing it checks that it kept quiet and to itself. */
export async function visit(
  hash = "",
  { prefix = "", variables, isInsecure, prepare, ...options }: VisitOptions =
    {},
): Promise<Visit> {
  const server = await startServer(variables);
  const proxy = prefix === "" ? undefined : mountUnder(prefix, server.origin);
  const host = isInsecure ? "elsewhere.test" : "127.0.0.1";
  const origin = `http://${host}:${proxy?.addr.port ?? server.port}`;
  const context = await browser.newContext({
    viewport: { width: 1100, height: 900 },
    ...options,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], {
    origin: server.origin,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
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
  await prepare?.(page);
  await page.goto(`${origin}${prefix}/${hash}`);
  return {
    page,
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
      await context.close();
      await proxy?.shutdown();
      await server[Symbol.asyncDispose]();
      assertEquals(complaints, []);
      assertEquals(stored, ["", 0, 0]);
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

/** Makes a text the input, or adds it at the caret, as pasting does. */
export async function fill(
  page: Page,
  tool: string,
  text: string,
  { isAdded = false }: { readonly isAdded?: boolean } = {},
): Promise<void> {
  await page.evaluate(([tool, text, isAdded]) => {
    const { view } = document.querySelector(`#${tool} .source .editor`) as Host;
    const { length } = view.state.doc;
    if (!isAdded) view.dispatch({ selection: { anchor: 0, head: length } });
    view.focus();
    if (text === "") {
      view.dispatch({
        changes: { from: 0, to: length },
        userEvent: "delete",
      });
    }
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    view.contentDOM.dispatchEvent(
      new ClipboardEvent("paste", {
        clipboardData,
        bubbles: true,
        cancelable: true,
      }),
    );
  }, [tool, text, isAdded] as const);
}

/** An element that holds an editor. */
export interface Host extends HTMLElement {
  readonly view: EditorView;
}

/** The exact text of a tool's input or result. */
export async function readText(
  page: Page,
  tool: string,
  pane: "source" | "result" = "source",
): Promise<string> {
  return await page.evaluate(([tool, pane]) => {
    const host = document.querySelector(`#${tool} .${pane} .editor`) as Host;
    return host.view.state.doc.toString();
  }, [tool, pane]);
}

/** Waits until the input is a text, exactly. */
export async function expectInput(
  page: Page,
  tool: string,
  text: string,
): Promise<void> {
  await page.waitForFunction(([tool, text]) => {
    const host = document.querySelector(`#${tool} .source .editor`) as Host;
    return host.view.state.doc.toString() === text;
  }, [tool, text]);
}

/** The part of the input that is selected. */
export async function readSelection(
  page: Page,
  tool: string,
): Promise<string> {
  return await page.evaluate((tool) => {
    const { view: { state } } = document.querySelector(
      `#${tool} .source .editor`,
    ) as Host;
    const { from, to } = state.selection.main;
    return state.sliceDoc(from, to);
  }, tool);
}

/** Waits until the tool's result is the expected one, and not out of date. */
export async function expectResult(
  page: Page,
  tool: string,
  expected: string | RegExp,
): Promise<void> {
  await page.waitForFunction(
    ([tool, source, isText]) => {
      const section = document.querySelector<HTMLElement>(`#${tool}`)!;
      const host = section.querySelector(".result .editor") as Host | null;
      const note = section.querySelector<HTMLElement>(".note:not([hidden])");
      const lines = section.querySelectorAll(".line").length > 0
        ? section.querySelectorAll(".line")
        : section.querySelectorAll(".output, .digest:has(:checked) code");
      const result = note?.textContent ?? host?.view.state.doc.toString() ??
        [...lines].map(({ textContent }) => textContent).join("\n");
      return section.dataset.state === "current" &&
        (isText ? result === source : new RegExp(source!).test(result));
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

/** Presses a button that copies, and waits until it says so. */
export async function copy(page: Page, selector: string): Promise<void> {
  await page.click(selector);
  await page.locator(selector, { hasText: "Copied" }).waitFor();
}

/** The look of a tool in one moment. */
export interface Sight {
  /** `current`, `stale`, or `empty`. */
  readonly state: string;
  readonly badge: string;
  readonly result: string;
  readonly sizes: string;
  readonly message: string;
  /** Whether what needs a result can be used. */
  readonly isUsable: boolean;
}

/** Looks at a tool, after replacing its input in the same moment. */
export async function look(
  page: Page,
  tool: string,
  typed?: string,
): Promise<Sight> {
  return await page.evaluate(([tool, typed]) => {
    const section = document.querySelector<HTMLElement>(`#${tool}`)!;
    if (typed !== undefined) {
      const { view } = section.querySelector(".source .editor") as Host;
      const { state } = view;
      const changes = {
        from: 0,
        to: state.doc.length,
        insert: state.toText(typed),
      };
      view.dispatch({ changes, userEvent: "input.type" });
    }
    const read = (selector: string) =>
      section.querySelector(selector)?.textContent ?? "";
    const host = section.querySelector(".result .editor") as Host | null;
    const needing = [...section.querySelectorAll("[data-needs-result]")];
    const off = needing.filter((control) =>
      control.getAttribute("aria-disabled") === "true"
    );
    return {
      state: section.dataset.state!,
      badge: read(".badge"),
      result: host?.view.state.doc.toString() ??
        read(".output, .digest:has(:checked) code"),
      sizes: read(".sizes"),
      message: read(".message span"),
      isUsable: off.length === 0 || off.length !== needing.length,
    };
  }, [tool, typed] as const);
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

/** Drops a file on a tool's input. */
export async function dropFile(
  page: Page,
  tool: string,
  file: Uint8Array | string,
): Promise<void> {
  await dropFiles(page, `#${tool} .source .editor`, [file]);
}

/** The text on the clipboard. */
export function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The digest that the tools should show, in hexadecimal digits. */
export function sha256(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}
