/**
 * The panel that shows a request to the API as code, such as a curl command.
 * The browser stores the language of the code, and whether the panel is open,
 * for all tools together.
 * @module
 */

import { createCode } from "./code.js";
import { find } from "./elements.js";
import { choose } from "./form.js";
import { readSettings, storeSettings } from "./settings.js";

export class ApiCall {
  #section;
  #form;
  #describe;

  /**
   * @param {HTMLElement} section The section of the tool.
   * @param {() => Fields} describe Returns the fields of the request.
   */
  constructor(section, describe) {
    this.#section = section;
    this.#form = find(section, "form", HTMLFormElement);
    this.#describe = describe;
  }

  /**
   * Opens or closes the panel and selects the language, both as stored in the
   * settings, and writes the code.
   */
  show() {
    const { language, isApiCallShown = false } = readSettings();
    choose(this.#form, "language", language);
    find(this.#form, ".api-call").hidden = !isApiCallShown;
    const button = find(this.#form, "[name=apiCall]");
    button.ariaExpanded = String(isApiCallShown);
    this.refresh();
  }

  toggle() {
    const { ariaExpanded } = find(this.#form, "[name=apiCall]");
    storeSettings({ isApiCallShown: ariaExpanded !== "true" });
    this.show();
  }

  /** @param {string} language */
  setLanguage(language) {
    storeSettings({ language });
    this.refresh();
  }

  /** Writes the code again, with the values that the form has now. */
  refresh() {
    const { value } = find(this.#form, "[name=language]", HTMLSelectElement);
    const options = { base: document.baseURI, language: value };
    const path = `api/${this.#section.id}`;
    const { code, isFile } = createCode(path, this.#describe(), options);
    find(this.#form, ".api-call pre").textContent = code;
    find(this.#form, ".api-call [name=download]").hidden = !isFile;
  }
}
