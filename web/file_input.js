/**
 * Reads dropped, pasted and opened files as the input of a tool: the text of a
 * file, or else the file itself. Uses no DOM.
 * @module
 */

import { readFile } from "./files.js";
import { readKind } from "./kinds.js";

/** Largest file whose text the editor shows, in bytes. */
const MAX_TEXT = 100_000_000;

/** The same where the file itself may be the input instead of its text. */
const MAX_SMALL_TEXT = 1_048_576;

/**
 * Reads files that were dropped, pasted or opened together. Returns the text of
 * the file; or, with `takesAny`, the file itself, if it is no text or a large
 * one; or else why it cannot be the input. An empty file has a problem, too.
 * @param {readonly File[]} files With more than one, there is only a problem.
 * @param {boolean} takesAny Whether the input may be a file of any kind.
 * @returns {Promise<{ text?: string, inputFile?: InputFile, problem: string }>}
 */
export async function readFiles(files, takesAny) {
  const limit = takesAny ? MAX_SMALL_TEXT : MAX_TEXT;
  const { text, file, problem } = await readFile(files, limit);
  if (!file) return { ...(text === undefined ? {} : { text }), problem };
  return { inputFile: await describeFile(file), problem };
}

/**
 * @param {File} file
 * @returns {Promise<InputFile>}
 */
export async function describeFile(file) {
  return { file, kind: await readKind(file) };
}
