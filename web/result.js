/** The result pane of a tool: shows, copies and saves the result of a call of the service. */

import { save } from "./dom.js";
import * as views from "./views.js";

export class Result {
  #section;
  #editor;
  /** The call whose result is shown; undefined before the first result. @type {Call | undefined} */
  call;

  /** Creates the result pane of a tool. @param {HTMLElement} section The element of the tool. @param {import("./editor.js").Editor | undefined} editor The editor for the result, if the tool has one. */
  constructor(section, editor) {
    this.#section = section;
    this.#editor = editor;
  }

  /** Outcome of the call whose result is shown; an empty object before the first result. @returns {Outcome} */
  get outcome() {
    return this.call?.outcome ?? {};
  }

  /** Shows the result of a call. @param {Call} call @param {Outcome} outcome */
  show(call, outcome) {
    this.call = call;
    this.#editor?.fill(outcome.result ?? "");
    views.showResult(this.#section, outcome, call.values.input);
  }

  /** Shows the list of UUIDs again after the user has chosen another notation, such as upper case. */
  showForm() {
    if (this.call) views.showLines(this.#section, this.outcome);
  }

  /**
   * Copies or saves a text, which depends on the button: the row, digest or example code that contains the button; the
   * fields of the request for the button `request.json`; the whole result for all other buttons.
   * @param {HTMLButtonElement} button @param {Fields} fields The fields for `request.json`.
   */
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

  /** Folds the objects and arrays directly inside the outermost one of a JSON result, or unfolds all. @param {boolean} isFolded Whether to fold. */
  fold(isFolded) {
    this.#editor?.fold(isFolded);
  }

  /** Opens the search panel of the editor. Returns false if this tool shows its result without an editor. */
  search() {
    this.#editor?.search();
    return this.#editor !== undefined;
  }
}
