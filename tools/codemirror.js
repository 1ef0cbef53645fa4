/**
 * The parts of CodeMirror that the page uses. `deno task vendor` bundles this module
 * into `web/vendor/codemirror.js`.
 *
 * @module
 */

export {
  defaultKeymap,
  history,
  historyKeymap,
  invertedEffects,
  isolateHistory,
} from "@codemirror/commands";
export { json } from "@codemirror/lang-json";
export {
  bidiIsolates,
  bracketMatching,
  ensureSyntaxTree,
  foldedRanges,
  foldEffect,
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
  unfoldEffect,
} from "@codemirror/language";
export { openSearchPanel, search, searchKeymap } from "@codemirror/search";
export {
  EditorSelection,
  EditorState,
  RangeSet,
  StateEffect,
  StateField,
} from "@codemirror/state";
export {
  Decoration,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
} from "@codemirror/view";
export { classHighlighter } from "@lezer/highlight";
