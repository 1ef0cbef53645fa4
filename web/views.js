/** Shows the state of a tool in its elements: result, message, status bar, example code. */

import { toDataUrl } from "./bytes.js";
import { createCode } from "./code.js";
import { announce, copy, find, fromTemplate, save } from "./dom.js";
import { compareDigest } from "./suggest.js";
import { describeSize, formList, nameLineEnds } from "./text.js";

/** Time for which a copy button shows “Copied”, in milliseconds. */
const COPIED_MS = 1_500;

/**
 * Updates the parts of a tool that depend on the values of its form: the label of an outdated result, the buttons, the
 * example code, the name of the line endings (LF or CRLF) and the comparison of digests.
 * @param {HTMLElement} section @param {State} state
 */
export function showState(section, state) {
  const { isLatest, latest, shown, fields } = state;
  const { result = "", note, digests = {}, bytes } = shown ?? {};
  const isEmpty = result === "" && note === undefined;
  const isCurrent = isLatest && latest?.outcome?.result !== undefined;
  const isWrong = latest?.outcome?.wrong !== undefined;
  const { dataset } = section;
  dataset.input = state.input === "" ? "empty" : "";
  dataset.state = isEmpty ? "empty" : isCurrent ? "current" : "stale";
  dataset.problem = isWrong && !isLatest ? "stale" : "";
  const stale = isLatest && isWrong ? "Of the last valid input" : "Out of date";
  const plural = result.includes("\n") ? "s" : "";
  const old = dataset.noun ? `Previous ${dataset.noun}${plural}` : stale;
  const fresh = bytes ? "Computed in this page" : "";
  const badge = isEmpty ? "" : isCurrent ? fresh : old;
  const isWaiting = latest && !latest.outcome;
  section.toggleAttribute("data-waiting", Boolean(isWaiting));
  write(section, { badge: isWaiting ? "Waiting for the service…" : badge });
  for (const button of section.querySelectorAll("[data-needs]")) {
    const needs = button.getAttribute("data-needs");
    const isOn = isCurrent && result !== "" && !(needs === "text" && bytes);
    button.ariaDisabled = String(needs === "latest" ? !isLatest : !isOn);
  }
  showCode(section, fields);
  showLineEnds(section, state.input ?? "");
  showVerdict(section, isCurrent ? Object.values(digests) : []);
}

/** Shows the progress of an upload. @param {HTMLElement} section @param {number} share The fraction that has been sent, 0 to 1. */
export function showProgress(section, share) {
  if (!section.hasAttribute("data-waiting")) return;
  const badge = share < 1
    ? `Sending: ${Math.floor(share * 100)} %`
    : "Waiting for the service…";
  write(section, { badge });
}

/** Shows the parts of a result that are not in its editor: UUIDs, password or digests; image, password strength, note, sizes. @param {HTMLElement} section @param {Outcome} outcome @param {string} [input] */
export function showResult(section, outcome, input) {
  const { result = "", digests, note = "", bytes, kind } = outcome;
  showLines(section, outcome);
  for (const editor of section.querySelectorAll(".result .editor")) {
    editor.toggleAttribute("data-bytes", bytes !== undefined);
  }
  for (const image of section.querySelectorAll("img")) {
    image.hidden = !bytes || !kind?.type;
    image.src = bytes && kind?.type ? toDataUrl(bytes, kind.type) : "";
  }
  for (const strength of section.querySelectorAll(".strength")) {
    showStrength(strength, outcome);
  }
  const isNothing = input === "" && !digests;
  const texts = digests || note
    ? [input ?? ""]
    : [input ?? "", bytes?.length ?? result];
  const hasSizes = input !== undefined && !isNothing;
  const sizes = hasSizes ? texts.map(describeSize).join(" → ") : "";
  write(section, {
    ...digests,
    note,
    sizes,
    copied: "",
  });
  for (const button of section.querySelectorAll(".copy")) {
    if (button instanceof HTMLElement) nameCopy(button);
  }
}

/** Shows the strength of a password: the rating by the service, and the entropy, which the page computes. @param {Element} strength @param {Outcome} outcome */
function showStrength(strength, { bits = 0, level = "", rating = "" }) {
  strength.toggleAttribute("hidden", rating === "");
  const meter = find(strength, ".meter");
  const most = Number(meter.ariaValueMax);
  const shown = Math.min(bits, most);
  meter.dataset.level = level;
  meter.ariaValueNow = String(shown);
  meter.ariaValueText = rating;
  meter.style.setProperty("--share", `${100 * shown / most}%`);
  write(strength, { rating });
}

/** Sets the label of a copy button to its usual text, such as “Copy”. After a click, the label is “Copied” for a short time. @param {HTMLElement} button */
function nameCopy(button) {
  write(button, { label: button.dataset.label ?? "Copy" });
}

/** Converts UUIDs to the notation that the user has chosen, such as upper case. In the other tools, which have no such choice, the result stays as it is. @param {HTMLElement} section @param {string} result */
export function readForm(section, result) {
  const select = section.querySelector("[name=form]");
  const name = select instanceof HTMLSelectElement ? select.value : "";
  return formList(result, name);
}

/** Shows the result of the UUID or the password tool, as one line or as a list. Does nothing in the other tools. @param {HTMLElement} section @param {Outcome} outcome */
export function showLines(section, { result = "" }) {
  const output = section.querySelector(".output");
  if (!output) return;
  const { lines } = readForm(section, result);
  const isList = lines.length > 1;
  output.classList.toggle("list", isList);
  const copy = find(section, ".primary");
  copy.dataset.label = isList ? `Copy all ${lines.length}` : "Copy";
  nameCopy(copy);
  output.replaceChildren(...lines.map((line, i) => {
    const row = fromTemplate(isList ? "row" : "line");
    find(row, ".line").replaceChildren(...colour(line));
    if (isList) find(row, ".copy .unseen").textContent = ` line ${i + 1}`;
    return row;
  }));
}

/** Splits a line into elements with different colours for digits, letters and other characters. @param {string} line */
function colour(line) {
  return (line.match(/\d+|[a-z]+|[^\da-z]+/gi) ?? []).map((part) => {
    const element = document.createElement("span");
    const isLetter = /^[a-z]/i.test(part);
    element.className = isLetter ? "" : /^\d/.test(part) ? "digit" : "symbol";
    element.textContent = part;
    return element;
  });
}

/** Shows whether the digest that the user has entered equals one of the computed digests. Shows nothing if there is nothing to compare. @param {HTMLElement} section @param {readonly string[]} digests */
function showVerdict(section, digests) {
  const expected = section.querySelector(".compare textarea");
  if (!(expected instanceof HTMLTextAreaElement)) return;
  const { value } = expected;
  const isAsked = value.trim() !== "" && digests.length > 0;
  const words = isAsked ? compareDigest(value, digests) : "";
  const verdict = find(section, ".verdict");
  if (verdict.textContent === words) return;
  verdict.textContent = words;
  verdict.dataset.kind = words.startsWith("✗") ? "wrong" : "";
  if (!section.hidden) announce(words.slice(2));
}

/** Copies or saves a text, as the attribute `data-act` of the button says. Shows a message if this is not possible. @param {HTMLElement} section @param {HTMLButtonElement} button @param {{ text: string, name: string }} file The text, and the name of the file to save. */
export async function give(section, button, { text, name }) {
  const isCopy = button.dataset.act === "copy";
  let copied = "";
  if (!text.isWellFormed()) {
    copied = "Half of a surrogate pair in it cannot be copied or saved.";
  } else if (!isCopy) save(text, name);
  else if (!await copy(text)) {
    copied =
      "The browser does not let this page copy. Please select and copy it.";
  }
  if (isCopy) {
    write(button, { label: copied ? "Not copied" : "Copied" });
    setTimeout(() => nameCopy(button), COPIED_MS);
  }
  write(section, { copied });
  announce(copied || (isCopy ? "Copied." : ""), 0);
}

/** Shows the message of a tool; empty words remove the message. @param {HTMLElement} section @param {string} words @param {MessageOptions} [options] */
export function say(section, words, { kind = "wrong", buttons = [] } = {}) {
  const message = find(section, ".message");
  const text = document.createElement("span");
  text.textContent = words;
  if (words) section.dataset.message = kind;
  else delete section.dataset.message;
  message.replaceChildren(
    text,
    ...buttons.map(({ label, act, value = "", to = "" }) => {
      const button = document.createElement("button");
      Object.assign(button, { type: "button", textContent: label, value });
      Object.assign(button.dataset, { act, to, needs: "latest" });
      return button;
    }),
  );
}

/** Shows example code for the current call in the chosen language. @param {HTMLElement} section @param {Fields} fields */
function showCode(section, fields) {
  const select = find(section, "[name=language]", HTMLSelectElement);
  const options = { base: document.baseURI, language: select.value };
  const { code, isFile } = createCode(`api/${section.id}`, fields, options);
  find(section, ".command pre").textContent = code;
  find(section, ".command .download").hidden = !isFile;
}

/** Shows or hides the example code. @param {HTMLElement} section @param {HTMLButtonElement} button The button that was pressed. */
export function toggleCode(section, button) {
  const command = find(section, ".command");
  command.hidden = !command.hidden;
  button.ariaExpanded = String(!command.hidden);
}

/** Shows the name of the line endings of the input in the status bar. @param {HTMLElement} section @param {string} input */
function showLineEnds(section, input) {
  const ends = find(section, "[name=ends]", HTMLSelectElement);
  const name = nameLineEnds(input);
  ends.value = name;
  find(section, ".ends").hidden = name === "";
}

/** Writes texts to elements. @param {Element} section @param {Readonly<Record<string, string>>} texts The texts, by the class names of their elements. */
export function write(section, texts) {
  for (const [name, text] of Object.entries(texts)) {
    for (const element of section.querySelectorAll(`.${name}`)) {
      element.textContent = text;
    }
  }
}
