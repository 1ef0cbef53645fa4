/**
 * Handles pastes and drops anywhere on the page: a file becomes the input of
 * the shown tool, and text that is pasted outside of a text field is inserted
 * into the input.
 * @module
 */

import { acceptsText, find } from "./elements.js";

/** @import { Section } from "./section.js" */

/**
 * Handles pastes and drops before the elements of the page do.
 * @param {() => Section} getCurrent Returns the section that is shown.
 */
export function listenToTransfers(getCurrent) {
  const options = { capture: true };
  for (const type of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
    addEventListener(type, (event) => handleDrop(event, getCurrent()), options);
  }
  addEventListener(
    "paste",
    (event) => handlePaste(event, getCurrent()),
    options,
  );
}

/**
 * Handles files that are dragged over the page or dropped. The editors handle
 * dropped text.
 * @param {DragEvent} event
 * @param {Section} section
 */
function handleDrop(event, section) {
  const { type, dataTransfer, relatedTarget } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.stopPropagation();
  if (type === "drop") section.handleFiles([...dataTransfer.files]);
  // A `dragleave` with `relatedTarget` only means that the files are now over
  // another element of the page.
  if (type === "dragleave" && relatedTarget) return;
  const notice = find(document, ".drop-here");
  notice.hidden = type !== "dragover";
  notice.textContent = describeDrop(section);
  if (!section.input) dataTransfer.dropEffect = "none";
}

/**
 * Describes what a drop will do.
 * @param {Section} section
 */
function describeDrop({ input, acceptsFiles }) {
  if (!input) return "This tool has no input for a file";
  const what = acceptsFiles ? "one file" : "one text file";
  return `Drop ${what}: it becomes the input`;
}

/**
 * Handles pasted files, and text that is pasted outside of a text field and of
 * the input's editor. A paste with neither file nor text is stopped: an editor
 * would delete its selected text.
 * @param {ClipboardEvent} event
 * @param {Section} section
 */
function handlePaste(event, section) {
  const { clipboardData } = event;
  if (!clipboardData || document.querySelector("dialog[open]")) return;
  const text = clipboardData.getData("text/plain");
  const files = [...clipboardData.files];
  const isFile = files.some(({ name }) => isOnlyName(text, name));
  const isField = event.composedPath().some((target) =>
    acceptsText(target) ||
    target instanceof Element && target.matches(".source .editor")
  );
  if (text && isField && !isFile) return;
  event.preventDefault();
  event.stopPropagation();
  if (isFile) section.handleFiles(files);
  else if (text) section.input?.paste(text);
}

/**
 * Whether the text of a paste is empty, or ends with the name of a pasted file:
 * file managers add the name or the path of the file. Otherwise the text is to
 * be pasted, not the file: spreadsheets add an image of the copied cells as a
 * file.
 * @param {string} text
 * @param {string} name
 */
function isOnlyName(text, name) {
  return text.trim() === "" || text.trim().endsWith(name);
}
