/**
 * Shows the parts of a result that are not in an editor: generated lines,
 * digests, the strength of a password, notes, images and sizes.
 * @module
 */

import { compareDigest, formatDigest } from "./digests.js";
import {
  announce,
  copyTemplate,
  create,
  find,
  prepareButton,
  write,
} from "./elements.js";
import { resetLabels } from "./copying.js";
import { showBytes } from "./preview.js";
import * as texts from "./text.js";

/** The ratings of passwords by the service, from weakest to strongest. */
const STRENGTHS = ["very-weak", "weak", "fair", "strong", "very-strong"];

/**
 * @param {HTMLElement} section
 * @param {Outcome} outcome Without a result, the note, the image and the lines
 * are removed; digests and strength stay.
 */
export function showResult(section, outcome) {
  const { note = "", strength, bytes } = outcome;
  if (strength) showStrength(section, strength);
  write(section, { note, copied: "" });
  const figure = section.querySelector(".figure");
  if (figure instanceof HTMLElement) {
    figure.hidden = note === "";
    showBytes(figure, bytes);
  }
  showForm(section, outcome);
}

/**
 * Writes lines and digests in the form that is selected in the menu `copyAs`.
 * @param {HTMLElement} section
 * @param {Outcome} outcome
 */
export function showForm(section, { result = "", digests = {} }) {
  if (section.querySelector(".output")) showLines(section, result);
  for (const [algorithm, hex] of Object.entries(digests)) {
    const text = formatDigest(algorithm, hex, readForm(section));
    write(section, { [algorithm]: text });
  }
  resetLabels(section);
}

/** @param {HTMLElement} section */
function readForm(section) {
  const select = section.querySelector("[name=copyAs]");
  return select instanceof HTMLSelectElement ? select.value : "lines";
}

/**
 * Shows the sizes of the input and of its result, such as `5 bytes → 8 bytes`.
 * If the sizes are rounded, the tooltip has the exact ones.
 * @param {HTMLElement} section
 * @param {Call} call
 */
export function showSizes(section, call) {
  const counts = countSizes(call);
  const sizes = find(section, ".sizes");
  sizes.textContent = counts.map(texts.describeSize).join(" → ");
  const exact = counts.map(texts.describeBytes).join(" → ");
  sizes.title = exact === sizes.textContent ? "" : exact;
}

/**
 * Returns the sizes to show, in bytes: of the input, and of a result that is a
 * text or bytes, but not of digests or a note. Returns no sizes for a tool
 * without an input, and for an empty input without digests.
 * @param {Call} call
 */
function countSizes({ values: { input }, file, outcome = {} }) {
  const { result, digests, note, bytes, whole } = outcome;
  if (input === undefined) return [];
  if (input === "" && !digests && !file) return [];
  const size = file?.size ?? texts.countBytes(input);
  if (bytes) return [size, bytes.length];
  if (result === undefined || digests || note) return [size];
  if (whole instanceof Blob) return [size, whole.size];
  return [size, texts.countBytes(whole ?? result)];
}

/**
 * @param {HTMLElement} section
 * @param {string} strength One of `STRENGTHS`.
 */
function showStrength(section, strength) {
  const meter = find(section, "meter", HTMLMeterElement);
  meter.value = STRENGTHS.indexOf(strength) + 1;
  const [first = ""] = strength;
  const rating = first.toUpperCase() + strength.slice(1).replace("-", " ");
  write(section, { rating });
}

/**
 * Returns the generated lines of a result in the form that is selected in the
 * menu `copyAs`, as lines and as one text. A tool without the menu keeps the
 * result as it is.
 * @param {HTMLElement} section
 * @param {string} text
 */
export function formatResult(section, text) {
  const form = readForm(section);
  return { form, ...texts.formatList(text, form) };
}

/**
 * Shows generated lines. If there are several, each has a button that copies
 * it, and the main button gets a label such as “Copy all 5”.
 * @param {HTMLElement} section
 * @param {string} result
 */
function showLines(section, result) {
  const { lines } = formatResult(section, result);
  const isList = lines.length > 1;
  const output = find(section, ".output");
  output.classList.toggle("list", isList);
  output.replaceChildren(...lines.map((line, i) => {
    const row = copyTemplate("item");
    const button = find(row, "button", HTMLButtonElement);
    prepareButton(button, `line ${i + 1}`);
    find(row, ".line").replaceChildren(...colour(line));
    if (!isList) button.remove();
    return row;
  }));
  const all = isList ? `Copy all ${lines.length}` : "Copy";
  find(section, "button.primary").dataset.label = all;
}

/**
 * Divides a line into elements with classes, so that the style can give digits,
 * letters and symbols different colours.
 * @param {string} line
 */
function colour(line) {
  return Array.from(line.matchAll(/(\d+)|[a-z]+|([^\da-z]+)/gi), (part) => {
    const [text, digits, symbols] = part;
    const className = digits ? "digit" : symbols ? "symbol" : "";
    return create("span", { className }, text);
  });
}

/**
 * Shows whether the text in the field "Compare with" contains one of the
 * digests.
 * @param {HTMLElement} section
 * @param {readonly string[]} digests In lower-case hexadecimal; empty if they
 * are out of date, which removes the verdict.
 */
export function showVerdict(section, digests) {
  const expected = section.querySelector(".compare textarea");
  if (!(expected instanceof HTMLTextAreaElement)) return;
  const isAsked = expected.value.trim() !== "" && digests.length > 0;
  const words = isAsked ? compareDigest(expected.value, digests) : "";
  const verdict = find(section, ".verdict");
  if (verdict.textContent === words) return;
  verdict.textContent = words;
  verdict.classList.toggle("wrong", words.startsWith("✗"));
  if (!section.hidden) announce(words.slice(2));
}
