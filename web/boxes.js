/// <reference path="./types.d.ts" />

/** The two boxes of a tool: the text that goes in, and the one that comes out. */

import { find } from "./dom.js";
import {
  countLines,
  keepLineEnds,
  lengthAt,
  LINE_ENDS,
  nameLineEnds,
  replacePart,
  setLineEnds,
  tokenize,
  toShown,
} from "./text.js";

/** The most of a result that is shown, and that is coloured, in UTF-16 code units. */
const MAX_SHOWN = 50_000;
const MAX_COLOURED = 20_000;

/** Further right an error is not marked: to measure the line would take too long. */
const MAX_MARKED_COLUMN = 100_000;

/** So many versions of a text are known to undo and redo with their line ends. */
const MAX_VERSIONS = 20;

/** The numbers of the lines that can be seen, beside what scrolls. */
class Gutter {
  #element;
  #scroller;
  #lines = 0;

  /** @param {HTMLElement} pane @param {HTMLElement} scroller */
  constructor(pane, scroller) {
    this.#element = find(pane, ".gutter");
    this.#scroller = scroller;
    scroller.addEventListener("scroll", () => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(scroller);
  }

  /** @param {number} lines 0 for no numbers. */
  show(lines) {
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.#element.hidden = lines === 0;
    this.#element.style.width = `${String(lines).length + 2}ch`;
    this.#draw();
  }

  #draw() {
    if (this.#lines === 0) return;
    const { scrollTop, clientHeight } = this.#scroller;
    const height = readLineHeight(this.#scroller);
    const first = Math.floor(scrollTop / height);
    const count = Math.min(
      this.#lines - first,
      Math.ceil(clientHeight / height) + 1,
    );
    const list = document.createElement("div");
    list.textContent = Array.from({ length: count }, (_, i) => first + i + 1)
      .join("\n");
    list.style.translate = `0 ${first * height - scrollTop}px`;
    this.#element.replaceChildren(list);
  }
}

/** @param {Element} element */
function readLineHeight(element) {
  return parseFloat(getComputedStyle(element).lineHeight);
}

/** The text that goes in, exactly as it came. */
export class InputBox {
  #area;
  #ends;
  #mark;
  /** @type {Gutter | undefined} */
  #gutter;
  /** The text with its own line ends, and as the text area holds it. */
  #text = { exact: "", shown: "" };
  /** What undo and redo may come back to. */
  #versions = [this.#text];
  /** What is being pasted or dropped, as it is. */
  #inserting = "";
  #markedLine = 0;

  /** @param {HTMLElement} pane @param {string} name */
  constructor(pane, name) {
    this.#area = find(pane, "textarea", HTMLTextAreaElement);
    this.#ends = find(pane, "select", HTMLSelectElement);
    this.#mark = find(pane, ".mark");
    this.#area.id = `${name}-input`;
    find(pane, "label", HTMLLabelElement).htmlFor = this.#area.id;
    if (name === "json") {
      this.#area.wrap = "off";
      this.#gutter = new Gutter(pane, this.#area);
    }
    this.#area.onpaste = ({ clipboardData }) => {
      this.#inserting = clipboardData?.getData("text/plain") ?? "";
    };
    this.#area.ondrop = ({ dataTransfer }) => {
      this.#inserting = dataTransfer?.getData("text/plain") ?? "";
    };
    this.#area.oninput = (event) => {
      const { inputType = "" } = /** @type {InputEvent} */ (event);
      this.#receive(inputType.startsWith("history"));
    };
    this.#area.addEventListener("scroll", () => this.#placeMark());
    this.#ends.onchange = () => {
      const end = LINE_ENDS.get(this.#ends.value) ?? "\n";
      this.#keep(setLineEnds(this.#text.exact, end));
    };
    this.#keep("");
  }

  /** The text as it came. */
  get text() {
    return this.#text.exact;
  }

  focus() {
    this.#area.focus();
  }

  /** Replaces the whole text, so that the browser can undo it. @param {string} text */
  fill(text) {
    const shown = toShown(text);
    this.#area.focus();
    this.#area.select();
    if (shown === "") document.execCommand("delete");
    else insert(shown);
    // What the browser cannot insert (a NUL, say), it can still hold.
    if (this.#area.value !== shown) this.#area.value = shown;
    this.#keep(text);
    this.#area.setSelectionRange(0, 0);
    this.#area.scrollTop = 0;
  }

  /** Takes over what was typed, pasted or dropped, or undone. @param {boolean} isUndone */
  #receive(isUndone) {
    const { value: shown } = this.#area;
    const version = this.#versions.find((version) => version.shown === shown);
    let exact = isUndone && version
      ? version.exact
      : keepLineEnds(this.#text, shown);
    const by = this.#inserting;
    this.#inserting = "";
    if (by.includes("\r")) {
      // What was inserted ends at the caret.
      const { selectionEnd: end } = this.#area;
      const start = end - toShown(by).length;
      const isThere = shown.slice(start, end) === toShown(by);
      if (isThere) exact = replacePart(exact, { start, end, by });
    }
    this.#keep(exact);
  }

  /** @param {string} exact */
  #keep(exact) {
    const text = { exact, shown: this.#area.value };
    // With nothing but LF, undo needs no help.
    if (exact.includes("\r") || this.#text.exact.includes("\r")) {
      this.#versions = [text, this.#text, ...this.#versions].slice(
        0,
        MAX_VERSIONS,
      );
    }
    this.#text = text;
    this.#gutter?.show(countLines(text.shown));
    const ends = nameLineEnds(exact);
    find(this.#ends, "[hidden]", HTMLOptionElement).disabled = ends !== "mixed";
    this.#ends.value = ends;
    this.#ends.disabled = ends === "";
  }

  /** Selects the character at an offset and brings it into view. @param {number} offset */
  select(offset) {
    const { shown } = this.#text;
    const { clientWidth, clientHeight } = this.#area;
    // Where it lies is known of a copy alone.
    const copy = document.createElement("div");
    const place = document.createElement("span");
    copy.style.width = `${clientWidth}px`;
    copy.style.whiteSpace = getComputedStyle(this.#area).whiteSpace;
    copy.append(shown.slice(0, offset), place);
    this.#mark.before(copy);
    const { offsetLeft, offsetTop } = place;
    copy.remove();
    this.#area.focus();
    this.#area.setSelectionRange(offset, offset + lengthAt(shown, offset));
    this.#area.scrollTo(
      offsetLeft - clientWidth / 2,
      offsetTop - clientHeight / 2,
    );
  }

  /** Marks the line and the character at an offset, or nothing. @param {number} [offset] */
  mark(offset) {
    this.#mark.hidden = offset === undefined || !this.#gutter;
    if (offset === undefined || !this.#gutter) return;
    const { shown } = this.#text;
    const start = shown.lastIndexOf("\n", offset - 1) + 1;
    const isNear = offset - start < MAX_MARKED_COLUMN;
    find(this.#mark, "span").textContent = isNear
      ? shown.slice(start, offset)
      : "";
    const place = find(this.#mark, "mark");
    place.hidden = !isNear;
    place.textContent = shown.slice(offset, offset + lengthAt(shown, offset))
      .trim();
    this.#markedLine = countLines(shown.slice(0, start)) - 1;
    this.#placeMark();
  }

  #placeMark() {
    if (this.#mark.hidden) return;
    const { scrollTop, scrollLeft } = this.#area;
    const top = this.#markedLine * readLineHeight(this.#area) - scrollTop;
    this.#mark.style.translate = `0 ${top}px`;
    this.#mark.style.textIndent = `${-scrollLeft}px`;
  }
}

/** Inserts a text where the caret is, undoable by the browser. @param {string} text */
function insert(text) {
  // As text, Chromium and Safari take a time quadratic in the lines; as HTML, a
  // linear one for the same. Others refuse it as HTML.
  const html = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  if (
    !text.includes("\n") || !document.execCommand("insertHTML", false, html)
  ) {
    document.execCommand("insertText", false, text);
  }
}

/** The text that came out. */
export class OutputBox {
  #output;
  #gutter;

  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.#output = find(pane, ".output");
    this.#gutter = new Gutter(pane, this.#output);
  }

  /** Returns whether not all is shown. @param {string} text @param {boolean} isJson */
  show(text, isJson) {
    const shown = text.slice(0, MAX_SHOWN);
    const isLined = isJson && shown.includes("\n");
    this.#output.classList.toggle("lined", isLined);
    // In this order, for nothing to be laid out twice.
    this.#output.scrollTo(0, 0);
    this.#output.replaceChildren(isJson ? colour(shown) : shown);
    this.#gutter.show(isLined ? countLines(shown) : 0);
    return shown.length < text.length;
  }
}

/** @param {string} json */
function colour(json) {
  const fragment = document.createDocumentFragment();
  let done = 0;
  for (const { kind, start, end } of tokenize(json.slice(0, MAX_COLOURED))) {
    const token = document.createElement("span");
    token.className = kind;
    token.textContent = json.slice(start, end);
    fragment.append(json.slice(done, start), token);
    done = end;
  }
  fragment.append(json.slice(done));
  return fragment;
}
