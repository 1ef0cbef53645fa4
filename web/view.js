/**
 * Draws a tool from its state. After start.js, only this module changes the
 * elements of a tool, except for “Copied” on a button.
 * @module
 */

import { createCode, toFields } from "./code.js";
import { Editor } from "./editor.js";
import { announce, create, find, setText } from "./elements.js";
import * as forms from "./form.js";
import { getBase } from "./links.js";
import { showFile, showNotation, showResult, showVerdict } from "./result.js";
import { getInput, isCurrent, isLatest, isWaiting } from "./state.js";
import { parseToken } from "./suggestions.js";
import { describeSize } from "./text.js";
import { TOOLS } from "./tools.js";

/** Selector of the buttons that need text as the result of the current input. */
const RESULT_BUTTONS = "button:is([name=copy], [name=useAsInput])" +
  ":not(.api-call *)";

/** Selector of the buttons Collapse and Expand. See `findBlocks()`. */
const BLOCK_BUTTONS = "button:is([name=collapse], [name=expand])";

/** Selector of the button that downloads the result, text or bytes. */
const DOWNLOAD_BUTTON = "button[name=download]:not(.api-call *)";

export class View {
  #section;
  #form;
  #tool;
  #focus;
  #drawn = /** @type {ToolState | undefined} */ (undefined);
  /** The editor of the input; undefined for a tool without one. */
  input;
  /** The editor of the result; undefined if the result isn't text. */
  output;

  /**
   * @param {HTMLElement} section
   * @param {ViewOptions} options
   */
  constructor(section, { text, onText, focus }) {
    this.#section = section;
    this.#form = find(section, "form", HTMLFormElement);
    this.#tool = /** @type {Tool} */ (TOOLS[section.id]);
    this.#focus = focus;
    const createEditor = (/** @type {string} */ selector, text = "") => {
      const host = section.querySelector(selector);
      if (!(host instanceof HTMLElement)) return;
      const options = { tool: section.id, text, onChange: onText };
      return new Editor(host, options);
    };
    this.input = createEditor(".source .editor", text);
    this.output = createEditor(".result .editor");
  }

  /** @param {ToolState} state */
  draw(state) {
    const before = this.#drawn;
    this.#drawn = state;
    this.#drawForm(state);
    this.#drawFile(state, before);
    this.#drawResult(state, before);
    this.#drawOutcome(state, before);
    this.#drawStatus(state);
    this.#drawMessage(state, before);
    this.#drawApiCall(state);
  }

  /** @param {ToolState} state */
  #drawForm(state) {
    const { values, copyAs, language, inputFile } = state;
    forms.setValues(this.#form, { ...values, copyAs, language });
    forms.showAction(this.#form, this.#tool, values);
    if (!inputFile || values.encoding !== "data-url") return;
    // The Base64 in a data URL always has the standard alphabet.
    const [variant] = this.#form.querySelectorAll("[name=variant]");
    variant?.closest("fieldset")?.setAttribute("disabled", "");
  }

  /**
   * @param {ToolState} state
   * @param {ToolState} [before]
   */
  #drawFile({ text, inputFile }, before) {
    const isEmpty = text === "" && !inputFile;
    this.#section.dataset.input = inputFile ? "file" : isEmpty ? "empty" : "";
    this.#enable("[name=clear]", !isEmpty);
    if (inputFile !== before?.inputFile) showFile(this.#section, inputFile);
  }

  /**
   * @param {ToolState} state
   * @param {ToolState} [before]
   */
  #drawResult({ shown, copyAs }, before) {
    const { outcome = {} } = shown ?? {};
    if (shown !== before?.shown) {
      if (shown) this.output?.fill(outcome.result ?? "");
      showResult(this.#section, outcome, copyAs);
    } else if (before && copyAs !== before.copyAs) {
      showNotation(this.#section, outcome, copyAs);
    }
  }

  /**
   * Draws what is known about the newest input until the next outcome.
   * @param {ToolState} state
   * @param {ToolState} [before]
   */
  #drawOutcome(state, before) {
    const { outcome } = state.newest ?? {};
    const offset = isLatest(this.#tool, state) ? outcome?.offset : undefined;
    this.input?.mark(offset, !state.isTyped);
    if (!outcome || outcome === before?.newest?.outcome) return;
    const { sizes = [], lineEndings = "", error = "" } = outcome;
    setText(this.#section, { sizes: sizes.map(describeSize).join(" → ") });
    const menu = find(this.#section, "[name=lineEndings]", HTMLSelectElement);
    menu.value = lineEndings;
    menu.hidden = lineEndings === "";
    this.input?.describe(error);
  }

  /** @param {ToolState} state */
  #drawStatus(state) {
    const { shown, newest, textFile, expected } = state;
    const { outcome = {} } = shown ?? {};
    const { result = "", note, digests = {}, bytes, fullResult, blocks = [] } =
      outcome;
    const current = isCurrent(this.#tool, state);
    const waiting = isWaiting(state);
    const isEmpty = result === "" && note === undefined;
    const status = isEmpty ? "empty" : current ? "current" : "stale";
    this.#section.dataset.state = status;
    const isInvalid = newest?.outcome?.error !== undefined;
    const old = isInvalid && isLatest(this.#tool, state)
      ? "Result for the last valid input"
      : "Out of date";
    const remark = status === "stale" ? old : "";
    const badge = waiting ? describeWait(newest?.progress) : remark;
    setText(this.#section, { badge });
    const bar = find(this.#section, "progress", HTMLProgressElement);
    bar.hidden = !waiting;
    if (newest?.progress === undefined) bar.removeAttribute("value");
    else bar.value = newest.progress;
    const isText = current && result !== "";
    this.#enable(RESULT_BUTTONS, isText);
    this.#enable(DOWNLOAD_BUTTON, isText || current && bytes !== undefined);
    if (fullResult || result === shown?.values.input) {
      this.#enable("[name=useAsInput]", false);
    }
    this.#enable(BLOCK_BUTTONS, isText && blocks.length > 0);
    this.#enable(".message button", isLatest(this.#tool, state) && !waiting);
    const isOfFile = textFile?.text === state.text;
    const file = shown?.file ?? (isOfFile ? textFile?.file : undefined);
    showVerdict(this.#section, expected, {
      digests: current ? digests : {},
      file: file?.name,
    });
  }

  /**
   * @param {ToolState} state
   * @param {ToolState} [before]
   */
  #drawMessage({ message }, before) {
    if (message === before?.message) return;
    const { text, kind, buttons } = message;
    const element = find(this.#section, ".message");
    // The focused button is removed.
    if (element.contains(document.activeElement)) this.#focus();
    if (text) this.#section.dataset.message = kind;
    else delete this.#section.dataset.message;
    element.replaceChildren(
      create("span", {}, text),
      ...buttons.map(createButton),
    );
  }

  /** @param {ToolState} state */
  #drawApiCall(state) {
    const { isApiCallShown, language } = state;
    find(this.#form, ".api-call").hidden = !isApiCallShown;
    find(this.#form, "[name=apiCall]").ariaExpanded = String(isApiCallShown);
    const { method } = this.#tool;
    const fields = describeRequest(this.#tool, state);
    const url = `${getBase()}api/${this.#section.id}`;
    const { code, isFile } = createCode({ method, url, fields }, language);
    find(this.#form, ".api-call pre").textContent = code;
    find(this.#form, ".api-call [name=download]").hidden = !isFile;
  }

  /**
   * Sets `aria-disabled`, because a button with `disabled` would lose the focus.
   * @param {string} selector
   * @param {boolean} isOn
   */
  #enable(selector, isOn) {
    for (const button of this.#section.querySelectorAll(selector)) {
      button.ariaDisabled = String(!isOn);
    }
  }

  /**
   * Announces text to screen readers, while the tool is shown.
   * @param {string} text
   */
  announce(text) {
    if (!this.#section.hidden) announce(text);
  }
}

/**
 * Returns the fields of the API call. For a JSON Web Token, it decodes the
 * payload.
 * @param {Tool} tool
 * @param {ToolState} state
 */
export function describeRequest(tool, state) {
  const { encoding: _, ...values } = getInput(tool, state).values;
  const isDecoded = values.action === "decode";
  const [, payload] = isDecoded && parseToken(values.input ?? "") || [];
  return toFields(tool, payload ? { ...values, input: payload } : values);
}

/** @param {number} [progress] From 0 to 1, if known. */
function describeWait(progress) {
  const isKnown = progress !== undefined;
  return `Computing…${isKnown ? ` ${Math.floor(100 * progress)}%` : ""}`;
}

/** @param {MessageButton} description */
function createButton([label, press]) {
  const button = create("button", { type: "button" }, label);
  button.onclick = () => {
    if (button.ariaDisabled !== "true") press();
  };
  return button;
}
