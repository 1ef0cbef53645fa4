/**
 * The parts of CodeMirror that the page uses, in one module: `deno task vendor`
 * builds `web/vendor/codemirror.js` from it.
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
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
} from "@codemirror/language";
export { search, searchKeymap } from "@codemirror/search";
export {
  Compartment,
  EditorSelection,
  EditorState,
  RangeSet,
  RangeSetBuilder,
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
  ViewPlugin,
  WidgetType,
} from "@codemirror/view";
export { classHighlighter } from "@lezer/highlight";
