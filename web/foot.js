/// <reference path="./types.d.ts" />

/** The foot of a tool: the call as code, and the status bar. */

import { createCode } from "./call.js";
import { find, fromTemplate, offerCopy, offerDownload } from "./dom.js";
import { LINE_ENDS, nameLineEnds } from "./text.js";

export class Foot {
  element = fromTemplate("foot");
  #code = find(this.element, "pre");
  #ends = find(this.element, ".ends select", HTMLSelectElement);
  #language = find(this.element, ".language", HTMLSelectElement);

  /** @param {{ onLanguage(): void, onLineEnds(end: string): void, readBody(): string }} events */
  constructor({ onLanguage, onLineEnds, readBody }) {
    const panel = find(this.element, ".command");
    const toggle = find(this.element, ".code");
    toggle.onclick = () => {
      panel.hidden = !panel.hidden;
      toggle.setAttribute("aria-expanded", String(!panel.hidden));
    };
    this.#language.onchange = onLanguage;
    this.#ends.onchange = () =>
      onLineEnds(LINE_ENDS.get(this.#ends.value) ?? "\n");
    const { report } = this;
    const readCode = () => this.#code.textContent ?? "";
    offerCopy(find(panel, ".copy"), readCode, report);
    const file = { name: "request.json", read: readBody, report };
    offerDownload(find(panel, ".download"), file);
  }

  /** Says why a text was not copied or saved. @param {string} problem */
  report = (problem) => this.#write("copied", problem);

  /** @param {string} sizes */
  showSizes(sizes) {
    this.#write("sizes", sizes);
  }

  /** @param {Caret} caret */
  showCaret({ line, column, selected, path }) {
    const more = selected > 0 ? ` (${selected} selected)` : "";
    this.#write("caret", `Ln ${line}, Col ${column}${more}`);
    this.#write("path", path);
  }

  /** Writes the call as code, and names the line ends of its input. @param {Endpoint} endpoint @param {Fields} fields @param {string} input */
  describe(endpoint, fields, input) {
    const options = { base: document.baseURI, language: this.#language.value };
    const { code, needsFile } = createCode(endpoint, fields, options);
    this.#code.textContent = code;
    find(this.element, ".download").hidden = !needsFile;
    const name = nameLineEnds(input);
    find(this.#ends, "[hidden]", HTMLOptionElement).disabled = name !== "mixed";
    this.#ends.value = name;
    this.#ends.disabled = name === "";
  }

  /** @param {string} name @param {string} text */
  #write(name, text) {
    find(this.element, `.${name}`).textContent = text;
  }
}
