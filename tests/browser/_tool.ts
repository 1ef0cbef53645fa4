/// <reference lib="dom" />

/** The tools of the page, as users operate and see them. */

import { assert } from "@std/assert";
import type { Page } from "playwright-core";
import type { EditorView } from "@codemirror/view";

export const TOOLS = ["base64", "hash", "uuid", "password", "json"] as const;
export type ToolName = typeof TOOLS[number];

export interface Host extends HTMLElement {
  readonly view: EditorView;
}

/** Reads what a tool shows. Runs in the page, as a global function. */
export function readSnapshot(name: string) {
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
    ":is([name=copy], [name=download], [name=useAsInput]):not(.api-call *)",
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
    get current() {
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
    code: read(".api-call pre"),
    /** Whether a button that needs a result is enabled. */
    isUsable: [...buttons].some(({ ariaDisabled }) => ariaDisabled !== "true"),
  };
}

type Snapshot = ReturnType<typeof readSnapshot>;

/** The content of a file: a string, bytes, or equal bytes that the page creates. */
type Content =
  | string
  | Uint8Array
  | { readonly byte: number; readonly megabytes: number };

/** One tool of the page. */
export class ToolDriver {
  constructor(readonly page: Page, readonly name: ToolName) {}

  /** Opens the tool by its link. */
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
    const index = buttons.indexOf(label) + 1;
    await this.click(`.message button:nth-of-type(${index})`);
  }

  /** Opens the API call as code, if it is not open yet. */
  async showApiCall(): Promise<void> {
    const button = "[name=apiCall]";
    const isShown = await this.page.evaluate(
      (selector) => document.querySelector(selector)!.ariaExpanded,
      `#${this.name} ${button}`,
    );
    if (isShown !== "true") await this.click(button);
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

  /** Replaces the input, as a paste over all of it does. */
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

  /** Replaces the input, as typing does, and returns what the tool shows next. */
  async type(text: string): Promise<Snapshot> {
    await this.fill(text, "input.type");
    return await this.read();
  }

  /** Drops files on an element, by default the input. Returns whether the page handled the drop. */
  async drop(
    files: Content | readonly Content[],
    target = `#${this.name} .editor`,
    { name = "dropped.txt", type = "" } = {},
  ): Promise<boolean> {
    const contents = [files].flat().map((content) =>
      content instanceof Uint8Array ? [...content] : content
    );
    return await this.page.evaluate(([target, contents, name, type]) => {
      const dataTransfer = new DataTransfer();
      for (const content of contents) {
        const isBytes = Array.isArray(content);
        const parts = typeof content === "string"
          ? [content]
          : isBytes
          ? [Uint8Array.from(content)]
          : Array(content.megabytes).fill(
            new Uint8Array(1_048_576).fill(content.byte),
          );
        dataTransfer.items.add(new File(parts, name, { type }));
      }
      const init = { dataTransfer, bubbles: true, cancelable: true };
      const element = document.querySelector(target)!;
      const isOver = element.dispatchEvent(new DragEvent("dragover", init));
      return !element.dispatchEvent(new DragEvent("drop", init)) && !isOver;
    }, [target, contents, name, type] as const);
  }

  /** Returns what the tool shows. */
  async read(): Promise<Snapshot> {
    return await this.page.evaluate(
      (name) => ({ ...readSnapshot(name) }),
      this.name,
    );
  }

  /** Waits until a part of what the tool shows equals a string or matches an expression. */
  async until(part: keyof Snapshot, expected: string | RegExp): Promise<void> {
    const isText = typeof expected === "string";
    const source = isText ? expected : expected.source;
    await this.page.waitForFunction(([name, part, source, isText]) => {
      const value = readSnapshot(name)[part];
      if (value === undefined) return false;
      const text = String(value);
      return isText ? text === source : new RegExp(source).test(text);
    }, [this.name, part, source, isText] as const);
  }

  /** Waits for the result of the current input and options. */
  async expect(expected: string | RegExp): Promise<void> {
    await this.until("current", expected);
  }

  /** Replaces the input, and waits for its result. */
  async enter(text: string, expected: string | RegExp = /./): Promise<void> {
    await this.fill(text);
    await this.expect(expected);
  }

  /** Waits until the message contains a string. */
  async expectMessage(message: string): Promise<void> {
    await this.until("message", new RegExp(RegExp.escape(message)));
  }

  /** Returns the text of each visible element, including elements in the editors of a pane. */
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

  /** Clicks a button that copies, and waits until it shows “Copied”. */
  async copy(selector = "button.primary"): Promise<void> {
    await this.click(selector);
    await this.page.waitForFunction(
      (selector) =>
        /Copied/.test(document.querySelector(selector)!.textContent),
      `#${this.name} ${selector}`,
    );
  }
}

/** Turns off all character sets. */
export async function turnOffCharacterSets(
  password: ToolDriver,
): Promise<void> {
  for (const name of ["uppercase", "lowercase", "numbers", "symbols"]) {
    await password.set(name, false);
  }
}
