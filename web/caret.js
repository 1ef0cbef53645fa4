/** The position of the caret: line, column and JSON path. */

// @ts-types="../tools/codemirror.js"
import { ensureSyntaxTree } from "./vendor/codemirror.js";

/** Time limit for parsing the text up to the caret, in milliseconds. */
const SYNTAX_MS = 20;

/** Returns line and column of the caret, and the number of selected characters, as text. Columns are counted in code points. @param {import("@codemirror/state").EditorState} state */
export function describeCaret(state) {
  const { main: { head, from, to } } = state.selection;
  const { number, from: start } = state.doc.lineAt(head);
  const pairs = state.sliceDoc(start, head).match(/[^\0-\uffff]/gu) ?? [];
  const column = head - start - pairs.length + 1;
  const selected = to > from ? ` (${to - from} selected)` : "";
  return `Ln ${number}, Col ${column}${selected}`;
}

/** Returns the JSON path of the value at the caret, or an empty text for the outermost value and after the time limit. @param {import("@codemirror/state").EditorState} state */
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

/** Returns the part of a JSON path that stands for a member, such as `.name` or `["first name"]`. @param {string} key The name as a JSON string. */
function toStep(key) {
  return /^"[A-Za-z_$][\w$]*"$/.test(key) ? `.${key.slice(1, -1)}` : `[${key}]`;
}
