/**
 * The files of a tool: the file that is the input in place of the text in the
 * editor, and the file from which that text was read.
 * @module
 */

import { readFile } from "./files.js";
import { readKind } from "./kinds.js";
import { showFile } from "./preview.js";
import { TOOLS } from "./tools.js";

/** Largest file whose text the editor shows, in bytes. */
const MAX_TEXT = 50_000_000;

/**
 * The same where the file itself may be the input instead of its text, in
 * bytes.
 */
const MAX_SMALL_TEXT = 1_048_576;

export class FileInput {
  #section;
  #tool;
  #owner;
  /** The file that was dropped, pasted or opened last. */
  #newest = /** @type {File | undefined} */ (undefined);
  /** The file that is the input; undefined if the text in the editor is. */
  file = /** @type {File | undefined} */ (undefined);
  /** The last file whose text became the input; the input may differ by now. */
  textFile = /** @type {TextFile | undefined} */ (undefined);

  /**
   * @param {HTMLElement} section The section of the tool.
   * @param {FileOwner} owner
   */
  constructor(section, owner) {
    this.#section = section;
    this.#tool = /** @type {Tool} */ (TOOLS[section.id]);
    this.#owner = owner;
  }

  /**
   * Whether the input may be a file of any kind, not only text, with the
   * values that the form has now. False in a tool without an input.
   */
  get takesAny() {
    return this.#tool.takesFiles?.(this.#owner.readValues()) ?? false;
  }

  /**
   * Makes the text of a file the input, or else the file itself, if `takesAny`.
   * If neither is possible, or the file is empty, shows a message.
   * @param {File[]} files Files that were dropped, pasted or opened together;
   * with more than one, there is only a message.
   */
  async take(files) {
    const { editor } = this.#owner;
    const [first] = files;
    if (!first) return;
    const before = editor?.text;
    this.#newest = first;
    const { text, file, problem } = editor
      ? await this.#read(files)
      : { problem: "A file cannot be used here: this tool has no input." };
    const kind = file && await readKind(file);
    // Ignores the file if the text in the editor was changed, or another file
    // was taken, while the file was read.
    if (editor?.text !== before || this.#newest !== first) return;
    if (text) this.textFile = { file: first, text };
    if (text !== undefined) editor?.fill(text);
    if (file && this.takesAny) {
      this.use(file, kind);
    } else if (problem) {
      this.#refuse(problem, file, kind);
    }
  }

  /**
   * Reads a file as text. With `takesAny`, a large text is returned as a file
   * instead.
   * @param {File[]} files
   */
  #read(files) {
    return readFile(files, this.takesAny ? MAX_SMALL_TEXT : MAX_TEXT);
  }

  /**
   * Shows why a file cannot be the input. The tool Base64 also offers to
   * encode it, if `file` is given.
   * @param {string} problem
   * @param {File} [file]
   * @param {Kind} [kind]
   */
  #refuse(problem, file, kind) {
    const buttons = /** @type {MessageButton[]} */ ([]);
    if (file && this.#section.id === "base64") {
      const encode = () => {
        this.#owner.setValues({ action: "encode" });
        this.use(file, kind);
      };
      buttons.push(["Encode it", encode]);
    }
    this.#owner.message.show(problem, "notice", buttons);
  }

  /**
   * Makes a file the input in place of the text.
   * @param {File} file
   * @param {Kind} [kind]
   */
  use(file, kind) {
    this.file = file;
    showFile(this.#section, file, kind);
    // An already empty editor reports no change, so `onFile()` is called, too.
    this.#owner.editor?.fill("");
    this.#owner.onFile();
  }

  /** Removes the file that is the input, if any. */
  remove() {
    if (!this.file) return;
    this.file = undefined;
    showFile(this.#section);
  }

  /**
   * Makes a file the input, to be encoded as a data URL.
   * @param {File} file
   */
  async encodeAsDataUrl(file) {
    const kind = await readKind(file);
    this.#owner.setValues({ encoding: "data-url" });
    this.use(file, kind);
  }
}
