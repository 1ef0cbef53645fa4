/**
 * One tool on the page. A call carries its values, and the result on the page is always that of one
 * call; `showState()` alone decides whether it is the answer to the form as it is now.
 */

import { createRequest, send } from "./call.js";
import { announce, find, readFile } from "./dom.js";
import { Editor } from "./editor.js";
import * as forms from "./form.js";
import { LINE_ENDS, setLineEnds } from "./text.js";
import { describeOutcome, interpret } from "./tools.js";
import * as views from "./views.js";

/** Pause after the last keystroke before a call, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Longest pause before a failed call is made again, in seconds. */
const MAX_RETRY_AFTER = 30;

export class Tool {
  #form;
  #defaults;
  #output;
  /** The newest call. @type {Call | undefined} */
  #latest;
  /** The call whose result is on the page. @type {Call | undefined} */
  #shown;
  #timer = /** @type {Timer} */ (undefined);
  #isTyped = true;
  /** Whether the message is not about the newest call. */
  #isNotice = false;
  /** Called when an option may have changed. */
  onOptions = () => {};

  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.name = section.id;
    this.#form = find(section, "form", HTMLFormElement);
    this.#defaults = forms.readOptions(this.#form);
    this.input = this.#createEditor(".source .editor");
    this.#output = this.#createEditor(".result .editor");
    this.#form.oninput = ({ target }) => this.#follow(target);
    section.onclick = ({ target }) => {
      const button = target instanceof Element && target.closest("button");
      if (button && button.ariaDisabled !== "true") this.#press(button);
    };
  }

  /** @param {string} selector */
  #createEditor(selector) {
    const host = this.section.querySelector(selector);
    if (!(host instanceof HTMLElement)) return;
    return new Editor(host, {
      tool: this.name,
      onChange: (isTyped, choice) => {
        const option = this.#form.querySelector(`[value="${choice}"]`);
        if (option instanceof HTMLInputElement) option.checked = true;
        this.#change(isTyped);
      },
      onCaret: (place, path) => views.write(this.section, { place, path }),
    });
  }

  /** Follows a control. @param {EventTarget | null} target */
  #follow(target) {
    if (target instanceof HTMLSelectElement && target.name === "ends") {
      const end = LINE_ENDS.get(target.value) ?? "\n";
      this.input?.fill(setLineEnds(this.input.text, end));
    } else if (target instanceof HTMLInputElement && target.files) {
      this.takeFiles([...target.files]);
      target.value = "";
    } else if (target instanceof HTMLInputElement && target.name) {
      this.#change(true);
    } else this.#refresh();
  }

  /** Does what a button names in its `data-act`. @param {HTMLButtonElement} button */
  #press(button) {
    const { dataset: { act }, value } = button;
    if (act === "open") find(this.#form, "[type=file]").click();
    if (act === "retry") this.run();
    if (act === "select") this.input?.select(Number(value));
    if (act === "fill") {
      this.input?.fill(value);
      this.focus();
    }
    if (act === "swap") this.#swap();
    if (act === "code") {
      button.ariaExpanded = String(button.ariaExpanded === "false");
    }
    if (act === "copy" || act === "save") this.#give(button);
  }

  /** Copies or saves the text beside a button, or the result. @param {HTMLButtonElement} button */
  #give(button) {
    const place = button.closest(".row, .digest, .command");
    const name = button.value || `${this.name}.txt`;
    const text = name === "request.json"
      ? JSON.stringify(forms.toFields(this.#readValues(), this.#defaults))
      : place?.querySelector("code, pre")?.textContent;
    const { result = "" } = this.#shown?.outcome ?? {};
    views.give(this.section, button, { text: text ?? result, name });
  }

  /** The options that are not the default ones, for the address. */
  get options() {
    const options = forms.readOptions(this.#form);
    return forms.writeOptions(options, this.#defaults);
  }

  /** Shows the tool with options; the first time, and when they are new, calls. @param {string} options */
  show(options) {
    const before = this.options;
    forms.setOptions(this.#form, options);
    if (before !== this.options || !this.#latest) this.run();
  }

  focus() {
    if (this.input) this.input.focus();
    else find(this.section, "[data-act=retry]").focus();
  }

  /** Makes the call again if the last one has failed. */
  recover() {
    if (this.#latest?.outcome?.failure) this.run();
  }

  /** @returns {Values} */
  #readValues() {
    const options = forms.readOptions(this.#form);
    return this.input ? { input: this.input.text, ...options } : options;
  }

  /** Follows a change of the form. @param {boolean} isTyped Whether more may follow at once. */
  #change(isTyped) {
    clearTimeout(this.#timer);
    announce("");
    if (this.#isNotice) this.say("");
    this.#isTyped = isTyped;
    forms.enableParts(this.#form);
    const ask = () => {
      if (this.#isLatest() && !this.#latest?.outcome?.failure) this.#refresh();
      else this.run();
      this.onOptions();
    };
    if (!isTyped) return ask();
    this.#timer = setTimeout(ask, DEBOUNCE_MS);
    this.#refresh();
  }

  /** Makes a call and shows its outcome, unless a newer one is made. */
  async run(retries = 0) {
    clearTimeout(this.#timer);
    this.#latest?.stop.abort();
    const values = this.#readValues();
    /** @type {Call} */
    const call = { values, stop: new AbortController() };
    this.#latest = call;
    const answered = this.#ask(call);
    this.#refresh();
    const outcome = await answered;
    if (this.#latest !== call) return;
    call.outcome = outcome;
    this.#settle(call, outcome, retries);
  }

  /** @param {Call} call @returns {Promise<Outcome>} */
  async #ask({ values, stop: { signal } }) {
    const { name } = this;
    if (values.input === "" && name !== "hash") return { result: "" };
    return await interpret(name, values, (changes) => {
      const fields = forms.toFields({ ...values, ...changes }, this.#defaults);
      const request = createRequest(`api/${name}`, fields, document.baseURI);
      return send(request, signal);
    });
  }

  /** @param {Call} call @param {Outcome} outcome @param {number} retries */
  #settle(call, outcome, retries) {
    const { result, wrong = "", spoken = "", offset, retryAfter } = outcome;
    if (result !== undefined) {
      this.#shown = call;
      this.#output?.fill(result);
      views.showResult(this.section, outcome, call.values.input);
    }
    this.input?.mark(offset, { wrong, isScrolled: !this.#isTyped });
    let { words, buttons } = describeOutcome(this.name, call.values, outcome);
    if (retryAfter !== undefined) {
      const seconds = Math.min(retryAfter * 2 ** retries, MAX_RETRY_AFTER);
      this.#timer = setTimeout(() => this.run(retries + 1), seconds * 1_000);
      words += ` Trying again in ${seconds} s.`;
    }
    if (result === undefined || !this.#isNotice) {
      const kind = result === undefined ? "wrong" : "hint";
      this.say(words, { buttons, kind });
      if (!words) announce(spoken);
    }
    this.#refresh();
  }

  /** Writes the message; a button of the old one keeps no focus. @param {string} words @param {MessageOptions} [options] */
  say(words, options) {
    const message = find(this.section, ".message");
    if (message.contains(document.activeElement)) this.focus();
    views.say(message, words, options);
    this.#isNotice = options?.kind === "notice";
  }

  /** Whether the newest call has the values of the form. */
  #isLatest() {
    const values = Object.entries(this.#readValues());
    return values.every(([name, value]) =>
      this.#latest?.values[name] === value
    );
  }

  /** Shows whether the result is the answer to the form as it is now, and the call that this describes. */
  #refresh() {
    views.showState(this.section, {
      isLatest: this.#isLatest(),
      latest: this.#latest,
      shown: this.#shown?.outcome,
      fields: forms.toFields(this.#readValues(), this.#defaults),
    });
  }

  /** Makes the result the input, to be decoded where it was encoded, and back. */
  #swap() {
    const { outcome, values } = this.#shown ?? {};
    const from = values?.action ?? "";
    const to = from === "encode" ? "decode" : "encode";
    const choice = this.name === "base64" ? { from, to } : undefined;
    this.input?.fill(outcome?.result ?? "", choice);
  }

  /** Makes the text of a file the input, or says why not. @param {File[]} files */
  async takeFiles(files) {
    const before = this.input?.text;
    const { text, problem } = this.input
      ? await readFile(files)
      : { problem: "cannot be used here: this tool has no input." };
    if (!files[0] || this.input?.text !== before) return;
    if (text !== undefined) this.input?.fill(text);
    if (problem) this.say(`“${files[0].name}” ${problem}`, { kind: "notice" });
  }
}
