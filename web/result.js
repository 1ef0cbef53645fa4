/**
 * The result of a tool outside of its editor: generated lines, digests, the
 * strength of a password, sizes, and what its buttons copy and download.
 * @module
 */

import {
  announce,
  copyTemplate,
  create,
  find,
  prepareButton,
  write,
} from "./elements.js";
import { copy, download } from "./files.js";

import * as texts from "./text.js";

/** Time for which a button says that it has copied, in milliseconds. */
const COPIED_MS = 1_500;

/** The ratings of passwords, from the weakest to the strongest. */
const STRENGTHS = ["very-weak", "weak", "fair", "strong", "very-strong"];

/**
 * Shows a result.
 * @param {HTMLElement} section @param {Outcome} outcome @param {Values} values
 */
export function showResult(section, outcome, { input }) {
  const { result = "", digests, note = "", strength } = outcome;
  if (section.querySelector(".output")) showLines(section, result);
  if (strength) showStrength(section, strength);
  const isWhole = input !== undefined && (input !== "" || digests);
  const sized = isWhole ? [input] : [];
  if (isWhole && !digests && !note) sized.push(result);
  const sizes = sized.map((text) => texts.describeSize(texts.countBytes(text)))
    .join(" → ");
  write(section, { ...digests, note, sizes, copied: "" });
  resetLabels(section);
}

/** Shows the strength of a password. @param {HTMLElement} section */
function showStrength(section, /** @type {string} */ strength) {
  const meter = find(section, "meter", HTMLMeterElement);
  meter.value = STRENGTHS.indexOf(strength) + 1;
  const [first = ""] = strength;
  const rating = first.toUpperCase() + strength.slice(1).replace("-", " ");
  write(section, { rating });
}

/**
 * Returns a text of lines in the form that is chosen, if there is a choice.
 * @param {HTMLElement} section @param {string} text
 */
function format(section, text) {
  const select = section.querySelector("[name=copyAs]");
  const form = select instanceof HTMLSelectElement ? select.value : "lines";
  return texts.formatList(text, form);
}

/**
 * Shows generated lines in the chosen form: one, or a list with a button each.
 * @param {HTMLElement} section @param {string} result
 */
export function showLines(section, result) {
  const { lines } = format(section, result);
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
  resetLabels(section);
}

/** Gives digits, letters and symbols of a line their colours. */
function colour(/** @type {string} */ line) {
  return Array.from(line.matchAll(/(\d+)|[a-z]+|([^\da-z]+)/gi), (part) => {
    const [text, digits, symbols] = part;
    const className = digits ? "digit" : symbols ? "symbol" : "";
    return create("span", { className }, text);
  });
}

/**
 * Says whether the digest to compare with is one of the digests.
 * @param {HTMLElement} section @param {readonly string[]} digests
 */
export function showVerdict(section, digests) {
  const expected = section.querySelector(".compare textarea");
  if (!(expected instanceof HTMLTextAreaElement)) return;
  const isAsked = expected.value.trim() !== "" && digests.length > 0;
  const words = isAsked ? texts.compareDigest(expected.value, digests) : "";
  const verdict = find(section, ".verdict");
  if (verdict.textContent === words) return;
  verdict.textContent = words;
  verdict.classList.toggle("wrong", words.startsWith("✗"));
  if (!section.hidden) announce(words.slice(2));
}

/**
 * Copies or downloads what a button belongs to: a line, a digest, the code, or
 * else the whole result.
 * @param {HTMLElement} section @param {HTMLButtonElement} button
 * @param {{ result: string, fields: Fields }} texts
 */
export async function give(section, button, { result, fields }) {
  const place = button.closest(".item, .digest, .api-call");
  const code = place?.querySelector("code, pre")?.textContent;
  const text = button.value === "request.json"
    ? JSON.stringify(fields)
    : code ?? format(section, result).text;
  const isCopy = button.name === "copy";
  let problem = "";
  if (!text.isWellFormed()) {
    problem = "Half of a surrogate pair in it cannot be copied or downloaded.";
  } else if (!isCopy) {
    const type = section.id === "json" ? "json" : "txt";
    download(text, button.value || `${section.id}.${type}`);
  } else if (!await copy(text)) {
    problem =
      "The browser does not let this page copy. Please select and copy it.";
  }
  if (isCopy) {
    write(button, { label: problem ? "Not copied" : "Copied" });
    setTimeout(() => resetLabels(section), COPIED_MS);
  }
  write(section, { copied: problem });
  announce(problem || (isCopy ? "Copied." : ""), 0);
}

/** Gives the buttons that have copied their labels again. */
function resetLabels(/** @type {HTMLElement} */ section) {
  for (const button of section.querySelectorAll("button[name=copy]")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    write(button, { label: dataset.label ?? "Copy" });
  }
}
