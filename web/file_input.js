/**
 * The files of a tool: the file that is the input in place of the text in the
 * editor, and the file from which that text was read.
 * @module
 */

import { readLimit } from "./elements.js";
import { readFile } from "./files.js";
import { readKind } from "./kinds.js";
import { showFile } from "./preview.js";
import { isTaken, MAX_DECODED } from "./request.js";
import { TOOLS } from "./tools.js";

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
   * Reads a file as text. With `takesAny`, a text that is too large for a
   * request is returned as a file instead. Base64 to decode may be larger
   * than the service takes, up to `MAX_DECODED`: the page decodes it.
   * @param {File[]} files
   */
  async #read(files) {
    const limit = readLimit();
    const [file] = files;
    const { action } = this.#owner.readValues();
    const isDecodedHere = action === "decode" && file !== undefined &&
      file.size <= MAX_DECODED;
    const content = await readFile(files, isDecodedHere ? MAX_DECODED : limit);
    const input = content.text ?? "";
    const values = { ...this.#owner.readValues(), input };
    if (!file || !this.takesAny || isTaken(this.#section.id, values, limit)) {
      return content;
    }
    return { file, problem: "" };
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
