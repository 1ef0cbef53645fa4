/**
 * The section of a tool. It has the state of the tool, and changes it in two
 * ways: `#change()` when the user changes the input or an option, and
 * `#finish()` when a computation has ended.
 * @module
 */

import { copyFrom } from "./copying.js";
import { find } from "./elements.js";
import { applyWrapping } from "./editor.js";
import { download, readFiles } from "./files.js";
import * as forms from "./form.js";
import { findKind } from "./kinds.js";
import { formatLink, getBase } from "./links.js";
import { describeOutcome, getKnownOutcome, toOutcome } from "./outcome.js";
import { readSettings, storeSettings } from "./settings.js";
import * as states from "./state.js";
import { formatList, setLineEndings } from "./text.js";
import { TOOLS } from "./tools.js";
import { describeRequest, View } from "./view.js";
// @ts-types="../tools/operations.js"
import { quote } from "./vendor/operations.js";

/**
 * Longest text that is computed after each key, in UTF-16 code units. Longer text
 * waits for a pause in typing.
 */
const MAX_IMMEDIATE = 100_000;

/** The pause, in milliseconds. */
const PAUSE_MS = 200;

export class Section {
  #element;
  #computer;
  #page;
  #tool;
  #form;
  #view;
  #state;
  #timer = /** @type {Timer} */ (undefined);
  /** Abandons the newest computation; does nothing after its end. */
  #abandon = () => {};
  /** The files that were dropped, pasted or opened last. */
  #opened = /** @type {readonly File[]} */ ([]);

  /**
   * @param {HTMLElement} element
   * @param {PageCallbacks} page
   * @param {{ computer: import("./computer.js").Computer, text?: string }} options
   * `text` is the initial text of the input.
   */
  constructor(element, page, { computer, text = "" }) {
    this.#element = element;
    this.#computer = computer;
    this.#page = page;
    this.name = element.id;
    this.#tool = /** @type {Tool} */ (TOOLS[element.id]);
    this.#form = find(element, "form", HTMLFormElement);
    this.#view = new View(element, {
      text,
      onText: (isTyped) => this.#handleInput(isTyped),
      focus: () => this.focus(),
    });
    /** The editor of the input; undefined for a tool without one. */
    this.input = this.#view.input;
    this.#state = states.createState(this.name, this.input?.text);
    this.#form.onsubmit = () => {
      this.run();
      return false;
    };
    this.#form.oninput = ({ target }) => {
      // An editor reports its changes by `onText`.
      const isControl = target instanceof Element &&
        target.matches("input, select, textarea");
      if (isControl) this.#follow(/** @type {HTMLInputElement} */ (target));
    };
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
    example: ({ value }) => this.fill(value),
    useAsInput: () => this.#useAsInput(),
    collapse: () =>
      this.#view.output?.collapse(this.#state.shown?.outcome?.blocks),
    expand: () => this.#view.output?.expand(),
    copy: (button) => this.#copy(button),
    copyLink: (button) => this.#copyLink(button),
    download: (button) => this.#download(button),
    apiCall: () => {
      const isApiCallShown = !this.#state.isApiCallShown;
      storeSettings({ isApiCallShown });
      this.#update({ isApiCallShown });
    },
  };

  /** @param {Partial<ToolState>} changes */
  #update(changes) {
    this.#state = { ...this.#state, ...changes };
    this.#view.draw(this.#state);
  }

  /**
   * Applies a change of a control.
   * @param {HTMLInputElement} control
   */
  #follow(control) {
    const { name, type, value, files } = control;
    if (name === "lineEndings") {
      this.input?.fill(setLineEndings(this.input.text, value));
    } else if (name === "wrapLines") {
      storeSettings({ isWrapped: control.checked });
      applyWrapping();
    } else if (name === "copyAs") {
      const copyAs = { ...readSettings().copyAs, [this.name]: value };
      storeSettings({ copyAs });
      this.#update({ copyAs: value });
    } else if (type === "file") {
      this.handleFiles([...files ?? []]);
      control.value = "";
    } else if (name === "language") {
      storeSettings({ language: value });
      this.#update({ language: value });
    } else if (type === "textarea") {
      this.#update({ expected: value });
    } else {
      // A slider belongs to a number field.
      const { field = name } = control.dataset;
      const changed = type === "checkbox" ? String(control.checked) : value;
      const values = { [field]: changed };
      this.#change({ values: { ...this.#state.values, ...values } });
    }
  }

  /**
   * Handles a change of the text in the editor. Text replaces the file that was
   * the input.
   * @param {boolean} isTyped
   */
  #handleInput(isTyped) {
    const { length = 0 } = this.input ?? {};
    const changes = {
      isTextOutdated: true,
      ...(length > 0 ? { inputFile: undefined } : {}),
    };
    if (!isTyped || length <= MAX_IMMEDIATE) {
      this.#change(changes, isTyped);
      return;
    }
    // Reading long text after each key would be slow.
    this.#update({ ...changes, isTyped });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#change({}, isTyped), PAUSE_MS);
  }

  /**
   * Changes the input or an option, and computes the result unless it is known.
   * @param {Partial<ToolState>} changes
   * @param {boolean} isTyped
   */
  #change(changes, isTyped = true) {
    const { message } = this.#state;
    clearTimeout(this.#timer);
    this.#view.announce("");
    this.#update({
      ...changes,
      isTyped,
      text: this.input?.text,
      isTextOutdated: false,
      message: message.kind === "notice" ? states.NO_MESSAGE : message,
    });
    const isKnown = states.isLatest(this.#tool, this.#state) &&
      this.#state.newest?.outcome?.failure === undefined;
    if (!isKnown) this.run();
  }

  /** Computes the result instead of an earlier computation. */
  run() {
    clearTimeout(this.#timer);
    this.#abandon();
    this.#update({ text: this.input?.text, isTextOutdated: false });
    const newest = states.getInput(this.#tool, this.#state);
    this.#update({ newest });
    this.#page.onOptions(this);
    const outcome = getKnownOutcome(this.name, newest);
    if (outcome) this.#finish(outcome);
    else this.#compute(newest);
  }

  /** @param {CallInput} input */
  #compute(input) {
    this.#abandon = this.#computer.compute({
      job: { name: this.name, ...input },
      onProgress: (progress) =>
        this.#update({ newest: { ...input, progress } }),
      onReply: (reply) => {
        this.#finish(toOutcome(this.name, input.values, reply));
      },
    });
  }

  /**
   * Ends the newest computation. Without a new result, the previous one stays, but
   * a note such as “This is valid JSON.” is removed.
   * @param {Outcome} outcome
   */
  #finish(outcome) {
    this.#abandon = () => {};
    const { shown, newest, message, textFile } = this.#state;
    const input = newest ?? states.getInput(this.#tool, this.#state);
    const ended = { ...input, outcome };
    const previous = shown?.outcome?.note ? undefined : shown;
    const problem = outcome.error ?? outcome.failure;
    // Notices stay until the next change, unless there is a problem.
    const isNotice = message.kind === "notice" && problem === undefined;
    const described = describeOutcome(ended, this, textFile);
    this.#update({
      newest: ended,
      shown: outcome.result === undefined ? previous : ended,
      message: isNotice ? message : described,
    });
    if (isNotice) return;
    const part = outcome.result
      ? this.#view.output?.partDescription
      : undefined;
    this.#view.announce(described.text || outcome.spoken || part || "");
  }

  /** Cancels the newest computation. Returns whether one was in progress. */
  cancel() {
    if (!states.isWaiting(this.#state)) return false;
    this.#abandon();
    this.#finish({ failure: "The computation was canceled." });
    return true;
  }

  /**
   * @param {string} tool
   * @param {string} text Becomes the input of the tool.
   */
  openTool(tool, text) {
    this.#page.onOpen(tool, text);
  }

  /**
   * Makes text the input, and moves the focus to the input.
   * @param {string} text
   * @param {string} [action] The action to select, if any.
   */
  fill(text, action = this.#state.values.action) {
    const values = { ...this.#state.values, ...action && { action } };
    this.#update({ values });
    this.input?.fill(text);
    this.#change({});
    this.focus();
  }

  #clear() {
    this.#opened = [];
    this.#update({ textFile: undefined, inputFile: undefined });
    this.fill("");
    this.#page.onClear();
  }

  /**
   * Makes the result the input. In the tool Base64, also changes the action
   * from encoding to decoding, or from decoding to encoding.
   */
  #useAsInput() {
    const { values, outcome } = this.#state.shown ?? {};
    const action = values?.action === "encode" ? "decode" : "encode";
    const changes = this.name === "base64" ? { action } : {};
    this.#update({ values: { ...this.#state.values, ...changes } });
    this.input?.fill(outcome?.result ?? "");
  }

  /** @param {HTMLButtonElement} button See `copyFrom()`. */
  async #copy(button) {
    const { copyAs, shown } = this.#state;
    const { result = "", fullResult } = shown?.outcome ?? {};
    const { text } = formatList(result, copyAs);
    const problem = await copyFrom(this.#element, button, fullResult ?? text);
    if (problem) this.showMessage(problem, "notice");
  }

  /**
   * Downloads the result, or the body of the API call.
   * @param {HTMLButtonElement} button
   */
  #download(button) {
    const { copyAs, shown } = this.#state;
    const { outcome = {}, values = {} } = shown ?? {};
    const { result = "", bytes, fullResult } = outcome;
    if (button.closest(".api-call")) {
      const body = JSON.stringify(describeRequest(this.#tool, this.#state));
      download(body, "request.json");
    } else if (bytes) {
      download(bytes, `decoded.${findKind(bytes)?.extension ?? "bin"}`);
    } else {
      const { text } = formatList(result, copyAs);
      const isJson = this.name === "json" || copyAs === "json";
      const name = `${values.action ?? this.name}.${isJson ? "json" : "txt"}`;
      download(fullResult ?? text, name);
    }
  }

  /** The options of the form, as they are written in the URL. */
  get options() {
    const { values } = states.getInput(this.#tool, this.#state);
    return forms.formatOptions(this.#tool, values);
  }

  /**
   * Applies options from the URL or the settings, and reports the rejected ones.
   * @param {string} options
   * @param {string} [text] From a link, for the input.
   */
  show(options, text) {
    const { values, rejected } = forms.parseOptions(this.#tool, options);
    const { language, isApiCallShown } = readSettings();
    this.#change({
      values: { ...this.#state.values, ...values },
      language,
      isApiCallShown,
    });
    if (text !== undefined && !this.input) rejected.push("input");
    if (text !== undefined) this.input?.fill(text);
    if (rejected.length === 0) return;
    const part = quote(rejected.join("&"));
    const message = `The URL contains an invalid part: ${part}. ` +
      "The default is used instead.";
    this.showMessage(message, "notice");
  }

  /**
   * Copies a link to the tool with its options and the text of the input.
   * @param {HTMLButtonElement} button
   */
  async #copyLink(button) {
    const { text, inputFile } = this.#state;
    const input = inputFile ? undefined : text;
    const { fragment, message } = formatLink(this.name, this.options, input);
    const link = getBase() + fragment;
    const problem = await copyFrom(this.#element, button, link);
    if (problem || message) this.showMessage(problem || message, "notice");
  }

  /** Focuses the input or the button Regenerate. */
  focus() {
    if (this.#state.inputFile) find(this.#element, ".file").focus();
    else if (this.input) this.input.focus();
    else find(this.#element, "[name=regenerate]").focus();
  }

  /** Opens the search in the result. Returns whether the tool has one. */
  search() {
    this.#view.output?.search();
    return this.#view.output !== undefined;
  }

  /**
   * Shows and announces a message.
   * @param {string} text
   * @param {"error" | "hint" | "notice"} kind
   * @param {readonly MessageButton[]} buttons
   */
  showMessage(text, kind, buttons = []) {
    this.#update({ message: { text, kind, buttons } });
    this.#view.announce(text);
  }

  /** Whether the input can be any file, not only text. */
  get acceptsFiles() {
    return this.#tool.acceptsFiles?.(this.#state.values) ?? false;
  }

  /**
   * Makes the text of a file the input, or the file itself if the tool accepts it.
   * Otherwise shows a message.
   * @param {readonly File[]} files That were dropped, pasted or opened together.
   */
  async handleFiles(files) {
    const [file] = files;
    if (!file) return;
    if (!this.input) {
      this.showMessage("This tool doesn’t accept files.", "notice");
      return;
    }
    this.#opened = files;
    const { text: before } = this.input;
    const { text, file: input, problem } = await readFiles(
      files,
      this.acceptsFiles,
    );
    // Meanwhile, the text has changed, or another file was opened.
    if (this.input.text !== before || this.#opened !== files) return;
    if (text) this.#update({ textFile: { file, text } });
    if (text !== undefined) this.input.fill(text);
    if (input && this.acceptsFiles) {
      this.useFile(input);
    } else if (input && this.name === "base64") {
      const encode = () => this.useFile(input, { action: "encode" });
      this.showMessage(problem, "notice", [["Encode it", encode]]);
    } else if (problem) {
      this.showMessage(problem, "notice");
    }
  }

  /**
   * Makes a file the input instead of the text.
   * @param {File} inputFile
   * @param {Values} changes Of the values of the form.
   */
  useFile(inputFile, changes = {}) {
    const values = { ...this.#state.values, ...changes };
    this.#update({ inputFile, values });
    this.input?.fill("");
    this.focus();
    this.#change({}, false);
  }
}
