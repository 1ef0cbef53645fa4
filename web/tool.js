/**
 * One tool on the page. A call carries its values, and the result on the page is always that of one
 * call; `showState()` alone decides whether it is the answer to the form as it is now.
 */

import { Calls } from "./calls.js";
import { announce, find, readFile, save } from "./dom.js";
import { Editor } from "./editor.js";
import * as forms from "./form.js";
import { LINE_ENDS, setLineEnds } from "./text.js";
import { describeOutcome, TOOLS } from "./tools.js";
import * as views from "./views.js";

/** Pause after the last keystroke before a call, in milliseconds. */
const DEBOUNCE_MS = 150;

export class Tool {
  #form;
  #defaults;
  #output;
  #calls;
  /** The call whose result is on the page. @type {Call | undefined} */
  #shown;
  #options = "";
  #isTyped = true;
  /** Whether the message is not about the newest call. */
  #isNotice = false;
  /** Called when an option may have changed. */
  onOptions = () => {};
  /** Called to make a text the input of another tool. */
  onHandOver = (/** @type {string} */ _tool, /** @type {string} */ _text) => {};
  /** Called when Escape is pressed in an editor. */
  onLeave = () => {};

  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.name = section.id;
    this.#form = find(section, "form", HTMLFormElement);
    this.#defaults = forms.readOptions(this.#form);
    this.input = this.#createEditor(".source .editor");
    this.#output = this.#createEditor(".result .editor");
    this.#calls = new Calls({
      name: this.name,
      defaults: this.#defaults,
      onStart: () => this.#refresh(),
      onProgress: (share) => views.showProgress(section, share),
      onOutcome: (call, outcome) => this.#settle(call, outcome),
    });
    this.#form.onsubmit = () => {
      this.run();
      return false;
    };
    // Firefox takes letters into a number, which then has no value.
    this.#form.addEventListener("beforeinput", (event) => {
      const { target, data } = event;
      const isNumber = target instanceof HTMLInputElement &&
        target.type === "number";
      if (isNumber && /\D/.test(data ?? "")) event.preventDefault();
    });
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
      onLeave: () => {
        this.onLeave();
        return true;
      },
      onCaret: (place, path) => views.write(this.section, { place, path }),
    });
  }

  /** Follows a control. @param {EventTarget | null} target */
  #follow(target) {
    if (target instanceof HTMLSelectElement && target.name === "ends") {
      const end = LINE_ENDS.get(target.value) ?? "\n";
      this.input?.fill(setLineEnds(this.input.text, end));
    } else if (target instanceof HTMLSelectElement && target.name === "form") {
      const { outcome } = this.#shown ?? {};
      if (outcome) views.showResult(this.section, outcome);
    } else if (target instanceof HTMLInputElement && target.files) {
      this.takeFiles([...target.files]);
      target.value = "";
    } else if (target instanceof HTMLInputElement && target.type === "range") {
      find(this.#form, "[name=length]", HTMLInputElement).value = target.value;
      this.#change(true);
    } else if (target instanceof HTMLInputElement && target.name) {
      this.#change(true);
    } else this.#refresh();
  }

  /** Does what a button names in its `data-act`. @param {HTMLButtonElement} button */
  #press(button) {
    const { dataset: { act, to }, value } = button;
    if (act === "open") find(this.#form, "[type=file]").click();
    if (act === "retry") this.run();
    if (act === "select") this.input?.select(Number(value));
    if (act === "fill" && to && to in TOOLS) this.onHandOver(to, value);
    else if (act === "fill") {
      const choice = to ? { from: this.#readValues().action ?? "", to } : null;
      this.input?.fill(value, choice ?? undefined);
      this.focus();
    }
    if (act === "fold" || act === "unfold") this.#output?.fold(act === "fold");
    if (act === "swap") this.#swap();
    if (act === "code") {
      button.ariaExpanded = String(button.ariaExpanded === "false");
    }
    if (act === "copy" || act === "save") this.#give(button);
  }

  /** Copies or saves the text beside a button, or the result. @param {HTMLButtonElement} button */
  #give(button) {
    const place = button.closest(".row, .digest, .command");
    const { result = "", bytes, kind } = this.#shown?.outcome ?? {};
    if (bytes && button.dataset.act === "save" && !button.value) {
      return save(bytes, `decoded.${kind?.end}`);
    }
    const name = button.value || `${this.name}.txt`;
    const text = name === "request.json"
      ? JSON.stringify(this.#describe())
      : place?.querySelector("code, pre")?.textContent;
    const whole = views.readForm(this.section, result).text;
    views.give(this.section, button, { text: text ?? whole, name });
  }

  /** The options that are not the default ones, for the address: the last valid ones. */
  get options() {
    if (forms.isValid(this.#form)) {
      const options = forms.readOptions(this.#form);
      this.#options = forms.writeOptions(options, this.#defaults);
    }
    return this.#options;
  }

  /** Shows the tool with options, says which ones are not valid, and calls if they are new. @param {string} options */
  show(options) {
    const refused = forms.setOptions(this.#form, options);
    if (refused.length > 0) {
      const words = refused.map((option) => `“${option}”`).join(", ");
      this.say(
        `Not valid in the address: ${words}. The default is used instead.`,
        { kind: "notice" },
      );
    }
    if (!this.#isLatest()) this.run();
  }

  /** Opens the search in the result; returns whether there is one. */
  search() {
    this.#output?.search();
    return this.#output !== undefined;
  }

  focus() {
    if (this.input) this.input.focus();
    else find(this.section, "[data-act=retry]").focus();
  }

  cancel() {
    return this.#calls.cancel();
  }

  recover() {
    this.#calls.recover();
  }

  /** @returns {Values} */
  #readValues() {
    const options = forms.readOptions(this.#form);
    return this.input ? { input: this.input.text, ...options } : options;
  }

  /** Follows a change of the form. @param {boolean} isTyped Whether more may follow at once. */
  #change(isTyped) {
    this.#announce("");
    if (this.#isNotice) this.say("");
    this.#isTyped = isTyped;
    forms.enableParts(this.#form);
    const ask = () => {
      const { outcome } = this.#calls.latest ?? {};
      if (this.#isLatest() && !outcome?.failure) this.#refresh();
      else this.run();
      this.onOptions();
    };
    if (!isTyped) return ask();
    this.#calls.postpone(ask, DEBOUNCE_MS);
    this.#refresh();
  }

  /** Makes a call of the form as it is now. */
  run() {
    this.#calls.make(this.#readValues());
  }

  /** Shows an outcome. @param {Call} call @param {Outcome} outcome */
  #settle(call, outcome) {
    const { result, wrong = "", spoken = "", offset } = outcome;
    if (result !== undefined) {
      this.#shown = call;
      this.#output?.fill(result);
      views.showResult(this.section, outcome, call.values.input);
    }
    this.input?.mark(offset, { wrong, isScrolled: !this.#isTyped });
    const { words, buttons } = describeOutcome(this.name, call.values, outcome);
    if (result === undefined || !this.#isNotice) {
      const kind = result === undefined ? "wrong" : "hint";
      this.say(words, { buttons, kind });
      if (!words) this.#announce(spoken);
    }
    this.#refresh();
  }

  /** Announces a message of this tool while it is shown. @param {string} words */
  #announce(words) {
    if (!this.section.hidden) announce(words);
  }

  /** Writes the message; a button of the old one keeps no focus. @param {string} words @param {MessageOptions} [options] */
  say(words, options) {
    const message = find(this.section, ".message");
    if (message.contains(document.activeElement)) this.focus();
    views.say(this.section, words, options);
    this.#announce(words);
    this.#isNotice = options?.kind === "notice";
  }

  /** Whether the newest call has the values of the form. */
  #isLatest() {
    const values = Object.entries(this.#readValues());
    return values.every(([name, value]) =>
      this.#calls.latest?.values[name] === value
    );
  }

  /** The fields of the call that the code shows. */
  #describe() {
    const values = this.#readValues();
    const changes = TOOLS[this.name]?.describe?.(values);
    return forms.toFields({ ...values, ...changes }, this.#defaults);
  }

  /** Shows whether the result is the answer to the form as it is now, and the call that this describes. */
  #refresh() {
    views.showState(this.section, {
      isLatest: this.#isLatest(),
      latest: this.#calls.latest,
      shown: this.#shown?.outcome,
      input: this.input?.text,
      fields: this.#describe(),
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
