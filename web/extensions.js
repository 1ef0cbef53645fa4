/** The CodeMirror extensions of the editors: keys, search, syntax colours, undo. */

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
 * A CodeMirror effect for a change of the text that also selects another radio button of the form. Undo then reverts
 * both. The effect contains the values of the buttons selected before and after the change.
 *
 * @type {import("@codemirror/state").StateEffectType<Choice>}
 */
export const setChoice = StateEffect.define();

/** Extensions that all editors have. */
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
  // Makes a paste an undo step of its own, apart from the typing before and after it.
  EditorState.transactionExtender.of((transaction) =>
    transaction.isUserEvent("input.paste")
      ? { annotations: isolateHistory.of("full") }
      : null
  ),
];

/**
 * Returns the CodeMirror extensions for an editor of a tool: of its input if `isInput` is true, otherwise of its
 * result. `onLeave` is called when Escape is pressed in the editor; it returns whether it has moved the focus.
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
    // Comes after the key bindings of the search: while the search panel is open, Escape only closes the panel.
    keymap.of([{ key: "Escape", run: onLeave }]),
  ];
}
