/**
 * The search panel of an editor, which also shows the number of matches.
 * @module
 */

import { makePrivate } from "./elements.js";
// @ts-types="../tools/packages.js"
import * as cm from "./vendor/packages.js";

/**
 * Most matches that are counted. From this number on, a plus follows it:
 * `1,000+`.
 */
const MAX_COUNT = 1_000;

/**
 * The labels of the search panel, by the phrases of CodeMirror that they
 * replace.
 */
const WORDS = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Regular expression",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
};

/**
 * Returns the number of matches, such as `7 found`, or `2 of 7` if the second
 * match is selected. Also says if there is no match, or if a regular expression
 * is not valid. Returns an empty text if the search field is empty.
 * @param {cm.EditorState} state
 */
function describePlaces(state) {
  const query = cm.getSearchQuery(state);
  if (!query.valid) return query.search ? "Not a valid expression" : "";
  const { from, to } = state.selection.main;
  const places = query.getCursor(state);
  let [count, selected] = [0, 0];
  for (
    let place = places.next();
    !place.done && count < MAX_COUNT;
    place = places.next()
  ) {
    count += 1;
    if (place.value.from === from && place.value.to === to) selected = count;
  }
  if (count === 0) return "Not found";
  const total = count.toLocaleString("en") + (count < MAX_COUNT ? "" : "+");
  return selected ? `${selected} of ${total}` : `${total} found`;
}

/**
 * Shows the number of matches in the search panel, if the panel is open.
 * @param {import("@codemirror/view").ViewUpdate} update
 */
function showPlaces({ view, state, startState }) {
  const field = view.dom.querySelector(".cm-search [name=search]");
  if (!field) return;
  let counter = view.dom.querySelector(".cm-search .places");
  const isSame = counter && state.doc === startState.doc &&
    state.selection.eq(startState.selection) &&
    cm.getSearchQuery(state).eq(cm.getSearchQuery(startState));
  if (isSame) return;
  if (!counter) {
    counter = document.createElement("span");
    counter.className = "places";
    makePrivate(view.dom.querySelectorAll(".cm-search .cm-textfield"));
    field.after(counter);
  }
  counter.textContent = describePlaces(state);
}

export const search = [
  cm.search({ top: true }),
  cm.EditorState.phrases.of(WORDS),
  cm.EditorView.updateListener.of(showPlaces),
];
