/**
 * Files and images that are shown: the input, and decoded bytes.
 * @module
 */

import { find, write } from "./elements.js";
import { findKind, isImage } from "./kinds.js";
import { describeSize } from "./text.js";

/**
 * Shows a file as the input of a tool, or none.
 * @param {HTMLElement} section
 * @param {File} [file]
 * @param {Kind} [kind]
 */
export function showFile(section, file, kind) {
  const name = file?.name ?? "";
  const size = file ? describeSize(file.size) : "";
  write(section, {
    "file-name": name,
    "file-kind": kind ? `${kind.name}, ${size}` : size,
  });
  showImage(find(section, ".file"), file, kind);
}

/**
 * Shows an image in an element that has room for one, or removes it.
 * @param {HTMLElement} element
 * @param {Blob} [bytes]
 * @param {Kind} [kind]
 */
function showImage(element, bytes, kind) {
  const image = find(element, "img", HTMLImageElement);
  URL.revokeObjectURL(image.src);
  image.removeAttribute("src");
  image.hidden = true;
  if (!bytes || !isImage(kind)) return;
  // Bytes that only begin like an image stay hidden.
  image.onload = () => image.hidden = false;
  image.src = URL.createObjectURL(bytes);
}

/**
 * Shows bytes as an image, if they are one.
 * @param {HTMLElement} element
 * @param {Uint8Array<ArrayBuffer>} [bytes]
 */
export function showBytes(element, bytes) {
  const kind = bytes && findKind(bytes);
  const image = kind && new Blob([bytes], { type: kind.type });
  showImage(element, image, kind);
}
