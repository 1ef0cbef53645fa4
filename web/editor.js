/// <reference path="./types.d.ts" />

/**
 * A text pane: CodeMirror in a shadow root, where the page's policy lets it have
 * styles. The document is the exact text: only LF ends a line, so that a CR is a
 * character like any other, and visible.
 *
 * @module
 */

import { describeCaret } from "./caret.js";
import { find } from "./dom.js";
import { createEnter, exactText, setMark } from "./marks.js";
import { lengthAt } from "./text.js";
// @ts-types="../tools/codemirror.js"
import {
  bidiIsolates,
  bracketMatching,
  classHighlighter,
  Compartment,
  defaultKeymap,
  EditorState,
  EditorView,
  foldGutter,
  foldKeymap,
  history,
  historyKeymap,
  invertedEffects,
  isolateHistory,
  json,
  keymap,
  lineNumbers,
  placeholder,
  search,
  searchKeymap,
  StateEffect,
  syntaxHighlighting,
} from "./vendor/codemirror.js";

/** Pause before the place of the caret is described, in milliseconds. */
const CARET_MS = 80;

/**
 * A choice that belongs to a change of the text, and is undone with it.
 *
 * @type {import("@codemirror/state").StateEffectType<Choice>}
 */
const setChoice = StateEffect.define();

/** The rules for the editor's own elements, which those of the page do not reach. */
const style = new CSSStyleSheet();
const { sheet } = find(document, "link.editor", HTMLLinkElement);
for (const { cssText } of sheet?.cssRules ?? []) style.insertRule(cssText);

/** The extensions that are the same in every pane. */
const common = [
  EditorState.lineSeparator.of("\n"),
  lineNumbers(),
  exactText,
  search({ top: true }),
  syntaxHighlighting(classHighlighter),
  bracketMatching(),
  bidiIsolates(),
  invertedEffects.of(({ effects }) =>
    effects.filter((effect) => effect.is(setChoice))
      .map(({ value: { from, to } }) => setChoice.of({ from: to, to: from }))
  ),
  // Typing that follows a paste is undone by itself.
  EditorState.transactionExtender.of((transaction) =>
    transaction.isUserEvent("input.paste")
      ? { annotations: isolateHistory.of("full") }
      : null
  ),
];

export class Editor {
  #view;
  #description = document.createElement("span");
  #wrapping = new Compartment();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #text = "";
  #doc;

  /** @param {HTMLElement} host @param {EditorOptions} options */
  constructor(host, { id, label, isJson, isInput, hint = "", ...events }) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    this.#description.id = "description";
    this.#description.hidden = true;
    const attributes = {
      id,
      "aria-label": label,
      "aria-describedby": "description",
      tabindex: "0",
      autocorrect: "off",
      translate: "no",
      writingsuggestions: "false",
      ...isInput ? {} : { inputmode: "none" },
    };
    this.#view = new EditorView({
      root,
      parent: root,
      extensions: [
        common,
        this.#wrapping.of([]),
        isJson ? [json(), foldGutter()] : [],
        placeholder(hint),
        EditorState.readOnly.of(!isInput),
        isInput ? history() : [],
        EditorView.contentAttributes.of(attributes),
        keymap.of([
          ...isInput ? [{ key: "Enter", run: createEnter(isJson) }] : [],
          ...defaultKeymap,
          ...historyKeymap,
          ...searchKeymap,
          ...foldKeymap,
        ]),
        EditorView.updateListener.of((update) => this.#listen(update, events)),
      ],
    });
    this.#doc = this.#view.state.doc;
    root.append(this.#description);
    Object.assign(host, { view: this.#view });
    // The editor itself holds no more than the lines in view.
    const copy = document.createElement("pre");
    copy.className = "print";
    host.after(copy);
    addEventListener("beforeprint", () => copy.textContent = this.text);
    addEventListener("afterprint", () => copy.textContent = "");
    this.#wrap(!isJson);
  }

  /** @param {import("@codemirror/view").ViewUpdate} update @param {EditorEvents} events */
  #listen(
    { docChanged, selectionSet, transactions },
    { onChange, onChoice, onCaret },
  ) {
    for (const { value } of transactions.flatMap(({ effects }) => effects)) {
      if (value?.to) onChoice?.(value.to);
    }
    if (docChanged) {
      const isTyped = transactions.some((transaction) =>
        ["input.type", "delete"].some((event) => transaction.isUserEvent(event))
      );
      onChange?.(isTyped);
    }
    if (!onCaret || !docChanged && !selectionSet) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => onCaret(describeCaret(this.#view.state)),
      CARET_MS,
    );
  }

  /** The exact text. */
  get text() {
    const { doc } = this.#view.state;
    if (doc !== this.#doc) {
      this.#doc = doc;
      this.#text = doc.toString();
    }
    return this.#text;
  }

  focus() {
    this.#view.focus();
  }

  /**
   * Makes a text the document by changing what differs, as a step of its own to undo.
   *
   * @param {string} text
   * @param {{ choice?: Choice | undefined }} [options] A choice that is undone with it.
   */
  fill(text, { choice } = {}) {
    const before = this.text;
    const shorter = Math.min(before.length, text.length);
    let from = 0;
    while (
      from < shorter && before.charCodeAt(from) === text.charCodeAt(from)
    ) {
      from += 1;
    }
    let left = 0;
    while (
      left < shorter - from &&
      before.charCodeAt(before.length - 1 - left) ===
        text.charCodeAt(text.length - 1 - left)
    ) left += 1;
    const insert = text.slice(from, text.length - left);
    this.#view.dispatch({
      changes: {
        from,
        to: before.length - left,
        insert: this.#view.state.toText(insert),
      },
      selection: this.#view.state.readOnly ? undefined : { anchor: from },
      effects: choice ? [setChoice.of(choice)] : [],
      annotations: isolateHistory.of("full"),
      filter: false,
    });
  }

  /** Shows a result, JSON in lines as they are and other text wrapped. @param {string} text @param {boolean} isWrapped */
  show(text, isWrapped) {
    this.#wrap(isWrapped);
    this.fill(text);
  }

  /** @param {boolean} isOn */
  #wrap(isOn) {
    const wrapping = isOn ? EditorView.lineWrapping : [];
    if (this.#wrapping.get(this.#view.state) === wrapping) return;
    this.#view.dispatch({ effects: this.#wrapping.reconfigure(wrapping) });
  }

  /** Inserts a text where the caret is, as pasting does. @param {string} text */
  paste(text) {
    this.#view.dispatch(this.#view.state.replaceSelection(text), {
      userEvent: "input.paste",
      scrollIntoView: true,
    });
    this.focus();
  }

  /** Selects the character at an offset and brings it into view. @param {number} offset */
  select(offset) {
    const { length } = this.text;
    const head = Math.min(offset + lengthAt(this.text, offset), length);
    this.#view.dispatch({
      selection: { anchor: Math.min(offset, length), head },
      effects: EditorView.scrollIntoView(offset, { x: "center", y: "center" }),
      filter: false,
    });
    this.focus();
  }

  /**
   * Marks the character at an offset as wrong, or none, and describes the problem to screen readers.
   *
   * @param {number | undefined} offset
   * @param {{ description: string, isScrolled?: boolean }} options Whether it is brought into view.
   */
  mark(offset, { description, isScrolled = false }) {
    this.#description.textContent = description;
    const { contentDOM } = this.#view;
    if (description) contentDOM.setAttribute("aria-invalid", "true");
    else contentDOM.removeAttribute("aria-invalid");
    const scroll = isScrolled && offset !== undefined
      ? [EditorView.scrollIntoView(offset, { y: "center" })]
      : [];
    this.#view.dispatch({ effects: [setMark.of(offset), ...scroll] });
  }
}
