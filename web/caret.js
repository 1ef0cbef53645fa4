/** The place of the caret in a text pane: line, column, and path in JSON. */

// @ts-types="../tools/codemirror.js"
import { ensureSyntaxTree } from "./vendor/codemirror.js";

/** Longest search for the syntax at the caret, in milliseconds. */
const SYNTAX_MS = 20;

/** The place in words; columns count code points. @param {import("@codemirror/state").EditorState} state */
export function describeCaret(state) {
  const { main: { head, from, to } } = state.selection;
  const { number, from: start } = state.doc.lineAt(head);
  const pairs = state.sliceDoc(start, head).match(/[^\0-\uffff]/gu) ?? [];
  const column = head - start - pairs.length + 1;
  const selected = to > from ? ` (${to - from} selected)` : "";
  return `Ln ${number}, Col ${column}${selected}`;
}

/** The JSON path of the value at the caret, empty elsewhere. @param {import("@codemirror/state").EditorState} state */
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

/** @param {string} key A name as it is in JSON. */
function toStep(key) {
  return /^"[A-Za-z_$][\w$]*"$/.test(key) ? `.${key.slice(1, -1)}` : `[${key}]`;
}
