/** The visible parts of a tool: results that are no editor's, its message, its status bar and code. */

import { toDataUrl } from "./bytes.js";
import { createCode } from "./code.js";
import { announce, copy, find, fromTemplate, save } from "./dom.js";
import { compareDigest } from "./suggest.js";
import { describeSize, formList, nameLineEnds } from "./text.js";

/** Time that a button says whether it has copied, in milliseconds. */
const COPIED_MS = 1_500;

/** Shows whether the result on the page is the answer to the form as it is now. @param {HTMLElement} section @param {State} state */
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

/** Shows how much of a large input is sent. @param {HTMLElement} section @param {number} share */
export function showProgress(section, share) {
  if (!section.hasAttribute("data-waiting")) return;
  const badge = share < 1
    ? `Sending: ${Math.floor(share * 100)} %`
    : "Waiting for the service…";
  write(section, { badge });
}

/** Writes the parts of a result that the tool has elements for. @param {HTMLElement} section @param {Outcome} outcome @param {string} [input] */
export function showResult(section, outcome, input) {
  const { result = "", digests, bits = 0, rating = "", note = "" } = outcome;
  const { bytes, kind } = outcome;
  for (const output of section.querySelectorAll(".output")) {
    showLines(output, readForm(section, result).lines);
  }
  for (const image of section.querySelectorAll("img")) {
    image.hidden = !bytes || !kind?.type;
    image.src = bytes && kind?.type ? toDataUrl(bytes, kind.type) : "";
  }
  for (const meter of section.querySelectorAll("meter")) meter.value = bits;
  const isNothing = input === "" && !digests;
  const texts = digests || note
    ? [input ?? ""]
    : [input ?? "", bytes?.length ?? result];
  const hasSizes = input !== undefined && !isNothing;
  const sizes = hasSizes ? texts.map(describeSize).join(" → ") : "";
  write(section, {
    ...digests,
    note,
    rating,
    sizes,
    copied: "",
  });
  for (const button of section.querySelectorAll(".copy")) {
    if (button instanceof HTMLElement) nameCopy(button);
  }
}

/** Names a button that copies by what it copies. @param {HTMLElement} button */
function nameCopy(button) {
  write(button, { label: button.dataset.label ?? "Copy" });
}

/** A result in the form that is chosen beside it, if there is a choice. @param {HTMLElement} section @param {string} result */
export function readForm(section, result) {
  const select = section.querySelector("[name=form]");
  const name = select instanceof HTMLSelectElement ? select.value : "";
  return formList(result, name);
}

/** Shows one line that is the whole result, or a list of them. @param {Element} output @param {string[]} lines */
function showLines(output, lines) {
  const isList = lines.length > 1;
  output.classList.toggle("list", isList);
  const copy = find(output.parentElement ?? output, ".primary");
  copy.dataset.label = isList ? `Copy all ${lines.length}` : "Copy";
  output.replaceChildren(...lines.map((line, i) => {
    const row = fromTemplate(isList ? "row" : "line");
    find(row, ".line").replaceChildren(...colour(line));
    if (isList) find(row, ".copy .unseen").textContent = ` line ${i + 1}`;
    return row;
  }));
}

/** Digits, letters and other characters in elements of their own. @param {string} line */
function colour(line) {
  return (line.match(/\d+|[a-z]+|[^\da-z]+/gi) ?? []).map((part) => {
    const element = document.createElement("span");
    const isLetter = /^[a-z]/i.test(part);
    element.className = isLetter ? "" : /^\d/.test(part) ? "digit" : "symbol";
    element.textContent = part;
    return element;
  });
}

/** Compares the expected digest with those that are current, if there are any. @param {HTMLElement} section @param {readonly string[]} digests */
function showVerdict(section, digests) {
  const expected = section.querySelector(".compare textarea");
  if (!(expected instanceof HTMLTextAreaElement)) return;
  const { value } = expected;
  const isAsked = value.trim() !== "" && digests.length > 0;
  const words = isAsked ? compareDigest(value, digests) : "";
  const verdict = find(section, ".verdict");
  if (verdict.textContent === words) return;
  verdict.textContent = words;
  verdict.classList.toggle("wrong", words.startsWith("✗"));
  if (!section.hidden) announce(words.slice(2));
}

/** Copies or saves a text, as a button says, or reports why not. @param {HTMLElement} section @param {HTMLButtonElement} button @param {{ text: string, name: string }} file */
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

/** Writes the message of a tool. @param {HTMLElement} section @param {string} words @param {MessageOptions} [options] */
export function say(section, words, { kind = "wrong", buttons = [] } = {}) {
  const message = find(section, ".message");
  const text = document.createElement("span");
  text.textContent = words;
  section.dataset.message = message.dataset.kind = words ? kind : "";
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

/** Writes the call of a tool as code. @param {HTMLElement} section @param {Fields} fields */
function showCode(section, fields) {
  const select = find(section, "[name=language]", HTMLSelectElement);
  const options = { base: document.baseURI, language: select.value };
  const { code, isFile } = createCode(`api/${section.id}`, fields, options);
  find(section, ".command pre").textContent = code;
  find(section, ".command .download").hidden = !isFile;
}

/** Names the line ends of an input. @param {HTMLElement} section @param {string} input */
function showLineEnds(section, input) {
  const ends = find(section, "[name=ends]", HTMLSelectElement);
  const name = nameLineEnds(input);
  ends.value = name;
  ends.disabled = name === "";
}

/** Writes texts into the elements that have their names as classes. @param {HTMLElement} section @param {Readonly<Record<string, string>>} texts */
export function write(section, texts) {
  for (const [name, text] of Object.entries(texts)) {
    for (const element of section.querySelectorAll(`.${name}`)) {
      element.textContent = text;
    }
  }
}
