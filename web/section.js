/**
 * The section of a tool: connects its form, editors and buttons with its calls,
 * and shows the outcomes of the calls.
 * @module
 */

import { ApiCall } from "./api_call.js";
import { Calls } from "./calls.js";
import { toFields } from "./code.js";
import { copyFrom, downloadBytes, downloadFrom } from "./copying.js";
import { Editor } from "./editor.js";
import { find, write } from "./elements.js";
import { FileInput } from "./file_input.js";
import * as forms from "./form.js";
import { Message } from "./message.js";
import { describeOutcome } from "./outcome_message.js";
import { formatResult, showForm, showResult, showSizes } from "./result.js";
import { readSettings, storeSettings } from "./settings.js";
import { showInput, showStatus } from "./status.js";
import { repair } from "./suggestions.js";
import { setLineEnds } from "./text.js";
import { TOOLS } from "./tools.js";

export class Section {
  #element;
  #page;
  #tool;
  #form;
  #output;
  #message;
  #apiCall;
  #files;
  #calls;
  /** The last valid options, as they are written in the address. */
  #options = "";
  /**
   * Whether the last change was typed or made by a control: an error is then
   * not scrolled into view, so that the caret stays in view.
   */
  #isTyped = true;

  /**
   * @param {HTMLElement} element
   * @param {PageCallbacks} page
   * @param {string} [text] Initial text of the input.
   */
  constructor(element, page, text) {
    this.#element = element;
    this.#page = page;
    this.name = element.id;
    this.#tool = /** @type {Tool} */ (TOOLS[element.id]);
    this.#form = find(element, "form", HTMLFormElement);
    this.input = this.#createEditor(".source .editor", text);
    this.#output = this.#createEditor(".result .editor");
    const copyAs = readSettings().copyAs?.[this.name];
    forms.choose(this.#form, "copyAs", copyAs);
    this.#message = new Message(element, () => this.focus());
    this.#apiCall = new ApiCall(element, () => this.#describeRequest());
    this.#files = new FileInput(element, {
      editor: this.input,
      message: this.#message,
      readValues: () => this.#readValues(),
      setValues: (values) => forms.setValues(this.#form, values),
      onFile: () => {
        this.focus();
        this.#change(false);
      },
    });
    this.#calls = new Calls(this.name, {
      readInput: () => ({
        values: this.#readValues(),
        file: this.#files.file,
      }),
      onStart: () => {
        this.#page.onOptions(this);
        this.#refresh();
      },
      onProgress: () => showStatus(this.#element, this.#calls, this.#output),
      onOutcome: (call) => this.#finish(call),
    });
    this.#listen();
  }

  /**
   * @param {string} selector
   * @param {string} [text]
   */
  #createEditor(selector, text = "") {
    const host = this.#element.querySelector(selector);
    if (!(host instanceof HTMLElement)) return;
    return new Editor(host, {
      tool: this.name,
      text,
      onChange: (isTyped, action) => {
        if (action) forms.setValues(this.#form, { action });
        this.#change(isTyped);
      },
      onCaret: (place) => write(this.#element, { place }),
    });
  }

  #listen() {
    this.#form.onsubmit = () => {
      this.run();
      return false;
    };
    // Refuses other characters than digits: Firefox would accept letters in
    // number fields, which then have no value.
    this.#form.onbeforeinput = ({ target, data }) =>
      !(target instanceof HTMLInputElement && /\D/.test(data ?? ""));
    this.#form.oninput = ({ target }) =>
      this.#follow(/** @type {HTMLInputElement} */ (target));
    this.#form.onclick = ({ target }) => {
      const button = target instanceof Element && target.closest("button");
      if (!button || button.ariaDisabled === "true") return;
      this.#buttons[button.name]?.(button);
    };
  }

  /**
   * The functions that buttons call, by the name of the button.
   * @type {Readonly<Record<string, (button: HTMLButtonElement) => unknown>>}
   */
  #buttons = {
    open: () => find(this.#form, "[type=file]").click(),
    clear: () => this.#clear(),
    example: ({ value }) => this.#fill(value),
    useAsInput: () => this.#useAsInput(),
    collapse: () => this.#output?.collapse(),
    expand: () => this.#output?.expand(),
    copy: (button) => this.#copy(button),
    download: (button) => this.#download(button),
    apiCall: () => this.#apiCall.toggle(),
  };

  /**
   * Applies a change of a control. The menus of copying and of the API call,
   * and the digest to compare with, start no call.
   * @param {HTMLInputElement} control
   */
  #follow(control) {
    const { name, type, value, files } = control;
    if (name === "lineEnds") {
      this.input?.fill(setLineEnds(this.input.text, value));
    } else if (name === "copyAs") {
      const copyAs = { ...readSettings().copyAs, [this.name]: value };
      storeSettings({ copyAs });
      showForm(this.#element, this.#calls.shown?.outcome ?? {});
    } else if (type === "file") {
      this.takeFiles([...files ?? []]);
      control.value = "";
    } else if (name === "language") {
      this.#apiCall.setLanguage(value);
    } else if (type === "textarea") {
      this.#refresh();
    } else {
      if (type === "range") forms.setValues(this.#form, { length: value });
      this.#change(true);
    }
  }

  /**
   * Makes a text the input, and moves the focus to the input.
   * @param {string} text
   * @param {string} [to] Action to select with the text.
   */
  #fill(text, to) {
    const { action: from = "" } = this.#readValues();
    this.input?.fill(text, to ? { from, to } : undefined);
    this.focus();
  }

  #clear() {
    if (this.#files.file) {
      this.#files.remove();
      this.#change(false);
    }
    this.#fill("");
    this.#page.onClear();
  }

  /**
   * Makes the result the input. In the tool Base64, also changes the action
   * from encoding to decoding, or from decoding to encoding.
   */
  #useAsInput() {
    const { values: { action: from = "" } = {}, outcome } = this.#calls.shown ??
      {};
    const to = from === "encode" ? "decode" : "encode";
    const change = this.name === "base64" ? { from, to } : undefined;
    this.input?.fill(outcome?.result ?? "", change);
  }

  /** @param {HTMLButtonElement} button See `copyFrom()`. */
  #copy(button) {
    const { result = "", whole } = this.#calls.shown?.outcome ?? {};
    const { text } = formatResult(this.#element, result);
    return copyFrom(this.#element, button, whole ?? text);
  }

  /**
   * Downloads the result, or if the button is in the panel of the API call, the
   * body of the call.
   * @param {HTMLButtonElement} button
   */
  #download(button) {
    const { outcome = {}, values = {} } = this.#calls.shown ?? {};
    const { result = "", bytes, whole } = outcome;
    if (button.closest(".api-call")) {
      const body = JSON.stringify(this.#describeRequest());
      downloadFrom(this.#element, body, "request.json");
    } else if (bytes) {
      downloadBytes(bytes);
    } else {
      const { text, form } = formatResult(this.#element, result);
      const name = this.#tool.fileName(values);
      const isArray = form === "json";
      const fileName = isArray ? name.replace(/txt$/, "json") : name;
      downloadFrom(this.#element, whole ?? text, fileName);
    }
  }

  #repair() {
    const text = repair(this.input?.text ?? "");
    if (text === undefined) {
      this.say("This text is beyond repair.");
    } else {
      this.#fill(text);
    }
  }

  /**
   * The options for the address: those of the form, or the last valid ones if
   * the form has values that are not allowed.
   */
  get options() {
    const values = forms.readValues(this.#form, this.#tool);
    if (forms.isValid(this.#tool, values)) {
      this.#options = forms.writeOptions(this.#tool, values);
    }
    return this.#options;
  }

  /**
   * Sets the form to options from the address or the settings, and says which
   * of them are refused. Starts a call; if the newest call has the same
   * values, only if that failed and was not cancelled.
   * @param {string} options
   */
  show(options) {
    const { values, refused } = forms.parseOptions(this.#tool, options);
    forms.setValues(this.#form, values);
    this.#showAction();
    this.#apiCall.show();
    if (refused.length > 0) {
      const words = refused.map((option) => `“${option}”`).join(", ");
      const says = `Not valid in the address: ${words}.`;
      this.say(`${says} The default is used instead.`, "notice");
    }
    if (this.#calls.isLatest) {
      this.recover();
    } else {
      this.run();
    }
  }

  /**
   * Moves the focus to the file or text that is the input, or to the button
   * that generates.
   */
  focus() {
    if (this.#files.file) {
      find(this.#element, ".file").focus();
    } else if (this.input) {
      this.input.focus();
    } else {
      find(this.#element, "[name=regenerate]").focus();
    }
  }

  /**
   * Opens the search in the result. Returns false if the tool has no editor for
   * its result.
   */
  search() {
    this.#output?.search();
    return this.#output !== undefined;
  }

  /**
   * Returns the values of the form, and the text of the input, if the tool has
   * an input. If a file is the input, the text is empty, and `encoding` is
   * added.
   * @returns {Values}
   */
  #readValues() {
    const values = forms.readValues(this.#form, this.#tool);
    if (this.#files.file) {
      const { value } = find(this.#form, "[name=encoding]", HTMLSelectElement);
      return { input: "", encoding: value, ...values };
    }
    return this.input ? { input: this.input.text, ...values } : values;
  }

  /** Returns the fields of the request that the panel of the API call shows. */
  #describeRequest() {
    const values = this.#readValues();
    const changes = this.#tool.sample?.(values);
    return toFields(this.#tool, { ...values, ...changes });
  }

  /**
   * Updates the page after a change of the input or a field.
   * @param {boolean} isTyped Whether a call waits for a pause in typing.
   */
  #change(isTyped) {
    this.#message.announce("");
    if (this.#message.isNotice) this.say("");
    this.#isTyped = isTyped;
    // A text in the editor replaces the file that was the input.
    if (this.input?.text) this.#files.remove();
    this.#showAction();
    this.#calls.follow(isTyped);
    this.#refresh();
  }

  /** Adapts the controls and the example to the chosen action. */
  #showAction() {
    forms.showAction(this.#form, this.#tool);
    if (this.#files.file && this.#readValues().encoding === "data-url") {
      // The Base64 in a data URL always has the standard alphabet.
      const [variant] = this.#form.querySelectorAll("[name=variant]");
      variant?.closest("fieldset")?.setAttribute("disabled", "");
    }
  }

  /** Starts a call at once, without waiting for a pause in typing. */
  run() {
    this.#calls.run();
  }

  cancel() {
    return this.#calls.cancel();
  }

  recover() {
    this.#calls.recover();
  }

  /**
   * Shows the outcome of the newest call, which has ended. If the outcome has
   * no result, the previous result stays, but a previous note, such as “This is
   * valid JSON.”, is removed.
   * @param {Call} call
   */
  #finish(call) {
    const { outcome = {} } = call;
    if (outcome.result !== undefined) {
      this.#calls.shown = call;
      this.#output?.fill(outcome.result);
      showResult(this.#element, outcome);
    } else if (this.#calls.shown?.outcome?.note) {
      this.#calls.shown = undefined;
      showResult(this.#element, {});
    }
    showSizes(this.#element, call);
    this.input?.mark(outcome.offset, outcome.wrong ?? "", !this.#isTyped);
    this.#sayOutcome(call);
    this.#refresh();
  }

  /**
   * Shows the message on the outcome of a call. Without a message, announces
   * the `spoken` text of the outcome, if any, to screen readers.
   * @param {Call} call
   */
  #sayOutcome(call) {
    const { wrong, failure, spoken = "" } = call.outcome ?? {};
    // A notice, such as that a file is empty, stays until the next change of
    // the form, unless the outcome has an error message (`wrong` or `failure`).
    if (this.#message.isNotice && !(wrong ?? failure)) return;
    const { words, kind, buttons } = describeOutcome(this.name, call, {
      textFile: this.#files.textFile,
      encodeAsDataUrl: (file) => this.#files.encodeAsDataUrl(file),
      select: (offset) => this.input?.select(offset),
      showResult: (result) => {
        call.outcome = { result };
        this.#finish(call);
      },
      open: (tool, text) => this.#page.onOpen(tool, text),
      fill: (text, action) => this.#fill(text, action),
      repair: () => this.#repair(),
      retry: () => this.run(),
      download: downloadBytes,
    });
    this.#message.show(words, kind, buttons);
    if (words === "") this.#message.announce(spoken);
  }

  /**
   * Shows a message as `Message.show()` does.
   * @param {string} words
   * @param {"wrong" | "notice"} kind
   */
  say(words, kind = "wrong") {
    this.#message.show(words, kind);
  }

  /**
   * Shows the state of the input and of the newest call: the badge, such as
   * “Out of date”, the buttons that can be used, and the code of the API call.
   */
  #refresh() {
    showStatus(this.#element, this.#calls, this.#output);
    showInput(this.#element, this.input?.text, this.#files.file);
    this.#apiCall.refresh();
  }

  /** See `FileInput.takesAny`. */
  get takesFiles() {
    return this.#files.takesAny;
  }

  /** @param {File[]} files See `FileInput.take()`. */
  takeFiles(files) {
    return this.#files.take(files);
  }
}
