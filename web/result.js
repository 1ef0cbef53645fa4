/**
 * Shows results outside of editors (lines, digests, strength, notes, images), and
 * the file that is the input.
 * @module
 */

import { compareDigest, formatDigest } from "./digests.js";
import {
  announce,
  copyTemplate,
  find,
  prepareButton,
  setText,
} from "./elements.js";
import { resetLabels } from "./copying.js";
import { findKind, readKind } from "./kinds.js";
import * as texts from "./text.js";

/** The ratings of passwords by the service, from weakest to strongest. */
const STRENGTHS = ["very-weak", "weak", "fair", "strong", "very-strong"];

/**
 * @param {HTMLElement} section
 * @param {Outcome} outcome Without a result, the note, the image, and the lines
 * are removed. Digests and strength stay.
 * @param {string} copyAs See `showNotation()`.
 */
export function showResult(section, outcome, copyAs) {
  const { note = "", strength, bytes } = outcome;
  if (strength) showStrength(section, strength);
  setText(section, { note });
  const figure = section.querySelector(".figure");
  if (figure instanceof HTMLElement) {
    figure.hidden = note === "";
    showImage(figure, bytes, bytes && findKind(bytes));
  }
  showNotation(section, outcome, copyAs);
}

/**
 * Shows lines and digests in a notation of the menu “Copy as”.
 * @param {HTMLElement} section
 * @param {Outcome} outcome
 * @param {string} copyAs
 */
export function showNotation(section, { result = "", digests = {} }, copyAs) {
  const { lines } = texts.formatList(result, copyAs);
  if (section.querySelector(".output")) showLines(section, lines);
  for (const [algorithm, hex] of Object.entries(digests)) {
    setText(section, { [algorithm]: formatDigest(algorithm, hex, copyAs) });
  }
  resetLabels(section);
}

/**
 * @param {HTMLElement} section
 * @param {string} strength One of `STRENGTHS`.
 */
function showStrength(section, strength) {
  section.dataset.rated = "";
  const meter = find(section, "meter", HTMLMeterElement);
  meter.value = STRENGTHS.indexOf(strength) + 1;
  const [first = ""] = strength;
  const rating = first.toUpperCase() + strength.slice(1).replace("-", " ");
  setText(section, { rating });
}

/**
 * Shows generated lines. If there are several, each has a copy button.
 * @param {HTMLElement} section
 * @param {readonly string[]} lines
 */
function showLines(section, lines) {
  const isList = lines.length > 1;
  const output = find(section, ".output");
  output.classList.toggle("list", isList);
  output.replaceChildren(...lines.map((line, i) => {
    const row = copyTemplate("item");
    const button = find(row, "button", HTMLButtonElement);
    prepareButton(button);
    find(button, ".visually-hidden").textContent = `line ${i + 1}`;
    find(row, ".line").textContent = line;
    if (!isList) button.remove();
    return row;
  }));
  const all = isList ? `Copy all ${lines.length}` : "Copy";
  find(section, "button.primary").dataset.label = all;
}

/**
 * @param {HTMLElement} section
 * @param {string} expected
 * @param {{ digests: Readonly<Record<string, string>>, file?: string | undefined }} input
 * See `compareDigest()`. Without digests, the verdict is removed.
 */
export function showVerdict(section, expected, input) {
  const verdict = section.querySelector(".verdict");
  if (!verdict) return;
  const isAsked = expected.trim() !== "" &&
    Object.keys(input.digests).length > 0;
  const message = isAsked ? compareDigest(expected, input) : "";
  if (verdict.textContent === message) return;
  verdict.textContent = message;
  verdict.classList.toggle("error", message.startsWith("✗"));
  if (!section.hidden) announce(message.slice(2));
}

/**
 * Shows the name, kind, and size of a file, and an image.
 * @param {HTMLElement} section
 * @param {File} [file] Undefined removes the file that was shown before.
 */
export async function showFile(section, file) {
  const { name = "" } = file ?? {};
  const size = file ? texts.describeSize(file.size) : "";
  setText(section, { "file-name": name, "file-kind": size });
  const kind = file && await readKind(file);
  // Another file might have replaced it.
  if (find(section, ".file-name").textContent !== name) return;
  if (kind) setText(section, { "file-kind": `${kind.name}, ${size}` });
  showImage(find(section, ".file"), file, kind);
}

/**
 * @param {HTMLElement} element An element with an `img`.
 * @param {BlobPart} [content] Shown only if it is an image.
 * @param {Kind} [kind] Of the content, if known.
 */
function showImage(element, content, kind) {
  const image = find(element, "img", HTMLImageElement);
  URL.revokeObjectURL(image.src);
  image.removeAttribute("src");
  image.hidden = true;
  if (!content || !kind?.type.startsWith("image/")) return;
  // The `img` stays hidden if the browser can’t read the image.
  image.onload = () => image.hidden = false;
  image.src = URL.createObjectURL(new Blob([content], { type: kind.type }));
}
