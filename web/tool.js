/// <reference path="./types.d.ts" />

/**
 * One tool on the page. A call carries its values, and the result on the page is
 * always that of one call; `#refresh()` alone decides whether it is the answer
 * to the form as it is now.
 *
 * @module
 */

import { createRequest, send } from "./call.js";
import {
  announce,
  find,
  fromTemplate,
  offerCopy,
  offerDownload,
  readFile,
  turn,
} from "./dom.js";
import { Editor } from "./editor.js";
import { Foot } from "./foot.js";
import {
  enableSets,
  findInvalid,
  markControls,
  readOptions,
  setOptions,
  toFields,
  writeOptions,
} from "./form.js";
import { Message } from "./message.js";
import { suggest } from "./suggest.js";
import { describeSize, setLineEnds } from "./text.js";
import { interpret } from "./tools.js";
import { DigestView, LineView, TextView } from "./views.js";

/** Pause after the last keystroke before a call, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Pause before a result looks out of date, so that it does not flicker, in milliseconds. */
const LATE_MS = 400;

/** Longest pause before a failed call is made again, in seconds. */
const MAX_RETRY_AFTER = 30;

export class Tool {
  #kind;
  #maxBodyBytes;
  #form;
  /** @type {Editor | undefined} */
  #input;
  /** @type {TextView | LineView | DigestView} */
  #view;
  #message;
  #foot = new Foot({
    onLanguage: () => this.#refresh(),
    onLineEnds: (end) => this.#input?.fill(setLineEnds(this.#input.text, end)),
    readBody: () => JSON.stringify(this.#toFields(this.#readValues())),
  });
  /** @type {Call | undefined} The newest call. */
  #latest;
  /** @type {Call & { outcome: Result } | undefined} The call whose result is on the page. */
  #shown;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #lateTimer;
  #isLate = false;
  #isTyped = true;
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
    const { requests, method } = kind;
    if (method === "POST") {
      panes.prepend(fromTemplate("source"));
      find(section, ".bar").append(fromTemplate("buttons"));
    } else panes.prepend(fromTemplate("hero"));
    if (requests) find(section, ".copy.primary").remove();
    else if (method === "POST") panes.append(fromTemplate("result"));
    this.#form.append(this.#foot.element);
    const pane = find(section, ".result");
    const isJson = this.name === "json";
    this.#view = requests
      ? new DigestView(pane, { requests, report: this.#foot.report })
      : method === "GET"
      ? new LineView(pane, this.#foot.report)
      : new TextView(pane, { name: this.name, isJson });
    const message = find(section, ".message");
    message.id = `${this.name}-message`;
    this.#message = new Message(message, () => {
      if (this.#input) this.focus();
      else find(this.#form, "[type=submit]").focus();
    });
    if (method === "POST") {
      this.#input = new Editor(find(section, ".source .editor"), {
        id: `${this.name}-input`,
        label: "Input",
        isJson,
        isInput: true,
        hint: "Type, paste or drop a text file",
        onChange: (isTyped) => this.#change(isTyped),
        onChoice: (value) => {
          const selector = `[value="${value}"]`;
          find(this.#form, selector, HTMLInputElement).checked = true;
        },
        onCaret: (caret) => this.#foot.showCaret(caret),
      });
      this.#listenToInput(this.#input);
    }
    this.#listen();
  }

  #listen() {
    this.#form.onsubmit = (event) => {
      event.preventDefault();
      this.run();
    };
    this.#form.oninput = ({ target }) => {
      if (target instanceof HTMLInputElement && target.name) this.#change(true);
    };
    const { report } = this.#foot;
    const read = () => this.#shown?.outcome.result ?? "";
    const copy = this.section.querySelector(".copy.primary");
    if (copy instanceof HTMLElement) offerCopy(copy, read, report);
    const { file: name = `${this.name}.txt` } = this.#kind;
    offerDownload(find(this.section, ".download"), { name, read, report });
  }

  /** @param {Editor} input */
  #listenToInput(input) {
    const { section } = this;
    const chooser = find(section, "[type=file]", HTMLInputElement);
    find(section, ".open").onclick = () => chooser.click();
    chooser.onchange = () => {
      this.takeFiles([...chooser.files ?? []]);
      chooser.value = "";
    };
    find(section, ".clear").onclick = () => {
      input.fill("");
      input.focus();
    };
    const reuse = find(section, ".reuse");
    const { reuse: label, preview } = this.#kind;
    reuse.hidden = find(section, ".download").hidden = !label;
    find(reuse, ".name").firstChild?.replaceWith(label ?? "");
    reuse.onclick = () => this.#reuse();
    if (!preview) return;
    find(section, ".example").onclick = () => {
      input.fill(preview(this.#readValues()).example);
      input.focus();
    };
  }

  /** The options that are not the default ones, for the address. */
  get options() {
    return writeOptions(this.#form);
  }

  /** Shows the tool with options; the first time, and when they are new, calls. @param {string} options */
  show(options) {
    const before = this.options;
    setOptions(this.#form, options);
    if (before !== this.options || this.section.dataset.state === undefined) {
      this.run();
    }
  }

  focus() {
    this.#input?.focus();
  }

  /** @param {string} text */
  paste(text) {
    this.#input?.paste(text);
  }

  /** Makes the call again if the last one has failed. */
  recover() {
    const { outcome } = this.#latest ?? {};
    if (outcome && "failure" in outcome && !outcome.isFinal) this.run();
  }

  /** @returns {Values} */
  #readValues() {
    const options = readOptions(this.#form);
    return this.#input ? { input: this.#input.text, ...options } : options;
  }

  /** @param {Values} values @returns {Fields} */
  #toFields(values) {
    return toFields(this.#form, this.#kind, values);
  }

  /** Follows a change of the form. @param {boolean} isTyped Whether more may follow at once. */
  #change(isTyped) {
    announce("");
    clearTimeout(this.#timer);
    this.#isTyped = isTyped;
    if (this.#message.isNotice) this.#message.say("");
    const follow = () => {
      this.onOptions();
      const { outcome } = this.#latest ?? {};
      const isAnswered = outcome && !("failure" in outcome);
      if (!isAnswered || !this.#isLatest()) this.run();
    };
    if (isTyped) this.#timer = setTimeout(follow, DEBOUNCE_MS);
    this.#refresh();
    if (!isTyped) follow();
  }

  /** Makes a call and shows its outcome, unless a newer one is made. */
  async run(retries = 0) {
    clearTimeout(this.#timer);
    this.#latest?.stop.abort();
    const values = this.#readValues();
    if (values.input === "" && !this.#kind.takesNothing) return this.#clear();
    /** @type {Call} */
    const call = { values, stop: new AbortController() };
    this.#latest = call;
    this.#refresh();
    const outcome = findInvalid(this.#form) ??
      this.#kind.check?.(values) ??
      await interpret(
        this.#kind,
        values,
        (changes) => this.#ask(call, changes),
      );
    if (this.#latest !== call) return;
    try {
      this.#settle(call, outcome, retries);
    } catch (error) {
      this.#message.say("This page has made a mistake. Please load it again.");
      throw error;
    }
  }

  /** @param {Call} call @param {Values} changes */
  #ask({ values, stop: { signal } }, changes) {
    const fields = this.#toFields({ ...values, ...changes });
    const request = createRequest(this.#kind, fields, document.baseURI);
    return send(request, { signal, maxBodyBytes: this.#maxBodyBytes });
  }

  #clear() {
    this.#latest = this.#shown = undefined;
    this.#view.show({ result: "" });
    this.#foot.showSizes("");
    this.#markProblem();
    this.#message.say("");
    this.#refresh();
  }

  /** @param {Call} call @param {Outcome} outcome @param {number} retries */
  #settle(call, outcome, retries) {
    call.outcome = outcome;
    const isWrong = "wrong" in outcome;
    this.#markProblem(isWrong ? outcome : undefined);
    const suggestions = suggest(this.name, call.values, isWrong);
    const actions = suggestions.map(({ label, text }) => ({
      label,
      act: () => this.#input?.fill(text),
    }));
    const words = suggestions.map(({ says }) => says);
    if ("result" in outcome) {
      this.#shown = { ...call, outcome };
      this.#show(this.#shown);
      if (!this.#message.isNotice) {
        this.#message.say(words.join(" "), { actions, kind: "hint" });
      }
      if (words.length === 0) announce(outcome.spoken ?? "");
    } else if (isWrong) {
      const { wrong, offset } = outcome;
      if (offset !== undefined) {
        actions.push({ label: "Show", act: () => this.#input?.select(offset) });
      }
      const end = words.length > 0 && !wrong.endsWith(".") ? "." : "";
      this.#message.say([wrong + end, ...words].join(" "), { actions });
    } else this.#fail(outcome, retries);
    this.#refresh();
  }

  /** @param {Failure} outcome @param {number} retries */
  #fail({ failure, isFinal, retryAfter }, retries) {
    const actions = isFinal
      ? []
      : [{ label: "Try again", act: () => this.run() }];
    if (retryAfter === undefined) {
      return this.#message.say(failure, { actions });
    }
    const seconds = Math.min(retryAfter * 2 ** retries, MAX_RETRY_AFTER);
    this.#timer = setTimeout(() => this.run(retries + 1), seconds * 1_000);
    this.#message.say(`${failure} Trying again in ${seconds} s.`, { actions });
  }

  /** @param {Call & { outcome: Result }} call */
  #show({ values: { input }, outcome }) {
    this.#view.show(outcome);
    for (const label of this.section.querySelectorAll(".copy .label")) {
      label.textContent = "Copy";
    }
    this.#foot.report("");
    if (input === undefined) return;
    const { result, note } = outcome;
    const hasSize = this.#kind.reuse && note === undefined;
    const more = hasSize ? ` → ${describeSize(result)}` : "";
    this.#foot.showSizes(describeSize(input) + more);
  }

  /** Whether the newest call has the values of the form. */
  #isLatest() {
    const { values = {} } = this.#latest ?? {};
    const now = Object.entries(this.#readValues());
    return now.length === Object.keys(values).length &&
      now.every(([name, value]) => values[name] === value);
  }

  /** Marks a result that is not the answer to the form as it is now. */
  #refresh() {
    enableSets(this.#form);
    const { outcome } = this.#latest ?? {};
    const isLatest = this.#isLatest();
    const isProblem = outcome !== undefined && "wrong" in outcome;
    const isCurrent = isLatest && outcome !== undefined &&
      outcome === this.#shown?.outcome;
    const isStale = this.#shown !== undefined && !isCurrent;
    const isWaiting = this.#latest !== undefined && !outcome;
    this.#watch(isStale || isWaiting);
    const { dataset } = this.section;
    dataset.state = isCurrent ? "current" : isStale ? "stale" : "empty";
    if (this.#isLate || !isStale) dataset.look = dataset.state;
    dataset.problem = isProblem && !isLatest && this.#isLate ? "stale" : "";
    find(this.section, ".result .badge").textContent = !this.#isLate
      ? ""
      : isWaiting
      ? "Waiting for the service…"
      : isLatest && isProblem
      ? "Of the last valid input"
      : "Out of date";
    this.#message.turn(isLatest || !isProblem);
    for (
      const control of this.section.querySelectorAll("[data-needs-result]")
    ) {
      turn(control, isCurrent && this.#shown?.outcome.result !== "");
    }
    this.#describeForm();
    if (this.#view instanceof DigestView) this.#view.refresh(isCurrent);
  }

  /** Shows after a pause that the result is out of date. @param {boolean} isChanging */
  #watch(isChanging) {
    if (isChanging) {
      this.#lateTimer ??= setTimeout(() => {
        this.#isLate = true;
        this.#refresh();
      }, LATE_MS);
    } else {
      clearTimeout(this.#lateTimer);
      this.#lateTimer = undefined;
      this.#isLate = false;
    }
  }

  /** Writes all else that follows from the form. */
  #describeForm() {
    const values = this.#readValues();
    const { input = "", length = "" } = values;
    this.#foot.describe(this.#kind, this.#toFields(values), input);
    for (const output of this.#form.querySelectorAll("output")) {
      output.value = length;
    }
    const { preview } = this.#kind;
    if (!preview) return;
    find(this.section, ".empty p").textContent = preview(values).promise;
  }

  /** @param {Problem} [problem] */
  #markProblem(
    { wrong = "", controls = [], offset } = { wrong: "", controls: [] },
  ) {
    const isInput = controls.includes("input");
    this.#input?.mark(offset, {
      description: isInput ? wrong : "",
      isScrolled: !this.#isTyped,
    });
    markControls(this.#form, controls, `${this.name}-message`);
  }

  /** Makes the result the input, to be decoded where it was encoded, and back. */
  #reuse() {
    if (!this.#shown) return;
    const { outcome: { result }, values: { action: from = "" } } = this.#shown;
    const to = from === "encode" ? "decode" : "encode";
    const choice = this.name === "base64" ? { from, to } : undefined;
    this.#input?.fill(result, { choice });
  }

  /** Makes the text of a file the input, or says why not. @param {File[]} files */
  async takeFiles(files, isFolder = false) {
    const [file] = files;
    if (!file) return;
    const before = this.#input?.text;
    const { text = "", problem } = this.#input
      ? await readFile(files, { isFolder, maxBytes: this.#maxBodyBytes })
      : { problem: "cannot be used here: this tool has no input." };
    if (this.#input?.text !== before) return;
    if (!problem) this.#input?.fill(text);
    const words = problem ?? (text === "" ? "is empty." : "");
    if (words) this.#message.say(`“${file.name}” ${words}`, { isNotice: true });
  }
}
