/**
 * Pastes and drops: wherever they happen, they go to the input.
 * @module
 */

import { find, takesText } from "./elements.js";

/** @import { Section } from "./section.js" */

/**
 * Takes what is pasted into the page or dropped on it.
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
 * Takes files wherever they are dropped; the editors take dropped text.
 * @param {DragEvent} event
 * @param {Section} section
 */
function takeDrop(event, section) {
  const { type, dataTransfer, relatedTarget } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.stopPropagation();
  if (type === "drop") section.takeFiles([...dataTransfer.files]);
  // While files are over the page, leaving an element enters another.
  if (type === "dragleave" && relatedTarget) return;
  const notice = find(document, ".drop-here");
  notice.hidden = type !== "dragover";
  notice.textContent = describeDrop(section);
  if (!section.input) dataTransfer.dropEffect = "none";
}

/**
 * Says what a file becomes that is dropped.
 * @param {Section} section
 */
function describeDrop({ input, takesFiles }) {
  if (!input) return "This tool has no input for a file";
  const what = takesFiles ? "one file" : "one text file";
  return `Drop ${what}: it becomes the input`;
}

/**
 * Takes pasted files, and text that no field takes. A paste without either
 * does nothing, since editors would replace the selected text by no text.
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
 * Whether the text of a paste is nothing but the name or the path of a pasted
 * file, which file managers add, and not a content like that of spreadsheets,
 * which add an image of it.
 * @param {string} text
 * @param {string} name
 */
function isOnlyName(text, name) {
  return text.trim() === "" || text.trim().endsWith(name);
}
