/**
 * How an editor treats single characters: it shows invisible ones, keeps CR and
 * LF of a line end together, marks the character at an error, and finds the
 * bracket that belongs to one. In a long line, which CodeMirror reads whole, it
 * inserts typed characters itself, and looks for no brackets.
 * @module
 */

import { lengthAt, LONG_LINE } from "./text.js";
// @ts-types="../tools/packages.js"
import * as cm from "./vendor/packages.js";

/**
 * Invisible characters: those of the Unicode categories Cc, Cf, Z and Cs (lone
 * surrogates), except tab, LF, the space U+0020, and a zero width joiner
 * (U+200D) after an emoji.
 */
const INVISIBLE = new RegExp(
  String.raw`(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]|(?! )\p{Zs}|` +
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d`,
  "gu",
);

/**
 * Makes the element that is shown in place of an invisible character. Its text
 * is the code point, such as `U+200B`, or `CR` for the frequent CR.
 * @param {number} code
 * @param {string | null} title Description of the character by CodeMirror.
 */
function showInvisible(code, title) {
  const element = document.createElement("span");
  const digits = code.toString(16).toUpperCase().padStart(4, "0");
  element.className = code === 13 ? "cm-specialChar cm-cr" : "cm-specialChar";
  element.textContent = code === 13 ? "CR" : `U+${digits}`;
  element.title = title ?? "";
  return element;
}

/**
 * The effect that marks the character at an offset, in UTF-16 code units, and
 * its line as wrong. At the end of a line, it marks only the line. With
 * undefined, it removes the mark, as any change of the text does.
 * @type {import("@codemirror/state").StateEffectType<number | undefined>}
 */
export const setMark = cm.StateEffect.define();

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
 * Returns the CRLFs in view as atomic ranges. A range must have a value:
 * `wrongCharacter` will do, as CodeMirror does not draw atomic ranges.
 * @param {cm.EditorView} view
 */
function findCrLf({ state: { doc }, visibleRanges }) {
  const found = visibleRanges.flatMap(({ from, to }) =>
    [...doc.sliceString(from, to + 1).matchAll(/\r\n/g)].map(({ index }) =>
      wrongCharacter.range(from + index, from + index + 2)
    )
  );
  return cm.RangeSet.of(found);
}

/**
 * Moves a caret that gets between CR and LF to the place before the CR, except
 * after a transaction with `filter: false`.
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
 * Replaces the selection by a CRLF and returns true, if the first line of the
 * text has a CR at its end. Otherwise only returns false.
 * @param {cm.EditorView} view
 */
export function insertCrLf(view) {
  if (!view.state.doc.line(1).text.endsWith("\r")) return false;
  view.dispatch(view.state.replaceSelection("\r\n"), {
    userEvent: "input",
    scrollIntoView: true,
  });
  return true;
}

/**
 * Whether the caret is in a long line.
 * @param {cm.EditorState["doc"]} doc
 * @param {cm.EditorSelection} selection
 */
function isInLongLine(doc, { main: { head } }) {
  return doc.lineAt(head).length > LONG_LINE;
}

const brackets = new cm.Compartment();
const [matching, none] = [cm.bracketMatching(), []];

const matchOutsideLongLines = [
  brackets.of(matching),
  cm.EditorState.transactionExtender.of((transaction) => {
    const { docChanged, selection, newDoc, newSelection } = transaction;
    if (!selection && !docChanged) return null;
    const isLong = isInLongLine(newDoc, newSelection);
    const extension = isLong ? none : matching;
    if (brackets.get(transaction.startState) === extension) return null;
    return { effects: brackets.reconfigure(extension) };
  }),
];

const typeInLongLines = cm.EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const isTyped = inputType === "insertText" && data && !view.composing;
    const { state } = view;
    if (!isTyped || !isInLongLine(state.doc, state.selection)) return false;
    view.dispatch(state.replaceSelection(data), {
      userEvent: "input.type",
      scrollIntoView: true,
    });
    return true;
  },
});

export const exactCharacters = [
  mark,
  cm.highlightSpecialChars({ specialChars: INVISIBLE, render: showInvisible }),
  // Lets the caret pass a CRLF in one step.
  cm.EditorView.atomicRanges.of(findCrLf),
  avoidCrLf,
  matchOutsideLongLines,
  typeInLongLines,
];
