/**
 * Shows the file that is the input by name, kind and size. Shows an image if
 * this file or decoded bytes are one.
 * @module
 */

import { find, write } from "./elements.js";
import { findKind, isImage } from "./kinds.js";
import { describeSize } from "./text.js";

/**
 * Shows name, kind and size of the file that is the input, and the image if the
 * file is one.
 * @param {HTMLElement} section
 * @param {File} [file] Undefined removes the file that was shown before.
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
 * Shows an image in place of the one before, or hides the `img`.
 * @param {HTMLElement} element An element with an `img`.
 * @param {Blob} [bytes] Shown only if `kind` is a kind of image.
 * @param {Kind} [kind]
 */
function showImage(element, bytes, kind) {
  const image = find(element, "img", HTMLImageElement);
  URL.revokeObjectURL(image.src);
  image.removeAttribute("src");
  image.hidden = true;
  if (!bytes || !isImage(kind)) return;
  // The `img` stays hidden if the browser cannot read the image.
  image.onload = () => image.hidden = false;
  image.src = URL.createObjectURL(bytes);
}

/**
 * Shows bytes if they are an image, or else hides the image that was shown
 * before.
 * @param {HTMLElement} element
 * @param {Uint8Array<ArrayBuffer>} [bytes]
 */
export function showBytes(element, bytes) {
  const kind = bytes && findKind(bytes);
  const image = kind && new Blob([bytes], { type: kind.type });
  showImage(element, image, kind);
}
