/// <reference path="./types.d.ts" />

/** The result of a call, by tools: a text, digests, or lines to be copied. */

import { announce, find, fromTemplate, offerCopy } from "./dom.js";
import { Editor } from "./editor.js";
import { compareDigest } from "./suggest.js";

/** A result that is a text. */
export class TextView {
  #editor;
  #note;
  #isJson;

  /** @param {HTMLElement} pane @param {{ name: string, isJson: boolean }} options */
  constructor(pane, { name, isJson }) {
    this.#isJson = isJson;
    this.#note = find(pane, ".note");
    this.#editor = new Editor(find(pane, ".editor"), {
      id: `${name}-result`,
      label: "Result",
      isJson,
      isInput: false,
    });
  }

  /** @param {Result} outcome */
  show({ result, note = "" }) {
    this.#note.textContent = note;
    this.#note.hidden = !note;
    this.#editor.show(result, !this.#isJson || !result.includes("\n"));
  }
}

/** One line that is the whole result, or a list of them. */
export class LineView {
  #pane;
  #report;

  /** @param {HTMLElement} pane @param {(problem: string) => void} report */
  constructor(pane, report) {
    this.#pane = pane;
    this.#report = report;
  }

  /** @param {Result} outcome */
  show({ result, bits, rating = "" }) {
    const lines = result.split("\n");
    const output = find(this.#pane, ".output");
    output.classList.toggle("list", lines.length > 1);
    output.replaceChildren(
      ...lines.length > 1
        ? lines.map((line, i) => this.#createRow(line, i))
        : colour(result),
    );
    find(this.#pane, ".strength").hidden = bits === undefined;
    find(this.#pane, "meter", HTMLMeterElement).value = bits ?? 0;
    find(this.#pane, ".rating").textContent = rating;
  }

  /** @param {string} line @param {number} i */
  #createRow(line, i) {
    const row = fromTemplate("row");
    find(row, ".line").replaceChildren(...colour(line));
    const button = find(row, ".copy");
    find(button, ".unseen").textContent = ` line ${i + 1}`;
    offerCopy(button, () => line, this.#report);
    return row;
  }
}

/** Digits, letters and other characters in elements of their own. @param {string} line */
function colour(line) {
  return (line.match(/\d+|[a-z]+|[^\da-z]+/gi) ?? []).map((part) => {
    const element = document.createElement("span");
    if (!/^[a-z]/i.test(part)) {
      element.className = /^\d/.test(part) ? "digit" : "symbol";
    }
    element.textContent = part;
    return element;
  });
}

/** Digests, one a row, and the comparison with an expected one. */
export class DigestView {
  #rows;
  #expected;
  #verdict;
  /** @type {readonly string[]} */
  #digests = [];
  #isCurrent = false;

  /** @param {HTMLElement} pane @param {{ requests: readonly Values[], report: (problem: string) => void }} options */
  constructor(pane, { requests, report }) {
    this.#rows = requests.map(({ algorithm = "" }) => {
      const row = fromTemplate("digest");
      const radio = find(row, "input", HTMLInputElement);
      radio.value = algorithm;
      radio.defaultChecked = algorithm === "sha256";
      const name = `SHA-${algorithm.slice(3)}`;
      find(row, "label span").textContent = name;
      find(row, ".copy .unseen").textContent = ` ${name}`;
      const output = find(row, ".digest-text");
      offerCopy(find(row, ".copy"), () => output.textContent ?? "", report);
      return { algorithm, output };
    });
    find(pane, ".digests").append(
      ...this.#rows.map(({ output }) => output.parentElement ?? output),
    );
    this.#expected = find(pane, "#hash-expected", HTMLInputElement);
    this.#verdict = find(pane, ".verdict");
    this.#expected.oninput = () => this.refresh(this.#isCurrent);
  }

  /** @param {Result} outcome */
  show({ digests = {} }) {
    this.#digests = Object.values(digests);
    for (const { algorithm, output } of this.#rows) {
      output.textContent = digests[algorithm] ?? "";
    }
  }

  /** @param {boolean} isCurrent Whether the digests are those of the input. */
  refresh(isCurrent) {
    this.#isCurrent = isCurrent;
    const { value } = this.#expected;
    const isAsked = isCurrent && value.trim() !== "";
    const { isEqual, words } = isAsked
      ? compareDigest(value, this.#digests)
      : { isEqual: true, words: "" };
    if (this.#verdict.textContent === words) return;
    this.#verdict.textContent = words;
    this.#verdict.classList.toggle("wrong", !isEqual);
    announce(words.slice(2));
  }
}
