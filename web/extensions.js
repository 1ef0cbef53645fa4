/** The CodeMirror extensions of a text pane: keys, search, syntax colours, undo. */

import { createEnter, exactText } from "./marks.js";
// @ts-types="../tools/codemirror.js"
import {
  bidiIsolates,
  bracketMatching,
  classHighlighter,
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

/**
 * An effect that belongs to a change of the text: the values of the radio buttons selected before and after the
 * change. With it, undo reverts both the text and the selected button.
 *
 * @type {import("@codemirror/state").StateEffectType<Choice>}
 */
export const setChoice = StateEffect.define();

/** Extensions of all panes. */
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
    regexp: "Regex",
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
  // A paste and the typing after it are separate undo steps.
  EditorState.transactionExtender.of((transaction) =>
    transaction.isUserEvent("input.paste")
      ? { annotations: isolateHistory.of("full") }
      : null
  ),
];

/**
 * Returns the CodeMirror extensions for one of the two editors of a tool: its input or its
 * result. `onLeave` is called when Escape is pressed in the editor, and returns whether
 * the focus has moved out of the editor.
 * @param {{ tool: string, isInput: boolean, onLeave(): boolean }} options
 */
export function createExtensions({ tool, isInput, onLeave }) {
  const isJson = tool === "json";
  const label = isInput ? "Input" : "Result";
  const id = `${tool}-${label.toLowerCase()}`;
  const attributes = { id, "aria-label": label, tabindex: "0" };
  return [
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
    // Listed after the keys of the search, which therefore take Escape first, to close an open search panel.
    keymap.of([{ key: "Escape", run: onLeave }]),
  ];
}
