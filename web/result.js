/**
 * Shows what is not in an editor: generated lines, digests, the strength of a
 * password, notes and images, and the file that is the input.
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
import { findKind, readKind } from "./kinds.js";
import * as texts from "./text.js";

/** The ratings of passwords by the service, from weakest to strongest. */
const STRENGTHS = ["very-weak", "weak", "fair", "strong", "very-strong"];

/**
 * @param {HTMLElement} section
 * @param {Outcome} outcome Without a result, the note, the image and the lines
 * are removed; digests and strength stay.
 * @param {string} copyAs See `showForm()`.
 */
export function showResult(section, outcome, copyAs) {
  const { note = "", strength, bytes } = outcome;
  if (strength) showStrength(section, strength);
  write(section, { note });
  const figure = section.querySelector(".figure");
  if (figure instanceof HTMLElement) {
    figure.hidden = note === "";
    showBytes(figure, bytes);
  }
  showForm(section, outcome, copyAs);
}

/**
 * Writes lines and digests in a form of the menu “Copy as”.
 * @param {HTMLElement} section
 * @param {Outcome} outcome
 * @param {string} copyAs
 */
export function showForm(section, { result = "", digests = {} }, copyAs) {
  const { lines } = texts.formatList(result, copyAs);
  if (section.querySelector(".output")) showLines(section, lines);
  for (const [algorithm, hex] of Object.entries(digests)) {
    write(section, { [algorithm]: formatDigest(algorithm, hex, copyAs) });
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
  write(section, { rating });
}

/**
 * Shows generated lines. If there are several, each has a button that copies
 * it, and the main button gets a label such as “Copy all 5”.
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
    find(button, ".unseen").textContent = `line ${i + 1}`;
    find(row, ".line").replaceChildren(...color(line));
    if (!isList) button.remove();
    return row;
  }));
  const all = isList ? `Copy all ${lines.length}` : "Copy";
  find(section, "button.primary").dataset.label = all;
}

/**
 * Divides a line into elements with classes, so that the style can give digits,
 * letters and symbols different colors.
 * @param {string} line
 */
function color(line) {
  return Array.from(line.matchAll(/(\d+)|[a-z]+|([^\da-z]+)/gi), (part) => {
    const [text, digits, symbols] = part;
    const className = digits ? "digit" : symbols ? "symbol" : "";
    return create("span", { className }, text);
  });
}

/**
 * Shows whether the text in the field "Compare with" has the digest of the
 * input.
 * @param {HTMLElement} section
 * @param {string} expected
 * @param {{ digests: Readonly<Record<string, string>>, file?: string | undefined }} input
 * See `compareDigest()`. Without digests, as if they are out of date, the
 * verdict is removed.
 */
export function showVerdict(section, expected, input) {
  const verdict = section.querySelector(".verdict");
  if (!verdict) return;
  const isAsked = expected.trim() !== "" &&
    Object.keys(input.digests).length > 0;
  const words = isAsked ? compareDigest(expected, input) : "";
  if (verdict.textContent === words) return;
  verdict.textContent = words;
  verdict.classList.toggle("wrong", words.startsWith("✗"));
  if (!section.hidden) announce(words.slice(2));
}

/**
 * Shows name, kind and size of the file that is the input, and the image if the
 * file is one.
 * @param {HTMLElement} section
 * @param {File} [file] Undefined removes the file that was shown before.
 */
export async function showFile(section, file) {
  const { name = "" } = file ?? {};
  const size = file ? texts.describeSize(file.size) : "";
  write(section, { "file-name": name, "file-kind": size });
  const kind = file && await readKind(file);
  // Another file may have replaced it in the meantime.
  if (find(section, ".file-name").textContent !== name) return;
  if (kind) write(section, { "file-kind": `${kind.name}, ${size}` });
  showImage(find(section, ".file"), file, kind);
}

/**
 * Shows an image instead of the one before, or hides the `img`.
 * @param {HTMLElement} element An element with an `img`.
 * @param {Blob} [bytes] Shown only if `kind` is a kind of image.
 * @param {Kind} [kind]
 */
function showImage(element, bytes, kind) {
  const image = find(element, "img", HTMLImageElement);
  URL.revokeObjectURL(image.src);
  image.removeAttribute("src");
  image.hidden = true;
  if (!bytes || !kind?.type.startsWith("image/")) return;
  // The `img` stays hidden if the browser can’t read the image.
  image.onload = () => image.hidden = false;
  image.src = URL.createObjectURL(bytes);
}

/**
 * Shows bytes if they are an image, or else hides the image that was shown
 * before.
 * @param {HTMLElement} element
 * @param {Uint8Array<ArrayBuffer>} [bytes]
 */
export function showBytes(element, bytes) {
  const kind = bytes && findKind(bytes);
  const image = kind && new Blob([bytes], { type: kind.type });
  showImage(element, image, kind);
}
