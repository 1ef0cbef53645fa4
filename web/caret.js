/// <reference path="./types.d.ts" />

/** The place of the caret in a text pane: line, column, and path in JSON. */

// @ts-types="../tools/codemirror.js"
import { ensureSyntaxTree } from "./vendor/codemirror.js";

/** Longest search for the syntax at the caret, in milliseconds. */
const SYNTAX_MS = 20;

/** @param {import("@codemirror/state").EditorState} state @returns {Caret} */
export function describeCaret(state) {
  const { main: { head, from, to } } = state.selection;
  const { number, from: start } = state.doc.lineAt(head);
  const column = [...state.sliceDoc(start, head)].length + 1;
  const path = readPath(state);
  return { line: number, column, selected: to - from, path };
}

/** The JSON path of the value at the caret, empty elsewhere. @param {import("@codemirror/state").EditorState} state */
function readPath(state) {
  const { head } = state.selection.main;
  const tree = ensureSyntaxTree(state, head, SYNTAX_MS);
  let path = "";
  let isInside = false;
  let node = tree?.resolveInner(head, -1);
  if (node && node.to < head) node = tree?.resolveInner(head, 1);
  for (; node?.parent; node = node.parent) {
    const { parent, name, from } = node;
    if (name === "Property" && node.firstChild) {
      path = toStep(state.sliceDoc(node.firstChild.from, node.firstChild.to)) +
        path;
      isInside = true;
    } else if (parent.name === "Array" && !/^\W$/.test(name)) {
      let index = 0;
      const cursor = parent.cursor();
      cursor.firstChild();
      while (cursor.from < from && cursor.nextSibling()) {
        if (!/^\W$/.test(cursor.name) && cursor.from < from) index += 1;
      }
      path = `[${index}]${path}`;
      isInside = true;
    }
  }
  return isInside ? `$${path}` : "";
}

/** @param {string} key A name as it is in JSON. */
function toStep(key) {
  return /^"[A-Za-z_$][\w$]*"$/.test(key) ? `.${key.slice(1, -1)}` : `[${key}]`;
}
