/**
 * A text pane: CodeMirror in a shadow root, where the page's content security policy permits the styles of
 * CodeMirror. The document is the exact text: only LF ends a line, so CR is a visible character like any other.
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

/** Delay before the status bar shows the caret position, in milliseconds. */
const CARET_MS = 80;

/** A copy of editor.css for the shadow roots, in which the style sheets of the page do not apply. */
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

  /** Creates an editor in an element. Only an editor in a pane with the class `source` can be edited; all others are read-only. @param {HTMLElement} host @param {EditorOptions} options */
  constructor(host, options) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [style];
    const isInput = host.matches(".source *");
    this.#extensions = createExtensions({ ...options, isInput });
    this.#view = new EditorView({
      root,
      parent: root,
      extensions: this.#extensions,
      // Reports changes to the tool before the text is drawn, so that the call of the service does not wait until a large text is drawn.
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
    // The editor has elements only for visible lines, so printing needs a copy of the text.
    const copy = find(host.parentElement ?? host, ".print");
    addEventListener("beforeprint", () => copy.textContent = this.text);
    addEventListener("afterprint", () => copy.textContent = "");
  }

  /** Reports a change of the text or the caret to the functions in `options`, which only the input's editor has. @param {import("@codemirror/state").Transaction} transaction @param {EditorOptions} [options] */
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

  /** Replaces the document by changing only the part that differs. `choice` also selects another radio button of the form; one undo step reverts both. @param {string} text @param {Choice} [choice] */
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
      // If all of the text differs, a new editor state is faster than a change: only the visible part is parsed.
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

  /** Opens the search of the editor, which also finds text in lines that are not drawn. */
  search() {
    openSearchPanel(this.#view);
  }

  /** Folds the direct children of the outermost object or array, or unfolds all. @param {boolean} isFolded */
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

  /** Marks the character at an offset, in UTF-16 code units, as wrong, and scrolls to it if `isScrolled` is true. Without an offset, removes the mark. `wrong` describes the error to screen readers; it is empty if there is no error. An error can have no offset. @param {number | undefined} offset @param {{ wrong: string, isScrolled: boolean }} options */
  mark(offset, { wrong, isScrolled }) {
    const { contentDOM } = this.#view;
    contentDOM.ariaInvalid = String(wrong !== "");
    contentDOM.ariaDescription = wrong;
    // With no mark to show or remove, nothing has to be redrawn.
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
