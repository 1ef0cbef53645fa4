/**
 * Makes invisible characters visible, keeps the CR and LF of a line ending
 * together, and inserts what is typed into long lines.
 * @module
 */

// @ts-types="../tools/packages.js"
import * as cm from "./vendor/packages.js";

/**
 * Invisible characters besides those that CodeMirror knows: format characters,
 * spaces, and lone surrogates, except for a zero width joiner after an emoji.
 */
const INVISIBLE = new RegExp(
  String.raw`(?!\u200d)[\p{Cf}\p{Cs}]|(?! )\p{Zs}|` +
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d`,
  "u",
);

/**
 * Longest line that CodeMirror can compare with the drawn text after each key, in
 * UTF-16 code units. It compares the entire line if the caret is at its start or
 * its end.
 */
const MAX_COMPARED = 100_000;

/** A range must have a value. CodeMirror doesn't draw atomic ranges. */
const crlf = cm.Decoration.mark({});

/**
 * Returns the CRLFs in view as atomic ranges.
 * @param {cm.EditorView} view
 */
function findCrLf({ state: { doc }, visibleRanges }) {
  const found = visibleRanges.flatMap(({ from, to }) =>
    [...doc.sliceString(from, to + 1).matchAll(/\r\n/g)].map(({ index }) =>
      crlf.range(from + index, from + index + 2)
    )
  );
  return cm.RangeSet.of(found);
}

/**
 * Moves a caret between CR and LF to the position before the CR, except after a
 * transaction with `filter: false`.
 */
const avoidCrLf = cm.EditorState.transactionFilter.of((transaction) => {
  if (!transaction.selection && !transaction.docChanged) return transaction;
  const { newDoc, newSelection: { main: { empty, head } } } = transaction;
  if (!empty || newDoc.sliceString(head - 1, head + 1) !== "\r\n") {
    return transaction;
  }
  const selection = cm.EditorSelection.cursor(head - 1);
  return [transaction, { selection, sequential: true }];
});

/**
 * Replaces the selection.
 * @param {cm.EditorView} view
 * @param {string} text
 * @param {string} userEvent
 */
export function insert(view, text, userEvent) {
  view.dispatch(view.state.replaceSelection(text), {
    userEvent,
    scrollIntoView: true,
  });
}

/** Inserts typed text into long lines before the browser draws it. */
const typeInLongLines = cm.EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { doc, selection: { main } } = view.state;
    const isLong = doc.lineAt(main.head).length > MAX_COMPARED;
    const isTyped = inputType === "insertText" && data && !view.composing;
    if (!isLong || !isTyped) return false;
    insert(view, data, "input.type");
    return true;
  },
});

/**
 * If the first line ends with a CR, replaces the selection with a CRLF and
 * returns true. Otherwise returns false.
 * @param {cm.EditorView} view
 */
export function insertCrLf(view) {
  if (!view.state.doc.line(1).text.endsWith("\r")) return false;
  insert(view, "\r\n", "input");
  return true;
}

export const exactCharacters = [
  cm.highlightSpecialChars({ addSpecialChars: INVISIBLE }),
  // The caret passes a CRLF in one step.
  cm.EditorView.atomicRanges.of(findCrLf),
  avoidCrLf,
  typeInLongLines,
];
