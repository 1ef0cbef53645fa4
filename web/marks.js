/// <reference path="./types.d.ts" />

/**
 * Marks in a text pane that show the exact text: characters that are invisible
 * elsewhere, line ends of CRLF, and the place of an error.
 *
 * @module
 */

import { lengthAt } from "./text.js";
// @ts-types="../tools/codemirror.js"
import {
  Decoration,
  EditorSelection,
  EditorState,
  EditorView,
  highlightSpecialChars,
  RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
  ViewPlugin,
  WidgetType,
} from "./vendor/codemirror.js";

/**
 * Control, format and separator characters and half surrogate pairs, except tab,
 * LF and the joiners of emoji.
 */
const SPECIAL =
  /(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|(?! )\p{Zs}|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d/gu;

/** Abbreviations as in the Unicode code charts; other characters show their number. */
const ABBREVIATIONS = new Map(
  ("0:NUL 8:BS b:VT c:FF d:CR 1b:ESC 7f:DEL 85:NEL a0:NBSP ad:SHY 61c:ALM 200b:ZWSP 200c:ZWNJ 200d:ZWJ 200e:LRM 200f:RLM " +
    "2028:LS 2029:PS 202a:LRE 202b:RLE 202c:PDF 202d:LRO 202e:RLO 202f:NNBSP 2060:WJ 2066:LRI 2067:RLI 2068:FSI 2069:PDI feff:BOM")
    .split(" ").map((
      pair,
    ) => /** @type {[string, string]} */ (pair.split(":"))),
);

/** @param {number} code @param {string | null} description */
function renderSpecial(code, description) {
  const digits = code.toString(16);
  const element = document.createElement("span");
  element.className = code === 13 ? "cm-specialChar cm-cr" : "cm-specialChar";
  element.textContent = ABBREVIATIONS.get(digits) ??
    `U+${digits.toUpperCase().padStart(4, "0")}`;
  element.title = description ?? "";
  return element;
}

/**
 * Marks the character at an offset, or nothing.
 *
 * @type {import("@codemirror/state").StateEffectType<number | undefined>}
 */
export const setMark = StateEffect.define();

const markedLine = Decoration.line({ class: "cm-wrongLine" });
const markedCharacter = Decoration.mark({ class: "cm-wrong" });
const markedEnd = Decoration.widget({
  widget: new class extends WidgetType {
    /** @override */
    toDOM() {
      const element = document.createElement("span");
      element.className = "cm-wrong cm-wrongEnd";
      return element;
    }
  }(),
  side: 1,
});

const mark = StateField.define({
  create: () => Decoration.none,
  update(marks, { effects, state: { doc }, docChanged }) {
    for (const effect of effects) {
      if (!effect.is(setMark)) continue;
      if (effect.value === undefined) return Decoration.none;
      const offset = Math.min(effect.value, doc.length);
      const { from, to } = doc.lineAt(offset);
      const end = offset + lengthAt(doc.sliceString(offset, offset + 2), 0);
      return Decoration.set([
        markedLine.range(from),
        offset < to
          ? markedCharacter.range(offset, end)
          : markedEnd.range(offset),
      ]);
    }
    return docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** CRLF, where it is in view, which the caret passes in one step. */
const lineEnds = ViewPlugin.fromClass(
  class {
    /** @param {EditorView} view */
    constructor(view) {
      this.ranges = findLineEnds(view);
    }

    /** @param {import("@codemirror/view").ViewUpdate} update */
    update({ docChanged, viewportChanged, view }) {
      if (docChanged || viewportChanged) this.ranges = findLineEnds(view);
    }
  },
  {
    provide: (plugin) =>
      EditorView.atomicRanges.of((view) =>
        view.plugin(plugin)?.ranges ?? RangeSet.empty
      ),
  },
);

/** @param {EditorView} view */
function findLineEnds({ state: { doc }, visibleRanges }) {
  /** @type {RangeSetBuilder<typeof markedCharacter>} */
  const builder = new RangeSetBuilder();
  for (const { from, to } of visibleRanges) {
    const text = doc.sliceString(from, to + 1);
    for (let at = -1; (at = text.indexOf("\r\n", at + 1)) !== -1;) {
      builder.add(from + at, from + at + 2, markedCharacter);
    }
  }
  return builder.finish();
}

/** Keeps the caret out of a CRLF, so that text typed at the end of a line stays in it. */
const avoidLineEnds = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.selection && !transaction.docChanged) return transaction;
  const { newDoc, newSelection: { main: { empty, head } } } = transaction;
  if (!empty || newDoc.sliceString(head - 1, head + 1) !== "\r\n") {
    return transaction;
  }
  const selection = EditorSelection.cursor(head - 1);
  return [transaction, { selection, sequential: true }];
});

/** Ends a line as its neighbour ends, without an indent but in JSON. @param {boolean} isJson */
export function createEnter(isJson) {
  return (/** @type {EditorView} */ view) => {
    const { doc, selection } = view.state;
    const { number, to } = doc.lineAt(selection.main.to);
    const end = number < doc.lines ? to : to - doc.line(number).length - 1;
    const isCrLf = end > 0 && doc.sliceString(end - 1, end) === "\r";
    if (isJson && !isCrLf) return false;
    view.dispatch(view.state.replaceSelection(isCrLf ? "\r\n" : "\n"), {
      userEvent: "input",
      scrollIntoView: true,
    });
    return true;
  };
}

/** Shows the exact text in a pane. */
export const exactText = [
  mark,
  highlightSpecialChars({ specialChars: SPECIAL, render: renderSpecial }),
  lineEnds,
  avoidLineEnds,
];
