/**
 * A text editor: CodeMirror in a shadow root, since the page's content security policy blocks its styles elsewhere.
 * Line endings are not converted: only LF ends a line, and CR is shown as a character.
 */

import { describeCaret, readPath } from "./caret.js";
import { find } from "./dom.js";
import { createExtensions, setChoice } from "./extensions.js";
import { setMark } from "./marks.js";
import { findBlocks, lengthAt } from "./text.js";
// @ts-types="../tools/codemirror.js"
import {
  EditorState,
  EditorView,
  foldedRanges,
  foldEffect,
  isolateHistory,
  openSearchPanel,
  unfoldEffect,
} from "./vendor/codemirror.js";

/** Delay after which the status bar shows a new caret position, in milliseconds. */
const CARET_MS = 80;

/** A copy of editor.css for the shadow roots of the editors. The style sheets of the page do not apply there. */
const style = new CSSStyleSheet();
const { sheet } = find(document, "link.editor", HTMLLinkElement);
for (const { cssText } of sheet?.cssRules ?? []) style.insertRule(cssText);

export class Editor {
  #isMarked = false;
  #view;
  #extensions;
  #timer = /** @type {Timer} */ (undefined);
  #text = /** @type {string | undefined} */ (undefined);
  #doc;

  /** Creates an editor in an element. The editor is read-only, except inside an element with the class `source`. @param {HTMLElement} host @param {EditorOptions} options */
  constructor(host, options) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    const isInput = host.matches(".source *");
    this.#extensions = createExtensions({ ...options, isInput });
    this.#view = new EditorView({
      root,
      parent: root,
      extensions: this.#extensions,
      // Reports a change before the editor draws it. Otherwise, drawing a large text would delay the call of the service.
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
    // The editor draws only visible lines, so a copy of the whole text is printed instead.
    const copy = find(host.parentElement ?? host, ".print");
    addEventListener("beforeprint", () => copy.textContent = this.text);
    addEventListener("afterprint", () => copy.textContent = "");
  }

  /** Reports a change of the text or the caret to the callbacks in `options`, which is undefined for a read-only editor. @param {import("@codemirror/state").Transaction} transaction @param {EditorOptions} [options] */
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

  /** The exact text of the document. */
  get text() {
    return this.#text ??= this.#doc.toString();
  }

  focus() {
    this.#view.focus();
  }

  /** Replaces the text of the editor. With `choice`, also selects another radio button of the form; undo then reverts both together. @param {string} text @param {Choice} [choice] */
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
      // If no part of the old text stays, creating a new editor state is faster than changing the old one: only the visible part is parsed.
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

  /** Pastes text at the caret. @param {string} text */
  paste(text) {
    this.#view.dispatch(this.#view.state.replaceSelection(text), {
      userEvent: "input.paste",
      scrollIntoView: true,
    });
    this.focus();
  }

  /** Selects the character at an offset, in UTF-16 code units, and scrolls to it. @param {number} offset */
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

  /** Opens the search panel of the editor. Unlike the browser's search, it also finds text outside of the visible lines. */
  search() {
    openSearchPanel(this.#view);
  }

  /** Folds the objects and arrays directly inside the outermost one, or unfolds all. @param {boolean} isFolded */
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

  /** Marks the character at an offset (in UTF-16 code units) as wrong, and scrolls to it if `isScrolled` is true. Without an offset, removes the mark. `wrong` is the error message for screen readers, empty if there is no error. @param {number | undefined} offset @param {{ wrong: string, isScrolled: boolean }} options */
  mark(offset, { wrong, isScrolled }) {
    const { contentDOM } = this.#view;
    contentDOM.ariaInvalid = String(wrong !== "");
    contentDOM.ariaDescription = wrong;
    // Avoids an update of the editor if there is no mark to show and none to remove.
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
