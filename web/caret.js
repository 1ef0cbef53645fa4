/** Describes the position of the caret in an editor: line, column and JSON path. */

// @ts-types="../tools/codemirror.js"
import { ensureSyntaxTree } from "./vendor/codemirror.js";

/** Time limit for parsing the text up to the caret, in milliseconds. */
const SYNTAX_MS = 20;

/** Returns the position of the caret as text, such as `Ln 2, Col 5`, followed by the length of the selection, if any. Columns are counted in code points. @param {import("@codemirror/state").EditorState} state */
export function describeCaret(state) {
  const { main: { head, from, to } } = state.selection;
  const { number, from: start } = state.doc.lineAt(head);
  const pairs = state.sliceDoc(start, head).match(/[^\0-\uffff]/gu) ?? [];
  const column = head - start - pairs.length + 1;
  const selected = to > from ? ` (${to - from} selected)` : "";
  return `Ln ${number}, Col ${column}${selected}`;
}

/** Returns the JSON path of the value at the caret, such as `$.items[0]`. Returns an empty text for the outermost value, or if parsing takes longer than `SYNTAX_MS`. @param {import("@codemirror/state").EditorState} state */
export function readPath(state) {
  const { head } = state.selection.main;
  const tree = ensureSyntaxTree(state, head, SYNTAX_MS);
  let path = "";
  let node = tree?.resolveInner(head, -1);
  if (node && node.to < head) node = tree?.resolveInner(head, 1);
  for (; node?.parent; node = node.parent) {
    const { parent, name, from } = node;
    if (name === "Property" && node.firstChild) {
      const { firstChild } = node;
      path = toStep(state.sliceDoc(firstChild.from, firstChild.to)) + path;
    } else if (parent.name === "Array" && !/^\W$/.test(name)) {
      let index = 0;
      const cursor = parent.cursor();
      cursor.firstChild();
      while (cursor.nextSibling() && cursor.from <= from) {
        if (!/^\W$/.test(cursor.name)) index += 1;
      }
      path = `[${index - 1}]${path}`;
    }
  }
  return path && `$${path}`;
}

/** Returns the part of a JSON path for a member of an object, such as `.name` or `["first name"]`. @param {string} key The name of the member as a JSON string. */
function toStep(key) {
  return /^"[A-Za-z_$][\w$]*"$/.test(key) ? `.${key.slice(1, -1)}` : `[${key}]`;
}
