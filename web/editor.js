/**
 * A text pane: CodeMirror in a shadow root, where the page's policy lets it have styles. The document is the
 * exact text: only LF ends a line, so that a CR is a character like any other, and visible.
 */

import { describeCaret, readPath } from "./caret.js";
import { find } from "./dom.js";
import { createEnter, exactText, setMark } from "./marks.js";
import { findBlocks, lengthAt } from "./text.js";
// @ts-types="../tools/codemirror.js"
import {
  bidiIsolates,
  bracketMatching,
  classHighlighter,
  defaultKeymap,
  EditorState,
  EditorView,
  foldedRanges,
  foldEffect,
  foldGutter,
  foldKeymap,
  history,
  historyKeymap,
  invertedEffects,
  isolateHistory,
  json,
  keymap,
  lineNumbers,
  openSearchPanel,
  placeholder,
  search,
  searchKeymap,
  StateEffect,
  syntaxHighlighting,
  unfoldEffect,
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
  EditorState.phrases.of({
    next: "Next",
    previous: "Previous",
    all: "All",
    replace: "Replace",
    "replace all": "Replace all",
    "match case": "Match case",
    regexp: "Regular expression",
    "by word": "Whole words",
    close: "Close",
  }),
  syntaxHighlighting(classHighlighter),
  bracketMatching(),
  bidiIsolates(),
  keymap.of([
    ...defaultKeymap,
    ...historyKeymap,
    ...searchKeymap,
    ...foldKeymap,
  ]),
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
  #isMarked = false;
  #view;
  #extensions;
  #timer = /** @type {Timer} */ (undefined);
  #text = /** @type {string | undefined} */ (undefined);
  #doc;

  /** @param {HTMLElement} host In an element of the class `source`, where it is for input. @param {EditorOptions} options */
  constructor(host, options) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    const { tool } = options;
    const isJson = tool === "json";
    const isInput = host.matches(".source *");
    const label = isInput ? "Input" : "Result";
    const id = `${tool}-${label.toLowerCase()}`;
    const attributes = { id, "aria-label": label, tabindex: "0" };
    this.#extensions = [
      isInput
        ? [
          placeholder("Type, paste or drop a text file"),
          history(),
          keymap.of([{ key: "Enter", run: createEnter(isJson) }]),
        ]
        : EditorState.readOnly.of(true),
      isJson ? [json(), foldGutter()] : [],
      isJson && isInput ? [] : EditorView.lineWrapping,
      EditorView.contentAttributes.of(attributes),
      common,
      // After the keys of the search, which it closes.
      keymap.of([{ key: "Escape", run: options.onLeave }]),
    ];
    this.#view = new EditorView({
      root,
      parent: root,
      extensions: this.#extensions,
      // The call starts before a large text is drawn, which takes longer.
      dispatchTransactions: (transactions, view) => {
        for (const transaction of transactions) {
          this.#follow(transaction, isInput ? options : undefined);
        }
        view.update(transactions);
      },
    });
    this.#doc = this.#view.state.doc;
    Object.assign(host, { view: this.#view });
    host.dataset.ready = "";
    // The editor itself holds no more than the lines in view.
    const copy = find(host.parentElement ?? host, ".print");
    addEventListener("beforeprint", () => copy.textContent = this.text);
    addEventListener("afterprint", () => copy.textContent = "");
  }

  /** @param {import("@codemirror/state").Transaction} transaction @param {EditorOptions} [options] */
  #follow(transaction, options) {
    const { docChanged, selection, effects } = transaction;
    const choice = effects.find((effect) => effect.is(setChoice));
    if (docChanged || choice) {
      this.#doc = transaction.newDoc;
      this.#text = undefined;
      const isTyped = ["input.type", "delete"]
        .some((event) => transaction.isUserEvent(event));
      options?.onChange(isTyped, choice?.value.to);
    }
    if (!options || !docChanged && !selection) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const { state } = this.#view;
      options.onCaret(describeCaret(state), readPath(state));
    }, CARET_MS);
  }

  /** The exact text. */
  get text() {
    return this.#text ??= this.#doc.toString();
  }

  focus() {
    this.#view.focus();
  }

  /** Makes a text the document by changing the part that differs; it is undone by itself, with the choice. @param {string} text @param {Choice} [choice] */
  fill(text, choice) {
    const { text: before } = this;
    let from = 0;
    while (
      from < text.length && before.charCodeAt(from) === text.charCodeAt(from)
    ) from += 1;
    let [to, end] = [before.length, text.length];
    while (
      Math.min(to, end) > from &&
      before.charCodeAt(to - 1) === text.charCodeAt(end - 1)
    ) {
      to -= 1;
      end -= 1;
    }
    const { state } = this.#view;
    if (state.readOnly && to - from === before.length) {
      // In a new state the text is parsed only where it is in view, and is shown sooner.
      const doc = state.toText(text);
      const extensions = this.#extensions;
      [this.#doc, this.#text] = [doc, text];
      return this.#view.setState(EditorState.create({ doc, extensions }));
    }
    this.#view.dispatch({
      changes: { from, to, insert: state.toText(text.slice(from, end)) },
      selection: state.readOnly ? undefined : { anchor: from },
      effects: choice ? [setChoice.of(choice)] : [],
      annotations: isolateHistory.of("full"),
      filter: false,
    });
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
    const end = offset + lengthAt(this.text, offset);
    const head = Math.min(end, this.text.length);
    this.#view.dispatch({
      selection: { anchor: offset, head },
      effects: EditorView.scrollIntoView(offset, { x: "center", y: "center" }),
      filter: false,
    });
    this.focus();
  }

  /** Opens the search, which finds what is not drawn too. */
  search() {
    openSearchPanel(this.#view);
  }

  /** Folds the objects and arrays in the outermost one, or unfolds everything. @param {boolean} isFolded */
  fold(isFolded) {
    const { state } = this.#view;
    const effects = [];
    if (isFolded) {
      for (const range of findBlocks(this.text)) {
        effects.push(foldEffect.of(range));
      }
    } else {
      const folded = foldedRanges(state).iter();
      for (; folded.value; folded.next()) {
        effects.push(unfoldEffect.of({ from: folded.from, to: folded.to }));
      }
    }
    this.#view.dispatch({ effects });
  }

  /** Marks the character at an offset as wrong, or none. @param {number | undefined} offset @param {{ wrong: string, isScrolled: boolean }} options */
  mark(offset, { wrong, isScrolled }) {
    const { contentDOM } = this.#view;
    contentDOM.ariaInvalid = String(wrong !== "");
    contentDOM.ariaDescription = wrong;
    // Without a mark before and after there is nothing to draw.
    if (offset === undefined && !this.#isMarked) return;
    this.#isMarked = offset !== undefined;
    const scroll = EditorView.scrollIntoView(offset ?? 0, {
      x: "center",
      y: "center",
    });
    this.#view.dispatch({
      effects: [
        setMark.of(offset),
        ...isScrolled && offset !== undefined ? [scroll] : [],
      ],
    });
  }
}
