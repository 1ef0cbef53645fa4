/**
 * The npm exports that the page uses. `deno task vendor` bundles this module into
 * `web/vendor/packages.js`.
 *
 * @module
 */

export {
  history,
  historyKeymap,
  insertNewline,
  isolateHistory,
  standardKeymap,
} from "@codemirror/commands";
export { json } from "@codemirror/lang-json";
export {
  bidiIsolates,
  bracketMatching,
  foldEffect,
  foldGutter,
  foldKeymap,
  syntaxHighlighting,
  unfoldAll,
} from "@codemirror/language";
export {
  closeSearchPanel,
  findNext,
  findPrevious,
  openSearchPanel,
  search,
} from "@codemirror/search";
export {
  Compartment,
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
