/**
 * Tells the kind of a file, such as PNG, by its first bytes, and SVG by the
 * media type of the file. Uses no DOM.
 * @module
 */

/**
 * The kinds. A file that begins with the bytes of `start` is taken for the
 * kind; the first match counts. `start` is written in Latin-1, and a question
 * mark in it stands for any byte.
 * @type {readonly (Kind & { readonly start: string })[]}
 */
const KINDS = [
  {
    name: "PNG",
    extension: "png",
    type: "image/png",
    start: "\x89PNG\r\n\x1a\n",
  },
  { name: "JPEG", extension: "jpg", type: "image/jpeg", start: "\xff\xd8\xff" },
  { name: "GIF", extension: "gif", type: "image/gif", start: "GIF8" },
  {
    name: "WebP",
    extension: "webp",
    type: "image/webp",
    start: "RIFF????WEBP",
  },
  {
    name: "AVIF",
    extension: "avif",
    type: "image/avif",
    start: "????ftypavif",
  },
  { name: "icon", extension: "ico", type: "image/x-icon", start: "\0\0\x01\0" },
  { name: "BMP", extension: "bmp", type: "image/bmp", start: "BM????\0\0\0\0" },
  { name: "PDF", extension: "pdf", type: "application/pdf", start: "%PDF-" },
  {
    name: "ZIP",
    extension: "zip",
    type: "application/zip",
    start: "PK\x03\x04",
  },
  {
    name: "gzip",
    extension: "gz",
    type: "application/gzip",
    start: "\x1f\x8b\x08",
  },
  {
    name: "WebAssembly",
    extension: "wasm",
    type: "application/wasm",
    start: "\0asm",
  },
  { name: "MP4", extension: "mp4", type: "video/mp4", start: "????ftyp" },
  {
    name: "WebM",
    extension: "webm",
    type: "video/webm",
    start: "\x1aE\xdf\xa3",
  },
  { name: "MP3", extension: "mp3", type: "audio/mpeg", start: "ID3" },
  { name: "Ogg", extension: "ogg", type: "audio/ogg", start: "OggS" },
  { name: "WAV", extension: "wav", type: "audio/wav", start: "RIFF????WAVE" },
  { name: "WOFF", extension: "woff", type: "font/woff", start: "wOFF" },
  { name: "WOFF2", extension: "woff2", type: "font/woff2", start: "wOF2" },
];

/**
 * SVG is text, so it is recognised by its media type, not by its first bytes.
 * @type {Kind}
 */
const SVG = { name: "SVG", extension: "svg", type: "image/svg+xml" };

/** Length of the longest `start`, in bytes. */
const START_BYTES = 12;

/**
 * @param {Uint8Array} bytes The first bytes of a file, or all of them.
 * @returns {Kind | undefined}
 */
export function findKind(bytes) {
  return KINDS.find(({ start }) =>
    bytes.length >= start.length &&
    Array.from(start).every((character, i) =>
      character === "?" || character.charCodeAt(0) === bytes[i]
    )
  );
}

/**
 * Returns the kind of a file, or undefined for an unknown kind and for a file
 * that cannot be read.
 * @param {Blob} file
 */
export async function readKind(file) {
  try {
    const start = await file.slice(0, START_BYTES).arrayBuffer();
    const kind = findKind(new Uint8Array(start));
    return file.type === SVG.type ? kind ?? SVG : kind;
  } catch {
    return;
  }
}

/** @param {Kind | undefined} kind */
export function isImage(kind) {
  return kind?.type.startsWith("image/") ?? false;
}
