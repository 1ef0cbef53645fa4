/**
 * A text pane: CodeMirror in a shadow root, where the page's
 * Content-Security-Policy permits its styles. Only LF ends a line, and a CR is
 * a character of the line, so the text keeps its line endings.
 * @module
 */

import { exactCharacters, insert, insertCrLf } from "./characters.js";
import { makePrivate, PRIVATE } from "./elements.js";
import { readSettings } from "./settings.js";
import { findChange, lengthAt } from "./text.js";
// @ts-types="../tools/packages.js"
import * as cm from "./vendor/packages.js";

/**
 * Longest average line of JSON that is highlighted, in UTF-16 code units: after
 * each key, the parser reads a token from its start, and the search for a matching
 * bracket reads a line to its end.
 */
const MAX_HIGHLIGHTED = 1_000_000;

/** The scope of the search shortcuts. */
const SEARCH = "editor search-panel";

const editors = /** @type {cm.EditorView[]} */ ([]);
let isWrapped = true;

/** Applies the stored setting, which another tab can change, to all editors. */
export function applyWrapping() {
  isWrapped = readSettings().isWrapped;
  // Every update makes an editor read its attributes.
  for (const editor of editors) editor.dispatch({});
  for (const box of document.querySelectorAll("[name=wrapLines]")) {
    if (box instanceof HTMLInputElement) box.checked = isWrapped;
  }
}

/** A copy of the layer `editor` of style.css, which shadow roots don't inherit. */
const style = new CSSStyleSheet();
style.replaceSync(
  [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
    .filter((rule) => rule instanceof CSSLayerBlockRule)
    .filter(({ name }) => name === "editor")
    .flatMap(({ cssRules }) => Array.from(cssRules, ({ cssText }) => cssText))
    .join("\n"),
);

/**
 * The effect that marks the character at an offset, in UTF-16 code units, and
 * its line as invalid. At the end of a line, it marks only the line. With
 * undefined, it removes the mark, as any change of the text does.
 * @type {import("@codemirror/state").StateEffectType<number | undefined>}
 */
const setMark = cm.StateEffect.define();

const errorLine = cm.Decoration.line({ class: "cm-errorLine" });
const errorCharacter = cm.Decoration.mark({ class: "cm-error" });

const mark = cm.StateField.define({
  create: () => cm.Decoration.none,
  update(marks, { effects, state: { doc }, docChanged }) {
    const effect = effects.findLast((effect) => effect.is(setMark));
    if (!effect) return docChanged ? cm.Decoration.none : marks;
    if (effect.value === undefined) return cm.Decoration.none;
    const offset = Math.min(effect.value, doc.length);
    const { from, to } = doc.lineAt(offset);
    if (offset === to) return cm.Decoration.set(errorLine.range(from));
    const end = offset + lengthAt(doc.sliceString(offset, offset + 2), 0);
    return cm.Decoration.set([
      errorLine.range(from),
      errorCharacter.range(offset, end),
    ]);
  },
  provide: (field) => cm.EditorView.decorations.from(field),
});

/**
 * Opens the search panel. The search of the browser finds only lines in view.
 * @param {cm.EditorView} view
 */
function openSearch(view) {
  const isOpen = cm.openSearchPanel(view);
  makePrivate(view.dom.querySelectorAll(".cm-search .cm-textfield"));
  return isOpen;
}

/**
 * The extensions of a result: its text can be focused and selected, but a touch
 * doesn't open an on-screen keyboard, and screen readers don't announce a field.
 */
const notEditable = [
  cm.EditorState.readOnly.of(true),
  cm.EditorView.editable.of(false),
  cm.EditorView.contentAttributes.of((view) => {
    return { role: "group", "aria-description": describePart(view) };
  }),
];

/**
 * Returns a note for screen readers if CodeMirror draws only the part in view, or
 * otherwise an empty string.
 * @param {cm.EditorView} view
 */
function describePart({ visibleRanges, state: { doc } }) {
  const drawn = visibleRanges.reduce((sum, { from, to }) => sum + to - from, 0);
  return drawn === doc.length
    ? ""
    : "Only the visible part can be read here. Copy and Download include " +
      "the entire result.";
}

/** Sets the direction of a line from its first strong character. */
const ownDirection = cm.Decoration.line({ attributes: { dir: "auto" } });

/** Sets the direction of each line in view. Hebrew and Arabic start on the right. */
const lineDirections = [
  cm.EditorView.perLineTextDirection.of(true),
  cm.EditorView.decorations.of(({ state: { doc }, viewport: { from, to } }) => {
    const found = [];
    for (let line = doc.lineAt(from);; line = doc.line(line.number + 1)) {
      found.push(ownDirection.range(line.from));
      if (line.to >= to) break;
    }
    return cm.RangeSet.of(found);
  }),
];

const json = [cm.json(), cm.bracketMatching()];
const language = new cm.Compartment();

/** Highlights JSON and matching brackets, unless its lines are too long. */
const highlighting = [
  language.of(json),
  cm.EditorState.transactionExtender.of(({ newDoc, startState }) => {
    const isLong = newDoc.length > MAX_HIGHLIGHTED * newDoc.lines;
    const extension = isLong ? [] : json;
    if (extension === language.get(startState)) return null;
    return { effects: language.reconfigure(extension) };
  }),
];

const common = [
  // CodeMirror catches errors of its listeners.
  cm.EditorView.exceptionSink.of((error) => reportError(error)),
  cm.EditorState.lineSeparator.of("\n"),
  cm.lineNumbers(),
  exactCharacters,
  mark,
  cm.search({ top: true }),
  cm.syntaxHighlighting(cm.classHighlighter),
  cm.keymap.of([
    { key: "Mod-f", run: openSearch, scope: SEARCH },
    { key: "F3", run: cm.findNext, shift: cm.findPrevious, scope: SEARCH },
    { key: "Mod-g", run: cm.findNext, shift: cm.findPrevious, scope: SEARCH },
    { key: "Escape", run: cm.closeSearchPanel, scope: SEARCH },
    ...cm.standardKeymap,
    ...cm.historyKeymap,
    ...cm.foldKeymap,
  ]),
  cm.EditorView.contentAttributes.of(() =>
    isWrapped ? { class: "cm-lineWrapping" } : null
  ),
];

/**
 * Whether a transaction types or deletes text.
 * @param {import("@codemirror/state").Transaction} transaction
 */
function isTyping(transaction) {
  return transaction.isUserEvent("input.type") ||
    transaction.isUserEvent("delete");
}

/** @param {number} offset */
function scrollTo(offset) {
  return cm.EditorView.scrollIntoView(offset, { x: "center", y: "center" });
}

export class Editor {
  #view;
  /** The `text`, if it was read since it last changed. */
  #text = /** @type {string | undefined} */ (undefined);
  /** The text that `fill()` sets, because reading long text is slow. */
  #filled = /** @type {string | undefined} */ (undefined);
  /** Offset of the character that is marked as invalid. */
  #marked = /** @type {number | undefined} */ (undefined);

  /**
   * Creates an editor in an element. It is read-only, unless the element is
   * inside an element with the class `source`.
   * @param {HTMLElement} host
   * @param {EditorOptions} options
   */
  constructor(host, options) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    const isInput = host.matches(".source *");
    const extensions = this.#createExtensions(isInput, options);
    this.#view = new cm.EditorView({
      root,
      parent: root,
      extensions,
      doc: options.text,
    });
    if (!isInput) {
      // The role `group` doesn't permit these attributes.
      this.#view.contentDOM.removeAttribute("aria-multiline");
      this.#view.contentDOM.removeAttribute("aria-readonly");
    }
    editors.push(this.#view);
    Object.assign(host, { view: this.#view });
    host.dataset.ready = "";
  }

  /**
   * @param {boolean} isInput
   * @param {EditorOptions} options
   */
  #createExtensions(isInput, { tool, onChange }) {
    const isJson = tool === "json";
    const label = isInput ? "Input" : "Result";
    const file = isJson ? "text file" : "file";
    const attributes = { "aria-label": label, tabindex: "0" };
    const id = `${tool}-${label.toLowerCase()}`;
    const listener = cm.EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      this.#text = this.#filled;
      this.#marked = undefined;
      if (isInput) onChange(update.transactions.some(isTyping));
    });
    return [
      isInput
        ? [
          cm.history(),
          cm.placeholder(`Type, paste, or drop a ${file}`),
          cm.EditorView.contentAttributes.of(PRIVATE),
          cm.keymap.of([{ key: "Enter", run: insertCrLf }]),
          // By default, Enter indents the new line, which only JSON needs.
          isJson ? [] : cm.keymap.of([{ key: "Enter", run: cm.insertNewline }]),
        ]
        : notEditable,
      cm.EditorView.contentAttributes.of({ id, ...attributes }),
      common,
      // JSON is shown from left to right, even if its strings are Hebrew or
      // Arabic. With the option, CodeMirror doesn't search every line for those.
      isJson
        ? [
          highlighting,
          cm.foldGutter(),
          cm.bidiIsolates({ alwaysIsolate: true }),
        ]
        : lineDirections,
      listener,
    ];
  }

  /** The entire text, with its line endings unchanged. */
  get text() {
    return this.#text ??= this.#view.state.doc.toString();
  }

  /** The length of the text, in UTF-16 code units. */
  get length() {
    return this.#view.state.doc.length;
  }

  /** See `describePart()`. */
  get partDescription() {
    return describePart(this.#view);
  }

  focus() {
    this.#view.focus();
  }

  /**
   * Replaces the text, as an undo step of its own. Changes only the part in
   * which the old and the new text differ. Unless the editor is read-only, the
   * caret moves to the start of the text.
   * @param {string} text
   */
  fill(text) {
    const { state } = this.#view;
    const { from, to, insert } = findChange(this.text, text);
    this.#filled = text;
    this.#view.dispatch({
      changes: { from, to, insert: state.toText(insert) },
      selection: state.readOnly ? undefined : { anchor: 0 },
      annotations: cm.isolateHistory.of("full"),
    });
    this.#filled = undefined;
  }

  /**
   * Replaces the selection, as an undo step of its own, and focuses the editor.
   * @param {string} text
   */
  paste(text) {
    insert(this.#view, text, "input.paste");
    this.focus();
  }

  /**
   * Selects the character at an offset, scrolls to it, and focuses the editor.
   * @param {number} offset
   */
  select(offset) {
    const end = offset + lengthAt(this.text, offset);
    this.#view.dispatch({
      selection: { anchor: offset, head: Math.min(end, this.text.length) },
      effects: scrollTo(offset),
      filter: false,
    });
    this.focus();
  }

  search() {
    openSearch(this.#view);
  }

  /** @param {readonly Block[]} [blocks] The ranges to collapse. */
  collapse(blocks = []) {
    const effects = blocks.map((block) => cm.foldEffect.of(block));
    this.#view.dispatch({ effects });
  }

  expand() {
    cm.unfoldAll(this.#view);
  }

  /**
   * Marks the character at an offset, and its line, as invalid, until the text
   * changes.
   * @param {number | undefined} offset In UTF-16 code units; undefined removes
   * the mark.
   * @param {boolean} isScrolled Whether to scroll to the mark.
   */
  mark(offset, isScrolled) {
    // An update without a change could disturb an input method.
    if (offset === this.#marked) return;
    this.#marked = offset;
    const scroll = offset !== undefined && isScrolled ? [scrollTo(offset)] : [];
    this.#view.dispatch({ effects: [setMark.of(offset), ...scroll] });
  }

  /**
   * Describes an error of the text to screen readers.
   * @param {string} error The message, or an empty string.
   */
  describe(error) {
    const { contentDOM } = this.#view;
    contentDOM.ariaInvalid = String(error !== "");
    contentDOM.ariaDescription = error;
  }
}
