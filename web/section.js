/**
 * The section of a tool: its form, editors, buttons, message and code. A call
 * has the values of the form at its start; the result is out of date as soon
 * as the form has others.
 * @module
 */

import { ApiCall } from "./api_call.js";
import { copyFrom, downloadBytes, downloadFrom } from "./copying.js";
import { Editor } from "./editor.js";
import { find, write } from "./elements.js";
import { readFile } from "./files.js";
import * as forms from "./form.js";
import { readKind } from "./kinds.js";
import { compute } from "./local.js";
import { Message } from "./message.js";
import { showFile } from "./preview.js";
import { call, isTaken, MAX_DECODED, toFields } from "./request.js";
import {
  formatResult,
  showForm,
  showResult,
  showSizes,
  showVerdict,
} from "./result.js";
import { readSettings, storeSettings } from "./settings.js";
import { MAX_REPAIR, repair, suggest } from "./suggestions.js";
import { LINE_ENDS, nameLineEnds } from "./text.js";
import { TOOLS } from "./tools.js";

/** Pause between the last keystroke and the call, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Buttons that need a result which is not out of date. */
const RESULT_BUTTONS = "button:not(.api-call *):is([name=copy], " +
  "[name=useAsInput], [name=collapse], [name=expand])";

/** The button that also downloads results which are not text. */
const DOWNLOAD_BUTTON = "button[name=download]:not(.api-call *)";

export class Section {
  #element;
  #page;
  #tool;
  #form;
  #output;
  #message;
  #apiCall;
  /** The newest call. */
  #call = /** @type {Call | undefined} */ (undefined);
  /** The call whose result is shown. */
  #shown = /** @type {Call | undefined} */ (undefined);
  #timer = /** @type {Timer} */ (undefined);
  /** The file that is the input, in place of the text in the editor. */
  #file = /** @type {File | undefined} */ (undefined);
  /** The file that the text comes from, and its text. */
  #source = /** @type {TextFile | undefined} */ (undefined);
  /** The last valid options. */
  #options = "";
  /** Whether the last change was typed, so that the caret stays in view. */
  #isTyped = true;

  /**
   * @param {HTMLElement} element
   * @param {PageCallbacks} page
   * @param {string} [text] The input at first.
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
    this.#apiCall = new ApiCall(element, () => this.#describe());
    this.#form.onsubmit = () => {
      this.run();
      return false;
    };
    // Firefox accepts letters in number fields, which then have no value.
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
   * The actions of the buttons, by name.
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
   * Makes an editor, if there is an element for it.
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

  /**
   * Applies a change of a control.
   * @param {HTMLInputElement} control
   */
  #follow(control) {
    const { name, type, value, files } = control;
    if (name === "lineEnds") {
      const end = LINE_ENDS.get(value) ?? "\n";
      this.input?.fill(this.input.text.replaceAll(/\r\n|\r|\n/g, end));
    } else if (name === "copyAs") {
      const copyAs = { ...readSettings().copyAs, [this.name]: value };
      storeSettings({ copyAs });
      showForm(this.#element, this.#shown?.outcome ?? {});
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

  /** Shows the controls and the example of the chosen action. */
  #showAction() {
    forms.showAction(this.#form, this.#tool);
    if (this.#file && this.#readValues().encoding === "data-url") {
      // A data URL has the standard alphabet.
      const [variant] = this.#form.querySelectorAll("[name=variant]");
      variant?.closest("fieldset")?.setAttribute("disabled", "");
    }
  }

  /**
   * Makes a text the input.
   * @param {string} text
   * @param {string} [to] Action to choose with it.
   */
  #fill(text, to) {
    const { action: from = "" } = this.#readValues();
    this.input?.fill(text, to ? { from, to } : undefined);
    this.focus();
  }

  /** Removes the input. */
  #clear() {
    if (this.#file) {
      this.#setFile(undefined);
      this.#change(false);
    }
    this.#fill("");
    this.#page.onClear();
  }

  /** Makes the result the input; Base64 then goes the other way. */
  #useAsInput() {
    const { values: { action: from = "" } = {}, outcome } = this.#shown ?? {};
    const to = from === "encode" ? "decode" : "encode";
    const change = this.name === "base64" ? { from, to } : undefined;
    this.input?.fill(outcome?.result ?? "", change);
  }

  /**
   * Copies what a button belongs to.
   * @param {HTMLButtonElement} button
   */
  #copy(button) {
    const { result = "", whole } = this.#shown?.outcome ?? {};
    const { text } = formatResult(this.#element, result);
    return copyFrom(this.#element, button, whole ?? text);
  }

  /**
   * Downloads what a button belongs to: the body of the API call, or else the
   * result.
   * @param {HTMLButtonElement} button
   */
  #download(button) {
    const { outcome = {}, values = {} } = this.#shown ?? {};
    const { result = "", bytes, whole } = outcome;
    if (button.closest(".api-call")) {
      const body = JSON.stringify(this.#describe());
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

  /** Repairs the input, if that is possible. */
  #repair() {
    const text = repair(this.input?.text ?? "");
    if (text === undefined) {
      this.say("This text is beyond repair.");
    } else {
      this.#fill(text);
    }
  }

  /** The options for the address; the last valid ones if they are not. */
  get options() {
    const values = forms.readValues(this.#form, this.#tool);
    if (forms.isValid(this.#tool, values)) {
      this.#options = forms.writeOptions(this.#tool, values);
    }
    return this.#options;
  }

  /**
   * Sets the options of the address, and calls if they are new, or if the
   * newest call has failed.
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
    if (this.#isLatest()) {
      this.recover();
    } else {
      this.run();
    }
  }

  /** Moves the focus to the input, or to the button that generates. */
  focus() {
    if (this.#file) {
      find(this.#element, ".file").focus();
    } else if (this.input) {
      this.input.focus();
    } else {
      find(this.#element, "[name=regenerate]").focus();
    }
  }

  /** Opens the search in the result; returns whether there is one. */
  search() {
    this.#output?.search();
    return this.#output !== undefined;
  }

  /**
   * Returns the values of the form, and the input.
   * @returns {Values}
   */
  #readValues() {
    const values = forms.readValues(this.#form, this.#tool);
    if (this.#file) {
      const { value } = find(this.#form, "[name=encoding]", HTMLSelectElement);
      return { input: "", encoding: value, ...values };
    }
    return this.input ? { input: this.input.text, ...values } : values;
  }

  /** Whether the newest call has the values of the form. */
  #isLatest() {
    const { values } = this.#call ?? {};
    return this.#call?.file === this.#file &&
      Object.entries(this.#readValues()).every(([name, value]) =>
        values?.[name] === value
      );
  }

  /**
   * Updates the page after a change of the input or the options, and calls the
   * service if needed.
   * @param {boolean} isTyped Whether the call waits for a pause in typing.
   */
  #change(isTyped) {
    this.#message.announce("");
    if (this.#message.isNotice) this.say("");
    this.#isTyped = isTyped;
    // A text replaces the file.
    if (this.input?.text) this.#setFile(undefined);
    this.#showAction();
    clearTimeout(this.#timer);
    const ask = () => {
      if (!this.#isLatest() || this.#call?.outcome?.failure) this.run();
      this.#page.onOptions();
    };
    if (isTyped) {
      this.#timer = setTimeout(ask, DEBOUNCE_MS);
    } else {
      ask();
    }
    this.#refresh();
  }

  /** Calls the service; a newer call cancels an older one. */
  async run() {
    clearTimeout(this.#timer);
    this.#call?.controller.abort();
    const values = this.#readValues();
    const controller = new AbortController();
    const { signal } = controller;
    const file = this.#file;
    const newest = /** @type {Call} */ ({ values, file, controller });
    this.#call = newest;
    this.#refresh();
    const options = { base: document.baseURI, limit: readLimit(), signal };
    const outcome = file
      ? await compute(this.name, file, values, signal)
      : await call(this.name, values, options);
    if (this.#call === newest) this.#finish(newest, outcome);
  }

  /**
   * Shows the outcome of the newest call.
   * @param {Call} call
   * @param {Outcome} outcome
   */
  #finish(call, outcome) {
    call.outcome = outcome;
    if (outcome.result !== undefined) {
      this.#shown = call;
      this.#output?.fill(outcome.result);
      showResult(this.#element, outcome);
    } else if (this.#shown?.outcome?.note) {
      // The note, such as "valid JSON", was about the last input, and this call has no
      // result that would replace it.
      this.#shown = undefined;
      showResult(this.#element, {});
    }
    showSizes(this.#element, outcome, call);
    this.input?.mark(outcome.offset, outcome.wrong ?? "", !this.#isTyped);
    this.#sayOutcome(outcome, call.values);
    this.#refresh();
  }

  /** Cancels the call that waits; returns whether there was one. */
  cancel() {
    if (!this.#call || this.#call.outcome) return false;
    this.#call.controller.abort();
    return true;
  }

  /** Calls again if the newest call has failed and was not cancelled. */
  recover() {
    const { outcome, controller } = this.#call ?? {};
    if (outcome?.failure && !controller?.signal.aborted) this.run();
  }

  /**
   * Says what is wrong, what has failed, and what the page suggests.
   * @param {Outcome} outcome
   * @param {Values} values
   */
  #sayOutcome(outcome, values) {
    const { wrong, failure, hint, offset, bytes, isInvalidJson } = outcome;
    const problem = wrong ?? failure;
    // A notice stays until the next change, unless there is a problem.
    if (!problem && this.#message.isNotice) return;
    const hints = failure ? [] : suggest(this.name, values, outcome);
    const buttons = hints.map((hint) => this.#createButton(hint));
    const words = hints.map(({ says }) => says);
    if (hint) words.unshift(hint);
    if (problem) words.unshift(problem);
    if (offset !== undefined) {
      buttons.push(["Show", () => this.input?.select(offset)]);
    }
    if (isInvalidJson && hints.length === 0) {
      const limit = MAX_REPAIR.toLocaleString("en");
      const { input = "" } = values;
      if (input.length <= MAX_REPAIR) {
        buttons.push(["Repair", () => this.#repair()]);
      } else {
        words.push(`Repair takes at most ${limit} characters.`);
      }
    }
    const source = this.#source;
    const isOfFile = source !== undefined && source.text === values.input;
    if (isOfFile && values.action === "encode") {
      const encode = () => this.#encodeAsDataUrl(source.file);
      words.push(`This is the text of “${source.file.name}”.`);
      buttons.push(["Encode as data URL", encode]);
    }
    if (failure) buttons.push(["Try again", () => this.run()]);
    if (bytes) {
      words.push("This is not UTF-8 text, so this page has decoded it.");
      buttons.push(["Download", () => downloadBytes(bytes)]);
    }
    this.#message.show(words.join(" "), problem ? "wrong" : "hint", buttons);
    if (words.length === 0) this.#message.announce(outcome.spoken ?? "");
  }

  /**
   * Makes the button of a suggestion.
   * @param {Suggestion} suggestion
   * @returns {MessageButton}
   */
  #createButton({ label, value = "", to, offset, result }) {
    return [label, () => {
      if (result !== undefined && this.#call) {
        this.#finish(this.#call, { result });
      } else if (offset !== undefined) {
        this.input?.select(offset);
      } else if (to && to in TOOLS) {
        this.#page.onOpen(to, value);
      } else {
        this.#fill(value, to);
      }
    }];
  }

  /**
   * Shows a message instead of the one before; empty words remove it.
   * @param {string} words
   * @param {"wrong" | "notice"} kind
   */
  say(words, kind = "wrong") {
    this.#message.show(words, kind);
  }

  /** Returns the fields of the request in the code. */
  #describe() {
    const values = this.#readValues();
    const changes = this.#tool.sample?.(values);
    return toFields(this.#tool, { ...values, ...changes });
  }

  /** Shows what depends on the values of the form and the newest call. */
  #refresh() {
    const { dataset } = this.#element;
    const shown = this.#shown?.outcome ?? {};
    const { result = "", digests = {}, bytes, whole } = shown;
    const { outcome } = this.#call ?? {};
    const isLatest = this.#isLatest();
    const isWaiting = this.#call !== undefined && !outcome;
    const isCurrent = isLatest && outcome?.result !== undefined;
    const isEmpty = result === "" && shown.note === undefined;
    const state = isCurrent ? "current" : "stale";
    dataset.state = isEmpty ? "empty" : state;
    dataset.input = this.#describeInput();
    const badge = isWaiting ? this.#describeWait() : this.#describeResult();
    write(this.#element, { badge });
    find(this.#form, "progress").hidden = !isWaiting;
    const isText = isCurrent && result !== "";
    this.#enable(RESULT_BUTTONS, isText);
    this.#enable(DOWNLOAD_BUTTON, isText || isCurrent && bytes !== undefined);
    if (whole) this.#enable("[name=useAsInput]", false);
    this.#enable(".message button", isLatest);
    showVerdict(this.#element, isCurrent ? Object.values(digests) : []);
    this.#apiCall.refresh();
    const lineEnds = find(this.#form, "[name=lineEnds]", HTMLSelectElement);
    lineEnds.value = nameLineEnds(this.input?.text ?? "");
    lineEnds.hidden = lineEnds.value === "";
  }

  /** Names what the input is: `file`, `empty`, or an empty text for a text. */
  #describeInput() {
    if (this.#file) return "file";
    return this.input?.text === "" ? "empty" : "";
  }

  /** Says what the newest call waits for. */
  #describeWait() {
    return this.#file ? "Computing…" : "Waiting for the service…";
  }

  /** Says of what the shown result is, unless it is of the present input. */
  #describeResult() {
    if (this.#element.dataset.state !== "stale") {
      const isLocal = this.#shown?.outcome?.isLocal;
      return isLocal ? "Computed in this browser, not sent" : "";
    }
    const { noun } = this.#tool;
    if (noun) {
      const isList = this.#shown?.outcome?.result?.includes("\n");
      return `Previous ${noun}${isList ? "s" : ""}`;
    }
    const isWrong = this.#call?.outcome?.wrong !== undefined;
    return isWrong && this.#isLatest()
      ? "Result of the last valid input"
      : "Out of date";
  }

  /**
   * Enables buttons, or disables them.
   * @param {string} selector
   * @param {boolean} isOn
   */
  #enable(selector, isOn) {
    for (const button of this.#form.querySelectorAll(selector)) {
      button.ariaDisabled = String(!isOn);
    }
  }

  /** Whether the input can be any file; otherwise it can only be a text file. */
  get takesFiles() {
    return this.#tool.takesFiles?.(this.#readValues()) ?? false;
  }

  /**
   * Makes a file, or its text, the input.
   * @param {File[]} files
   */
  async takeFiles(files) {
    const before = this.input?.text;
    const { text, file, problem } = this.input
      ? await this.#readFile(files)
      : { problem: "A file cannot be used here: this tool has no input." };
    const kind = file && await readKind(file);
    if (!files[0] || this.input?.text !== before) return;
    if (text !== undefined) {
      this.#source = { file: files[0], text };
      this.input?.fill(text);
    }
    if (file && this.takesFiles) {
      this.#setFile(file, kind);
    } else if (problem) {
      const encode = () => {
        forms.setValues(this.#form, { action: "encode" });
        this.#setFile(file, kind);
      };
      const buttons = /** @type {MessageButton[]} */ ([]);
      if (file && this.name === "base64") buttons.push(["Encode it", encode]);
      this.#message.show(problem, "notice", buttons);
    }
  }

  /**
   * Reads a file as text. Where any file may be the input, one that the service
   * does not take stays a file. Base64 to decode may be larger: the page
   * decodes it.
   * @param {File[]} files
   */
  async #readFile(files) {
    const limit = readLimit();
    const [file] = files;
    const { action } = this.#readValues();
    const isDecodedHere = action === "decode" && file !== undefined &&
      file.size <= MAX_DECODED;
    const content = await readFile(files, isDecodedHere ? MAX_DECODED : limit);
    const values = { ...this.#readValues(), input: content.text ?? "" };
    if (!file || !this.takesFiles || isTaken(this.name, values, limit)) {
      return content;
    }
    return { file, problem: "" };
  }

  /**
   * Encodes a text file with its media type.
   * @param {File} file
   */
  async #encodeAsDataUrl(file) {
    const kind = await readKind(file);
    forms.choose(this.#form, "encoding", "data-url");
    this.#setFile(file, kind);
  }

  /**
   * Makes a file the input instead of the text; undefined removes it.
   * @param {File} [file]
   * @param {Kind} [kind]
   */
  #setFile(file, kind) {
    if (file === this.#file) return;
    this.#file = file;
    showFile(this.#element, file, kind);
    if (!file) return;
    this.input?.fill("");
    this.focus();
    this.#change(false);
  }
}

/** Returns the largest request body that the service takes, in bytes. */
function readLimit() {
  return Number(find(document, "main").dataset.maxBodyBytes);
}
