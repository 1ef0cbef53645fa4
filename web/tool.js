/// <reference path="./types.d.ts" />

/**
 * One tool on the page. A call carries the values that it was made from. What is
 * shown is always one call with its result, and `#refresh()` alone says whether
 * that is the answer to what is in the form now.
 *
 * @module
 */

import { InputBox, OutputBox } from "./boxes.js";
import { createCommand, createRequest, send } from "./call.js";
import {
  announce,
  find,
  fromTemplate,
  listControls,
  offer,
  readOptions,
  readText,
  setOptions,
  turn,
} from "./dom.js";
import { describeSize } from "./text.js";
import { interpret } from "./tools.js";

/** Pause after the last keystroke before a call, in milliseconds. */
const DEBOUNCE_MS = 150;

/** A call that takes longer is said to be waited for, in milliseconds. */
const SLOW_MS = 400;

/** How often, and after how many seconds at most, a busy service is asked again. */
const MAX_RETRIES = 3;
const MAX_RETRY_AFTER = 30;

export class Tool {
  #kind;
  #maxBodyBytes;
  #form;
  /** @type {InputBox | undefined} */
  #input;
  #message = find(fromTemplate("message"), "*");
  #action = find(this.#message, "button");
  #result = find(fromTemplate("result"), "*");
  #output = new OutputBox(this.#result);
  #command = find(fromTemplate("command"), "*");
  /** @type {Call | undefined} The newest call. */
  #latest;
  /** @type {Call & { outcome: Result } | undefined} The one that is shown. */
  #shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #isSlow = false;
  /** Called when an option may have changed. */
  onOptions = () => {};

  /** @param {HTMLElement} section @param {Kind} kind @param {number} maxBodyBytes */
  constructor(section, kind, maxBodyBytes) {
    this.section = section;
    this.name = section.id;
    this.#kind = kind;
    this.#maxBodyBytes = maxBodyBytes;
    this.#form = find(section, "form", HTMLFormElement);
    const panes = find(section, ".panes");
    if (kind.method === "POST") {
      const source = find(fromTemplate("source"), "*");
      panes.prepend(source);
      this.#input = new InputBox(source, this.name);
      this.#offerFiles(source, this.#input);
    }
    this.#message.id = `${this.name}-message`;
    find(panes, ".source, .card").append(this.#message);
    find(this.#result, ".box").after(...panes.querySelectorAll(".extra"));
    panes.append(this.#result);
    section.append(this.#command);
    this.#listen();
  }

  #listen() {
    this.#form.onsubmit = (event) => {
      event.preventDefault();
      this.#run();
    };
    this.#form.onkeydown = (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#run();
    };
    this.#form.oninput = () => {
      announce("");
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#runIfChanged(), DEBOUNCE_MS);
      this.#refresh();
    };
    this.#action.onclick = () => this.#act();
    const reuse = this.#form.querySelector(".reuse");
    reuse?.addEventListener("click", () => this.#reuse());
    const readResult = () => this.#shown?.outcome.result ?? "";
    offer(this.#result, readResult, { name: `${this.name}.txt` });
    offer(this.#command, () => find(this.#command, "pre").innerText, {
      name: "request.json",
      readFile: () => JSON.stringify(this.#toFields(this.#readValues())),
    });
  }

  /** @param {HTMLElement} source @param {InputBox} input */
  #offerFiles(source, input) {
    const chooser = find(source, "[type=file]", HTMLInputElement);
    find(source, ".open").onclick = () => chooser.click();
    chooser.onchange = () => {
      this.takeFiles([...chooser.files ?? []]);
      chooser.value = "";
    };
    find(source, ".clear").onclick = () => {
      input.fill("");
      this.#run();
    };
  }

  /** The options that are not the default ones, for the address. */
  get options() {
    const defaults = readOptions(this.#form, true);
    return Object.entries(readOptions(this.#form))
      .filter(([name, value]) => value !== defaults[name])
      .map(([name, value]) =>
        this.#form.querySelector(`[type=radio][value="${value}"]`)
          ? value
          : `${name}=${value}`
      );
  }

  /** Shows the tool with options; the first time, and when they are new, calls. @param {string[]} options */
  show(options) {
    const isNew = String(options) !== String(this.options);
    if (isNew) setOptions(this.#form, options);
    if (isNew || this.section.dataset.state === undefined) this.#run();
  }

  /** @returns {Values} */
  #readValues() {
    const options = readOptions(this.#form);
    return this.#input ? { input: this.#input.text, ...options } : options;
  }

  /** @param {Values} values @returns {Fields} */
  #toFields(values) {
    const { always = [], numbers = [] } = this.#kind;
    const defaults = readOptions(this.#form, true);
    const fields = Object.entries(values)
      .filter(([name, value]) =>
        value !== defaults[name] || always.includes(name)
      )
      .map((
        [name, value],
      ) => [name, numbers.includes(name) ? Number(value) : value]);
    return Object.fromEntries(fields);
  }

  #runIfChanged() {
    this.onOptions();
    const { outcome } = this.#latest ?? {};
    const isAnswered = outcome && !("failure" in outcome);
    if (!isAnswered || !this.#isLatest()) this.#run();
  }

  /** Makes a call and shows what comes of it, unless a newer one is made. */
  async #run(retries = 0) {
    this.#cancel();
    const values = this.#readValues();
    if (values.input === "" && !this.#kind.takesNothing) return this.#clear("");
    /** @type {Call} */
    const call = { values, stop: new AbortController() };
    this.#latest = call;
    const slow = setTimeout(() => {
      this.#isSlow = this.#latest === call;
      this.#refresh();
    }, SLOW_MS);
    const outcome = this.#check(values) ??
      await interpret(
        this.#kind,
        values,
        (changes) => this.#ask(call, changes),
      );
    clearTimeout(slow);
    if (this.#latest !== call) return;
    this.#isSlow = false;
    try {
      this.#settle(call, outcome, retries);
    } catch (error) {
      this.#say("This page has made a mistake. Please load it again.");
      throw error;
    }
  }

  /** @param {Call} call @param {Values} changes */
  #ask({ values, stop: { signal } }, changes) {
    const fields = this.#toFields({ ...values, ...changes });
    const request = createRequest(this.#kind, fields, document.baseURI);
    return send(request, { signal, maxBodyBytes: this.#maxBodyBytes });
  }

  /** What is seen to be wrong without a call. @param {Values} values */
  #check(values) {
    const control = listControls(this.#form).find(({ validity }) =>
      !validity.valid
    );
    if (!control) return this.#kind.check?.(values);
    const { name, min, max } = control;
    return {
      wrong: `Choose a whole number from ${min} to ${max}.`,
      controls: [name],
    };
  }

  /** Gives up the newest call and the next. */
  #cancel() {
    clearTimeout(this.#timer);
    this.#latest?.stop.abort();
    this.#latest = undefined;
    this.#isSlow = false;
    this.#refresh();
  }

  /** Shows nothing but a message. @param {string} message */
  #clear(message) {
    this.#cancel();
    this.#shown = undefined;
    this.#show({ result: "" });
    this.#markProblem();
    this.#say(message);
    this.#refresh();
  }

  /** @param {Call} call @param {Outcome} outcome @param {number} retries */
  #settle(call, outcome, retries) {
    call.outcome = outcome;
    this.#markProblem("wrong" in outcome ? outcome : undefined);
    if ("result" in outcome) {
      this.#say("");
      this.#shown = { ...call, outcome };
      this.#show(outcome);
      announce(outcome.spoken ?? "");
    } else if ("wrong" in outcome) {
      this.#say(outcome.wrong, outcome.offset === undefined ? "" : "Show");
    } else this.#fail(outcome, retries);
    this.#refresh();
  }

  /** @param {Failure} outcome @param {number} retries */
  #fail({ failure, isFinal, retryAfter: seconds = Infinity }, retries) {
    let message = failure;
    if (seconds <= MAX_RETRY_AFTER && retries < MAX_RETRIES) {
      this.#timer = setTimeout(() => this.#run(retries + 1), seconds * 1_000);
      message += ` Trying again in ${seconds} s.`;
    }
    this.#say(message, isFinal ? "" : "Try again");
  }

  /** Whether the newest call was made from what is in the form. */
  #isLatest() {
    const { values = {} } = this.#latest ?? {};
    const now = Object.entries(this.#readValues());
    return now.length === Object.keys(values).length &&
      now.every(([name, value]) => values[name] === value);
  }

  /** Marks what is not the answer to what is in the form. */
  #refresh() {
    for (const set of this.#form.querySelectorAll("fieldset")) {
      const { for: action } = set.dataset;
      set.disabled = action !== undefined &&
        !this.#form.querySelector(`[value=${action}]:checked`);
    }
    const { outcome } = this.#latest ?? {};
    const isLatest = this.#isLatest();
    const isProblem = outcome !== undefined && "wrong" in outcome;
    const isCurrent = isLatest && outcome !== undefined &&
      outcome === this.#shown?.outcome;
    const isStale = this.#shown !== undefined && !isCurrent;
    const { dataset } = this.section;
    dataset.state = isCurrent ? "current" : isStale ? "stale" : "empty";
    dataset.problem = isProblem && !isLatest ? "stale" : "";
    find(this.#result, ".badge").textContent = this.#isSlow
      ? "Waiting for the service…"
      : !isStale
      ? ""
      : isLatest && isProblem
      ? "Of the last valid input"
      : "Out of date";
    turn(this.#action, isLatest || !isProblem);
    for (
      const control of this.section.querySelectorAll("[data-needs-result]")
    ) {
      turn(control, isCurrent && this.#shown?.outcome.result !== "");
    }
    const values = this.#readValues();
    const fields = this.#toFields(values);
    const command = createCommand(this.#kind, fields, document.baseURI);
    find(this.#command, "pre").textContent = command.line;
    find(this.#command, ".download").hidden = !command.needsFile;
    for (const output of this.#form.querySelectorAll("output")) {
      output.value = values.length ?? "";
    }
    this.#compare(isCurrent);
  }

  /** @param {Result} outcome */
  #show({ result, isJson = false, note, bits, rating = "" }) {
    const isCut = this.#output.show(note ?? result, isJson);
    this.#result.classList.toggle("noted", note !== undefined);
    find(this.#result, ".copied").textContent = "";
    const { input } = this.#shown?.values ?? {};
    let sizes = "";
    if (input !== undefined && note === undefined) {
      sizes = `${describeSize(input)} → ${describeSize(result)}`;
      if (isCut) sizes += "; only the beginning is shown";
    }
    find(this.#result, ".sizes").textContent = sizes;
    if (bits === undefined) return;
    find(this.#result, "meter", HTMLMeterElement).value = bits;
    find(this.#result, ".rating").textContent = rating;
  }

  /** Says whether a digest is the expected one. @param {boolean} isCurrent */
  #compare(isCurrent) {
    const expected = this.#result.querySelector("input")?.value ?? "";
    if (this.name !== "hash") return;
    const digest = expected.replaceAll(/\s+/g, "").toLowerCase();
    const isEqual = digest === this.#shown?.outcome.result;
    const words = digest && isCurrent
      ? isEqual ? "✓ Equal" : "✗ Not equal"
      : "";
    const verdict = find(this.#result, ".verdict");
    if (verdict.textContent === words) return;
    verdict.textContent = words;
    verdict.classList.toggle("wrong", !isEqual);
    announce(words.slice(2));
  }

  /** @param {string} message @param {string} [action] What its button says. */
  #say(message, action = "") {
    find(this.#message, "span").textContent = message;
    announce(message);
    const hadFocus = this.#action === document.activeElement;
    this.#action.textContent = action;
    this.#action.hidden = !action;
    // It goes where work goes on.
    if (hadFocus && !action) {
      find(this.#form, "textarea, [type=submit]").focus();
    }
  }

  /** Does what the message's button says. */
  #act() {
    const { outcome } = this.#latest ?? {};
    if (outcome && "wrong" in outcome) this.#input?.select(outcome.offset ?? 0);
    else this.#run();
  }

  /** @param {Problem} [problem] */
  #markProblem(problem) {
    this.#input?.mark(problem?.offset);
    for (const control of this.#form.querySelectorAll("[name]")) {
      control.removeAttribute("aria-invalid");
      control.removeAttribute("aria-describedby");
      const name = control.getAttribute("name") ?? "";
      if (!problem?.controls.includes(name)) continue;
      control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", this.#message.id);
    }
  }

  /** Makes the result the input, to be decoded where it was encoded, and back. */
  #reuse() {
    if (!this.#shown) return;
    const { outcome: { result }, values: { action } } = this.#shown;
    const other = action === "encode" ? "decode" : "encode";
    const control = this.#form.querySelector(`[value=${other}]`);
    if (control instanceof HTMLInputElement) control.checked = true;
    const { activeElement: focused } = document;
    this.#input?.fill(result);
    if (focused instanceof HTMLElement) focused.focus();
    this.onOptions();
    this.#run();
  }

  /** Takes one file's text as the input, or says why not. @param {File[]} files */
  async takeFiles([file, ...others], isFolder = false) {
    if (!file || !this.#input) return;
    this.#cancel();
    /** @type {Call} It stands for the reading, which a newer one ends. */
    const call = { values: {}, stop: new AbortController() };
    this.#latest = call;
    let problem = isFolder ? "is a folder." : "";
    if (others.length > 0) {
      problem = "is not the only one. Please drop one file.";
    } else if (file.size > this.#maxBodyBytes) {
      problem = `is too large: it has ${
        describeSize(file.size)
      }; the service takes at most ${
        describeSize(this.#maxBodyBytes)
      } a request.`;
    }
    const text = problem ? undefined : await readText(file);
    if (this.#latest !== call) return;
    if (text === undefined) {
      problem ||= "is not UTF-8 text, or cannot be read.";
      return this.#clear(`“${file.name}” ${problem}`);
    }
    this.#input.fill(text);
    if (text || this.#kind.takesNothing) this.#run();
    else this.#clear(`“${file.name}” is empty.`);
  }
}
