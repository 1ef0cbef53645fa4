/**
 * Recognizes the kind of a file, such as PNG, by its first bytes, and SVG by the
 * media type of the file.
 * @module
 */

/**
 * The kinds: name, extension, media type, and first bytes, in Latin-1, where a
 * question mark stands for any byte. The first match wins.
 */
const KINDS = [
  ["PNG", "png", "image/png", "\x89PNG\r\n\x1a\n"],
  ["JPEG", "jpg", "image/jpeg", "\xff\xd8\xff"],
  ["GIF", "gif", "image/gif", "GIF8"],
  ["WebP", "webp", "image/webp", "RIFF????WEBP"],
  ["AVIF", "avif", "image/avif", "????ftypavif"],
  ["icon", "ico", "image/x-icon", "\0\0\x01\0"],
  ["BMP", "bmp", "image/bmp", "BM????\0\0\0\0"],
  ["PDF", "pdf", "application/pdf", "%PDF-"],
  ["ZIP", "zip", "application/zip", "PK\x03\x04"],
  ["gzip", "gz", "application/gzip", "\x1f\x8b\x08"],
  ["WebAssembly", "wasm", "application/wasm", "\0asm"],
  ["MP4", "mp4", "video/mp4", "????ftyp"],
  ["WebM", "webm", "video/webm", "\x1aE\xdf\xa3"],
  ["MP3", "mp3", "audio/mpeg", "ID3"],
  ["Ogg", "ogg", "audio/ogg", "OggS"],
  ["WAV", "wav", "audio/wav", "RIFF????WAVE"],
  ["WOFF", "woff", "font/woff", "wOFF"],
  ["WOFF2", "woff2", "font/woff2", "wOF2"],
].map(([name = "", extension = "", type = "", start = ""]) => {
  return { name, extension, type, start };
});

/**
 * Recognized by the media type, because SVG is text.
 * @type {Kind}
 */
const SVG = { name: "SVG", extension: "svg", type: "image/svg+xml" };

/** Length of the longest start, in bytes. */
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
 * Returns undefined for an unknown kind and for a file that can't be read.
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
