/** CodeMirror extensions: labels for invisible characters, CRLF as one character for the caret, and the mark at an error. */

import { lengthAt } from "./text.js";
// @ts-types="../tools/codemirror.js"
import {
  Decoration,
  EditorSelection,
  EditorState,
  EditorView,
  highlightSpecialChars,
  RangeSet,
  StateEffect,
  StateField,
} from "./vendor/codemirror.js";

/**
 * Matches invisible characters: control, format and separator characters, and lone surrogates. Does not match tab, LF,
 * the ordinary space, and zero-width joiners within emoji.
 */
const SPECIAL =
  /(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|(?! )\p{Zs}|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d/gu;

/** Labels of invisible characters, from the Unicode code charts, by code point in hexadecimal. Characters without an entry are shown as `U+…`. */
const ABBREVIATIONS = new URLSearchParams(
  "0=NUL&8=BS&b=VT&c=FF&d=CR&1b=ESC&7f=DEL&85=NEL&a0=NBSP&ad=SHY&61c=ALM&200b=ZWSP&200c=ZWNJ&200d=ZWJ&200e=LRM&200f=RLM&" +
    "2028=LS&2029=PS&202a=LRE&202b=RLE&202c=PDF&202d=LRO&202e=RLO&202f=NNBSP&2060=WJ&2066=LRI&2067=RLI&2068=FSI&2069=PDI&feff=BOM",
);

/** Returns the element that is shown instead of an invisible character. @param {number} code Its code point. @param {string | null} description Its tooltip. */
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
 * A CodeMirror effect that marks the character at an offset, in UTF-16 code units, as wrong. The value undefined
 * removes the mark.
 *
 * @type {import("@codemirror/state").StateEffectType<number | undefined>}
 */
export const setMark = StateEffect.define();

const wrongLine = Decoration.line({ class: "cm-wrongLine" });
const wrongEnd = Decoration.line({ class: "cm-wrongLine cm-wrongEnd" });
const wrongCharacter = Decoration.mark({ class: "cm-wrong" });

const mark = StateField.define({
  create: () => Decoration.none,
  update(marks, { effects, state: { doc }, docChanged }) {
    const effect = effects.findLast((effect) => effect.is(setMark));
    if (!effect) return docChanged ? Decoration.none : marks;
    if (effect.value === undefined) return Decoration.none;
    const offset = Math.min(effect.value, doc.length);
    const { from, to } = doc.lineAt(offset);
    if (offset === to) return Decoration.set(wrongEnd.range(from));
    const end = offset + lengthAt(doc.sliceString(offset, offset + 2), 0);
    return Decoration.set([
      wrongLine.range(from),
      wrongCharacter.range(offset, end),
    ]);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Returns the range of each CRLF in the visible lines. The arrow keys move the caret over such a range in one step. @param {EditorView} view */
function findLineEnds({ state: { doc }, visibleRanges }) {
  return RangeSet.of(
    visibleRanges.flatMap(({ from, to }) =>
      [...doc.sliceString(from, to + 1).matchAll(/\r\n/g)].map(({ index }) =>
        wrongCharacter.range(from + index, from + index + 2)
      )
    ),
  );
}

/** Prevents the caret from being between CR and LF: moves it before the CR. */
const avoidLineEnds = EditorState.transactionFilter.of((transaction) => {
  if (!transaction.selection && !transaction.docChanged) return transaction;
  const { newDoc, newSelection: { main: { empty, head } } } = transaction;
  if (!empty || newDoc.sliceString(head - 1, head + 1) !== "\r\n") {
    return transaction;
  }
  const selection = EditorSelection.cursor(head - 1);
  return [transaction, { selection, sequential: true }];
});

/**
 * Returns the handler of the Enter key. It inserts CRLF if the first line ends with CRLF, otherwise LF. Instead of
 * inserting LF in JSON, it returns false: CodeMirror then inserts LF and an indent.
 * @param {boolean} isJson
 */
export function createEnter(isJson) {
  return (/** @type {EditorView} */ view) => {
    const isCrLf = view.state.doc.line(1).text.endsWith("\r");
    if (isJson && !isCrLf) return false;
    view.dispatch(view.state.replaceSelection(isCrLf ? "\r\n" : "\n"), {
      userEvent: "input",
      scrollIntoView: true,
    });
    return true;
  };
}

/** The CodeMirror extensions of this module: they show invisible characters, keep CR and LF together and mark an error. */
export const exactText = [
  mark,
  highlightSpecialChars({ specialChars: SPECIAL, render: renderSpecial }),
  EditorView.atomicRanges.of(findLineEnds),
  avoidLineEnds,
];
