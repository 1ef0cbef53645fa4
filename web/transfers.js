/**
 * Makes what is pasted or dropped anywhere on the page the input of the tool.
 * @module
 */

import { find, takesText } from "./elements.js";

/** @import { Section } from "./section.js" */

/**
 * Starts to handle pastes and drops.
 * @param {() => Section} getCurrent Returns the section that is shown.
 */
export function listenToTransfers(getCurrent) {
  const options = { capture: true };
  for (const type of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
    addEventListener(type, (event) => takeDrop(event, getCurrent()), options);
  }
  addEventListener("paste", (event) => takePaste(event, getCurrent()), options);
}

/**
 * Handles files that are dragged over the page or dropped. Dropped text is left to
 * the editors.
 * @param {DragEvent} event
 * @param {Section} section
 */
function takeDrop(event, section) {
  const { type, dataTransfer, relatedTarget } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.stopPropagation();
  if (type === "drop") section.takeFiles([...dataTransfer.files]);
  // An event with `relatedTarget` only tells that the files are over another element now.
  if (type === "dragleave" && relatedTarget) return;
  const notice = find(document, ".drop-here");
  notice.hidden = type !== "dragover";
  notice.textContent = describeDrop(section);
  if (!section.input) dataTransfer.dropEffect = "none";
}

/**
 * Returns the words that tell what a drop will do.
 * @param {Section} section
 */
function describeDrop({ input, takesFiles }) {
  if (!input) return "This tool has no input for a file";
  const what = takesFiles ? "one file" : "one text file";
  return `Drop ${what}: it becomes the input`;
}

/**
 * Handles pasted files, and text that is pasted outside of a field. A paste
 * without file and text is stopped: an editor would delete its selected text.
 * @param {ClipboardEvent} event
 * @param {Section} section
 */
function takePaste(event, section) {
  const { clipboardData } = event;
  if (!clipboardData || document.querySelector("dialog[open]")) return;
  const text = clipboardData.getData("text/plain");
  const files = [...clipboardData.files];
  const isFile = files.some(({ name }) => isOnlyName(text, name));
  const isField = event.composedPath().some((target) =>
    takesText(target) ||
    target instanceof Element && target.matches(".source .editor")
  );
  if (text && isField && !isFile) return;
  event.preventDefault();
  event.stopPropagation();
  if (isFile) section.takeFiles(files);
  else if (text) section.input?.paste(text);
}

/**
 * Whether the text of a paste is only the name or the path of a pasted file, as
 * file managers add it. Spreadsheets add an image of the pasted cells as a file;
 * there, the text is what is to be pasted.
 * @param {string} text
 * @param {string} name
 */
function isOnlyName(text, name) {
  return text.trim() === "" || text.trim().endsWith(name);
}
