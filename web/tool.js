/**
 * One tool on the page: connects its form, its editors and its calls of the service. Each call keeps the values of the
 * form from its start. When the form has other values, the result is marked as outdated.
 */

import { Calls } from "./calls.js";
import { announce, find, readFile } from "./dom.js";
import { Editor } from "./editor.js";
import * as forms from "./form.js";
import { Result } from "./result.js";
import { LINE_ENDS, setLineEnds } from "./text.js";
import { describeOutcome, TOOLS } from "./tools.js";
import * as views from "./views.js";

/** Pause between the last keystroke and the call of the service, in milliseconds. */
const DEBOUNCE_MS = 150;

export class Tool {
  #form;
  #defaults;
  result;
  calls;
  #options = "";
  #isTyped = true;
  /** Whether the message that is shown is a notice, such as that a file cannot be read. Unlike other messages, a notice stays when a call succeeds. */
  #isNotice = false;
  /** Called after a change of the form, so that the options in the page's URL can be updated. */
  onOptions = () => {};
  /** Called to open a text in another tool, with the name of that tool and the text. */
  onHandOver = (/** @type {string} */ _tool, /** @type {string} */ _text) => {};
  /** Called when Escape is pressed in an editor of this tool. */
  onLeave = () => {};

  /** Creates the tool for its element in the page. @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.name = section.id;
    this.#form = find(section, "form", HTMLFormElement);
    this.#defaults = forms.readOptions(this.#form);
    this.input = this.#createEditor(".source .editor");
    this.result = new Result(section, this.#createEditor(".result .editor"));
    this.calls = new Calls({
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
    forms.refuseLetters(this.#form);
    this.#form.oninput = ({ target }) => this.#follow(target);
    section.onclick = ({ target }) => {
      const button = target instanceof Element && target.closest("button");
      if (button && button.ariaDisabled !== "true") this.#press(button);
    };
  }

  /** Creates an editor in the element that matches a selector, if the tool has that element. @param {string} selector */
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

  /** Applies a change that the user has made to a control or an editor. @param {EventTarget | null} target */
  #follow(target) {
    const control = /** @type {HTMLInputElement} */ (target);
    const { name, type, value } = control;
    if (name === "ends") {
      const end = LINE_ENDS.get(value) ?? "\n";
      this.input?.fill(setLineEnds(this.input.text, end));
    } else if (name === "form") this.result.showForm();
    else if (type === "file") {
      this.takeFiles([...control.files ?? []]);
      control.value = "";
    } else if (type === "range") {
      find(this.#form, "[name=length]", HTMLInputElement).value = value;
      this.#change(true);
    } else if (control.matches("input")) this.#change(true);
    else this.#refresh();
  }

  /** Runs the action that the attribute `data-act` of a button names. @param {HTMLButtonElement} button */
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
    if (act === "fold" || act === "unfold") this.result.fold(act === "fold");
    if (act === "swap") this.#swap();
    if (act === "code") views.toggleCode(this.section, button);
    if (act === "copy" || act === "save") {
      this.result.give(button, this.#describe());
    }
  }

  /** The options that differ from their defaults, as in the page's URL, such as `decode` or `length=24`. While the form is invalid, its last valid options. */
  get options() {
    if (forms.isValid(this.#form)) {
      const options = forms.readOptions(this.#form);
      this.#options = forms.writeOptions(options, this.#defaults);
    }
    return this.#options;
  }

  /** Sets the form to the given options and shows a message about invalid ones. Starts a call, unless the newest call had the same values. @param {string} options As in the page's URL. */
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

  focus() {
    if (this.input) this.input.focus();
    else find(this.section, "[data-act=retry]").focus();
  }

  /** Returns the current options and the text of the input, if the tool has one. @returns {Values} */
  #readValues() {
    const options = forms.readOptions(this.#form);
    return this.input ? { input: this.input.text, ...options } : options;
  }

  /** Handles a change of the form or the input: starts a call, after a typed change only when typing has paused. @param {boolean} isTyped */
  #change(isTyped) {
    this.#announce("");
    if (this.#isNotice) this.say("");
    this.#isTyped = isTyped;
    forms.enableParts(this.#form);
    const ask = () => {
      const { outcome } = this.calls.latest ?? {};
      if (this.#isLatest() && !outcome?.failure) this.#refresh();
      else this.run();
      this.onOptions();
    };
    if (!isTyped) return ask();
    this.calls.postpone(ask, DEBOUNCE_MS);
    this.#refresh();
  }

  /** Starts a call with the current values of the form. */
  run() {
    this.calls.make(this.#readValues());
  }

  /** Shows the outcome of a call. @param {Call} call @param {Outcome} outcome */
  #settle(call, outcome) {
    const { result, wrong = "", spoken = "", offset } = outcome;
    if (result !== undefined) this.result.show(call, outcome);
    this.input?.mark(offset, { wrong, isScrolled: !this.#isTyped });
    const { words, buttons } = describeOutcome(this.name, call.values, outcome);
    if (result === undefined || !this.#isNotice) {
      const kind = result === undefined ? "wrong" : "hint";
      this.say(words, { buttons, kind });
      if (!words) this.#announce(spoken);
    }
    this.#refresh();
  }

  /** Announces a message to screen readers, if this tool is shown. @param {string} words */
  #announce(words) {
    if (!this.section.hidden) announce(words);
  }

  /** Shows a message instead of the previous one. If a button of the previous message has the focus, the focus moves to the input. @param {string} words @param {MessageOptions} [options] */
  say(words, options) {
    const message = find(this.section, ".message");
    if (message.contains(document.activeElement)) this.focus();
    views.say(this.section, words, options);
    this.#announce(words);
    this.#isNotice = options?.kind === "notice";
  }

  /** Returns whether the newest call was made with the current values of the form. */
  #isLatest() {
    const values = Object.entries(this.#readValues());
    return values.every(([name, value]) =>
      this.calls.latest?.values[name] === value
    );
  }

  /** Returns the fields of the request in the example code. */
  #describe() {
    const values = this.#readValues();
    const changes = TOOLS[this.name]?.describe?.(values);
    return forms.toFields({ ...values, ...changes }, this.#defaults);
  }

  /** Updates the parts of the page that depend on the values of the form, such as the example code and the label of an outdated result. */
  #refresh() {
    views.showState(this.section, {
      isLatest: this.#isLatest(),
      latest: this.calls.latest,
      shown: this.result.outcome,
      input: this.input?.text,
      fields: this.#describe(),
    });
  }

  /** Uses the result as the new input. The Base64 tool also switches between encoding and decoding. */
  #swap() {
    const { call, outcome } = this.result;
    const from = call?.values.action ?? "";
    const to = from === "encode" ? "decode" : "encode";
    const choice = this.name === "base64" ? { from, to } : undefined;
    this.input?.fill(outcome.result ?? "", choice);
  }

  /** Uses the text of a file as the new input. Shows a message if this is not possible, for example with several files. @param {File[]} files */
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
