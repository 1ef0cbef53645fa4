/**
 * A text pane: CodeMirror in a shadow root, where the page's
 * Content-Security-Policy permits its styles. Only LF ends a line, and a CR is
 * a character of the line, so that the text keeps its line endings.
 * @module
 */

import { exactCharacters, insertCrLf } from "./characters.js";
import { find, makePrivate, PRIVATE } from "./elements.js";
import { readSettings, storeSettings } from "./settings.js";
import { countCodePoints, findBlocks, findChange, lengthAt } from "./text.js";
// @ts-types="../tools/packages.js"
import * as cm from "./vendor/packages.js";

/** Time for which the caret must rest before its place is shown, in ms. */
const CARET_MS = 80;

/** Where the keys of the search work. */
const SEARCH = "editor search-panel";

const editors = /** @type {cm.EditorView[]} */ ([]);
let isWrapped = true;

/** Applies the stored setting, which another tab may change, to all editors. */
export function applyWrapping() {
  isWrapped = readSettings().isWrapped ?? true;
  // An update, even without a change, lets an editor read its attributes.
  for (const editor of editors) editor.dispatch({});
  for (const box of document.querySelectorAll("[name=wrapLines]")) {
    if (box instanceof HTMLInputElement) box.checked = isWrapped;
  }
}

/** @param {boolean} isWrapped */
export function setWrapping(isWrapped) {
  storeSettings({ isWrapped });
  applyWrapping();
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
 * The effect by which a change of the text also selects an action of the tool,
 * such as `decode`. Undoing the change selects the previous action again.
 * @type {import("@codemirror/state").StateEffectType<ActionChange>}
 */
const setAction = cm.StateEffect.define();

/**
 * The effect that has the entire text after a change: reading long text from the
 * editor takes long.
 * @type {import("@codemirror/state").StateEffectType<string>}
 */
const setText = cm.StateEffect.define();

/**
 * The effect that marks the character at an offset, in UTF-16 code units, and
 * its line as wrong. At the end of a line, it marks only the line. With
 * undefined, it removes the mark, as any change of the text does.
 * @type {import("@codemirror/state").StateEffectType<number | undefined>}
 */
const setMark = cm.StateEffect.define();

const wrongLine = cm.Decoration.line({ class: "cm-wrongLine" });
const wrongCharacter = cm.Decoration.mark({ class: "cm-wrong" });

const mark = cm.StateField.define({
  create: () => cm.Decoration.none,
  update(marks, { effects, state: { doc }, docChanged }) {
    const effect = effects.findLast((effect) => effect.is(setMark));
    if (!effect) return docChanged ? cm.Decoration.none : marks;
    if (effect.value === undefined) return cm.Decoration.none;
    const offset = Math.min(effect.value, doc.length);
    const { from, to } = doc.lineAt(offset);
    if (offset === to) return cm.Decoration.set(wrongLine.range(from));
    const end = offset + lengthAt(doc.sliceString(offset, offset + 2), 0);
    return cm.Decoration.set([
      wrongLine.range(from),
      wrongCharacter.range(offset, end),
    ]);
  },
  provide: (field) => cm.EditorView.decorations.from(field),
});

/**
 * Opens the search of an editor: the search of the browser finds only text in
 * the lines in view.
 * @param {cm.EditorView} view
 */
function openSearch(view) {
  const isOpen = cm.openSearchPanel(view);
  makePrivate(view.dom.querySelectorAll(".cm-search .cm-textfield"));
  return isOpen;
}

/**
 * A pane that shows a result: its text can be selected, and takes the focus,
 * but a touch does not open an on-screen keyboard, and screen readers do not
 * call it a field.
 */
const notEditable = [
  cm.EditorState.readOnly.of(true),
  cm.EditorView.editable.of(false),
  cm.EditorView.contentAttributes.of((view) => {
    return { role: "group", "aria-description": describeRest(view) };
  }),
];

/**
 * Describes that screen readers find only a part of a long text, because
 * CodeMirror draws only the lines in view. Returns an empty string if
 * everything is drawn.
 * @param {cm.EditorView} view
 */
function describeRest({ visibleRanges, state: { doc } }) {
  const drawn = visibleRanges.reduce((sum, { from, to }) => sum + to - from, 0);
  if (drawn === doc.length) return "";
  const [first, last] = [visibleRanges.at(0)?.from, visibleRanges.at(-1)?.to]
    .map((place = 0) => doc.lineAt(place).number.toLocaleString("en"));
  return `Only the part in view can be read here, lines ${first} to ${last} ` +
    `of ${doc.lines.toLocaleString("en")}. Copy and Download include all.`;
}

/** Gives a line the direction of its first character that has a direction. */
const ownDirection = cm.Decoration.line({ attributes: { dir: "auto" } });

/**
 * Lets each line in view have the direction of its own text, so that Hebrew
 * and Arabic start on the right.
 */
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

const common = [
  // CodeMirror catches the errors of its listeners.
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
  cm.invertedEffects.of(({ effects }) =>
    effects.filter((effect) => effect.is(setAction))
      .map(({ value: { from, to } }) => setAction.of({ from: to, to: from }))
  ),
  // Makes a paste an undo step of its own.
  cm.EditorState.transactionExtender.of((transaction) =>
    transaction.isUserEvent("input.paste")
      ? { annotations: cm.isolateHistory.of("full") }
      : null
  ),
];

/**
 * Returns line and column of the caret, counted from 1, and the length of the
 * selection, if any, in UTF-16 code units, such as `Ln 1, Col 5 (3 selected)`.
 * @param {cm.EditorState} state
 */
function describeCaret(state) {
  const { main: { head, from, to } } = state.selection;
  const { number, from: start } = state.doc.lineAt(head);
  // Columns count code points, as in the errors of the service.
  const column = countCodePoints(state.sliceDoc(start, head)) + 1;
  const selected = to > from ? ` (${to - from} selected)` : "";
  return `Ln ${number}, Col ${column}${selected}`;
}

/** @param {number} offset */
function scrollTo(offset) {
  return cm.EditorView.scrollIntoView(offset, { x: "center", y: "center" });
}

export class Editor {
  #view;
  #timer = /** @type {Timer} */ (undefined);
  /** The `text`, if it was read since it last changed. */
  #text = /** @type {string | undefined} */ (undefined);
  /** Offset of the character that is marked as wrong. */
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
      // A group does not have these attributes of a text field.
      this.#view.contentDOM.removeAttribute("aria-multiline");
      this.#view.contentDOM.removeAttribute("aria-readonly");
    }
    editors.push(this.#view);
    Object.assign(host, { view: this.#view });
    host.dataset.ready = "";
    // The editor draws only the lines in view. For printing, an element gets
    // the entire text.
    const copy = find(host.parentElement ?? host, ".print");
    addEventListener("beforeprint", () => copy.textContent = this.text);
    addEventListener("afterprint", () => copy.textContent = "");
  }

  /**
   * @param {boolean} isInput
   * @param {EditorOptions} options
   */
  #createExtensions(isInput, { tool, onChange, onCaret }) {
    const isJson = tool === "json";
    const label = isInput ? "Input" : "Result";
    const file = isJson ? "text file" : "file";
    const attributes = { "aria-label": label, tabindex: "0" };
    const id = `${tool}-${label.toLowerCase()}`;
    const listener = cm.EditorView.updateListener.of((update) => {
      const { docChanged, selectionSet, transactions } = update;
      const action = transactions.flatMap(({ effects }) => effects)
        .find((effect) => effect.is(setAction));
      if (docChanged) {
        this.#text = transactions.at(-1)?.effects
          .find((effect) => effect.is(setText))?.value;
        this.#marked = undefined;
      }
      if (!isInput) return;
      if (docChanged || action) {
        const isTyped = transactions.some((transaction) =>
          transaction.isUserEvent("input.type") ||
          transaction.isUserEvent("delete")
        );
        onChange(isTyped, action?.value.to);
      }
      if (!docChanged && !selectionSet) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        onCaret(describeCaret(this.#view.state));
      }, CARET_MS);
    });
    return [
      isInput
        ? [
          cm.history(),
          cm.placeholder(`Type, paste, or drop a ${file}`),
          cm.EditorView.contentAttributes.of(PRIVATE),
          cm.keymap.of([{ key: "Enter", run: insertCrLf }]),
          // The default command for Enter indents the new line, as is wanted in
          // JSON only.
          isJson ? [] : cm.keymap.of([{ key: "Enter", run: cm.insertNewline }]),
        ]
        : notEditable,
      cm.EditorView.contentAttributes.of({ id, ...attributes }),
      common,
      // JSON is shown from left to right, even if its strings are Hebrew or
      // Arabic. Without the option, CodeMirror looks for those in every line.
      isJson
        ? [
          cm.json(),
          cm.bracketMatching(),
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

  /** See `describeRest()`. */
  get rest() {
    return describeRest(this.#view);
  }

  focus() {
    this.#view.focus();
  }

  /**
   * Replaces the text, as an undo step of its own. Changes only the part in
   * which the old and the new text differ. Unless the editor is read-only, the
   * caret moves to the start of that part.
   * @param {string} text
   * @param {ActionChange} [action] The action to select with the text (`to`),
   * and the present action (`from`).
   */
  fill(text, action) {
    const { state } = this.#view;
    const { from, to, insert } = findChange(this.text, text);
    this.#view.dispatch({
      changes: { from, to, insert: state.toText(insert) },
      selection: state.readOnly ? undefined : { anchor: from },
      effects: [setText.of(text), ...action ? [setAction.of(action)] : []],
      annotations: cm.isolateHistory.of("full"),
      filter: false,
    });
  }

  /**
   * Replaces the selection, as an undo step of its own, and focuses the editor.
   * @param {string} text
   */
  paste(text) {
    this.#view.dispatch(this.#view.state.replaceSelection(text), {
      userEvent: "input.paste",
      scrollIntoView: true,
    });
    this.focus();
  }

  /**
   * Selects the character at an offset, scrolls to it, and focuses the editor.
   * @param {number} offset In UTF-16 code units.
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

  /**
   * Collapses each object and array that is directly inside the outermost one,
   * and has more than one line.
   */
  collapse() {
    const effects = findBlocks(this.text).map((block) =>
      cm.foldEffect.of(block)
    );
    this.#view.dispatch({ effects });
  }

  expand() {
    cm.unfoldAll(this.#view);
  }

  /**
   * Marks the character at an offset, and its line, as wrong, until the text
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
   * Describes the text as wrong to screen readers.
   * @param {string} wrong The message; empty if nothing is wrong.
   */
  describe(wrong) {
    const { contentDOM } = this.#view;
    contentDOM.ariaInvalid = String(wrong !== "");
    contentDOM.ariaDescription = wrong;
  }
}
