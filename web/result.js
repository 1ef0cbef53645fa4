/** The result pane of a tool: shows the result of a call, copies and saves it. */

import { save } from "./dom.js";
import * as views from "./views.js";

export class Result {
  #section;
  #editor;
  /** The call with the shown result. @type {Call | undefined} */
  call;

  /** Creates the result pane of a section. @param {HTMLElement} section @param {import("./editor.js").Editor | undefined} editor The editor for the result, if the tool has one. */
  constructor(section, editor) {
    this.#section = section;
    this.#editor = editor;
  }

  /** The shown outcome; an empty object before the first result. @returns {Outcome} */
  get outcome() {
    return this.call?.outcome ?? {};
  }

  /** Shows the result of a call. @param {Call} call @param {Outcome} outcome */
  show(call, outcome) {
    this.call = call;
    this.#editor?.fill(outcome.result ?? "");
    views.showResult(this.#section, outcome, call.values.input);
  }

  /** Rewrites the lines of the result in the notation that was just chosen, such as upper case. */
  showForm() {
    if (this.call) views.showLines(this.#section, this.outcome);
  }

  /** Copies or saves the text that belongs to a button: its row, digest or code, or else the whole result. @param {HTMLButtonElement} button @param {Fields} fields The fields of the call, for request.json. */
  give(button, fields) {
    const { result = "", bytes, kind } = this.outcome;
    if (bytes && button.dataset.act === "save" && !button.value) {
      return save(bytes, `decoded.${kind?.end}`);
    }
    const { id, dataset } = this.#section;
    const name = button.value || (dataset.file ?? `${id}.txt`);
    const place = button.closest(".row, .digest, .command");
    const text = name === "request.json"
      ? JSON.stringify(fields)
      : place?.querySelector("code, pre")?.textContent ??
        views.readForm(this.#section, result).text;
    views.give(this.#section, button, { text, name });
  }

  /** Folds or unfolds all objects and arrays. @param {boolean} isFolded */
  fold(isFolded) {
    this.#editor?.fold(isFolded);
  }

  /** Opens the search. Returns false if the result has none. */
  search() {
    this.#editor?.search();
    return this.#editor !== undefined;
  }
}
