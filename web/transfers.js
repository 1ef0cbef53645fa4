/**
 * Handles pastes and drops anywhere on the page: a file becomes the input, and
 * text that is pasted outside of a field is inserted into the input.
 * @module
 */

import { find } from "./elements.js";

/** @import { Section } from "./section.js" */

/** Selector of the fields where the browser or the editor handles a paste. */
const FIELDS =
  "textarea, [type=text], [type=number], .cm-textfield, .source .editor";

/**
 * Handles pastes and drops before the elements of the page do.
 * @param {() => Section} getCurrent Returns the section that is shown.
 */
export function listenToTransfers(getCurrent) {
  for (const type of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
    addEventListener(type, (event) => handleDrop(event, getCurrent()), true);
  }
  addEventListener("paste", (event) => handlePaste(event, getCurrent()), true);
}

/**
 * Handles dragged files. The editors handle dragged text.
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
  const kind = section.acceptsFiles ? "file" : "text file";
  notice.textContent = section.input
    ? `Drop one ${kind} to use it as the input`
    : "This tool doesn’t accept files";
  if (!section.input) dataTransfer.dropEffect = "none";
}

/**
 * Handles pasted files, and text that is pasted outside of a field. A paste with
 * neither is ignored, because an editor would delete its selection.
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
    target instanceof Element && target.matches(FIELDS)
  );
  if (text && isField && !isFile) return;
  event.preventDefault();
  event.stopPropagation();
  if (isFile) section.handleFiles(files);
  else if (text) section.input?.paste(text);
}

/**
 * Whether the text of a paste is only the name of a pasted file, which file
 * managers add. Spreadsheets add an image file to the copied text.
 * @param {string} text
 * @param {string} name
 */
function isOnlyName(text, name) {
  return text.trim() === "" || text.trim().endsWith(name);
}
