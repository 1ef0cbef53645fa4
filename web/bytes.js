/// <reference path="./types.d.ts" />

/** Recognises binary data by its first bytes, and writes it as a hex dump or a data URL. The service handles only text, so the page does this. @module */

/** Types of binary data. Each entry: a pattern for the hexadecimal digits of the first 16 bytes, the name of the type, its media type (images only), its file extension. */
const KINDS = /** @type {[RegExp, string, string, string][]} */ ([
  [/^89504e470d0a1a0a/, "a PNG image", "image/png", "png"],
  [/^ffd8ff/, "a JPEG image", "image/jpeg", "jpg"],
  [/^47494638/, "a GIF image", "image/gif", "gif"],
  [/^52494646.{8}57454250/, "a WebP image", "image/webp", "webp"],
  [/^.{8}6674797061766966/, "an AVIF image", "image/avif", "avif"],
  [/^00000100/, "an icon", "image/x-icon", "ico"],
  [/^25504446/, "a PDF document", "", "pdf"],
  [/^504b0304/, "a ZIP archive (or an Office document)", "", "zip"],
  [/^1f8b/, "gzip data", "", "gz"],
  [/^28b52ffd/, "Zstandard data", "", "zst"],
  [/^fd377a585a00/, "xz data", "", "xz"],
  [/^7f454c46/, "a Linux program (ELF)", "", "elf"],
  [/^4d5a/, "a Windows program", "", "exe"],
  [/^0061736d/, "a WebAssembly module", "", "wasm"],
  [/^53514c69746520666f726d6174/, "an SQLite database", "", "sqlite"],
  [/^(?:fffe|feff)/, "text in UTF-16", "", "txt"],
  [/^30[0-9a-f]8/, "ASN.1 data (a key or a certificate)", "", "der"],
]);

/** Maximum number of bytes that a hex dump shows. */
const MAX_SHOWN = 65_536;

/** Decodes Base64 by the same rules as the service. Returns undefined if the text is not valid Base64. @param {string} text */
export function decodeBase64(text) {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return;
  }
}

/** Recognises the type of data by its first bytes. Returns the name, the media type and the file extension of the type. @param {Uint8Array} bytes */
export function recogniseBytes(bytes) {
  const start = toHex(bytes.subarray(0, 16));
  const [, name = "binary data", type = "", end = "bin"] =
    KINDS.find(([pattern]) => pattern.test(start)) ?? [];
  return { name, type, end };
}

/** Returns a hex dump: rows of 16 bytes with offset, hexadecimal digits and ASCII characters. @param {Uint8Array} bytes */
export function dump(bytes) {
  const rows = [];
  const shown = bytes.subarray(0, MAX_SHOWN);
  for (let i = 0; i < shown.length; i += 16) {
    const row = shown.subarray(i, i + 16);
    const digits = toHex(row).replace(/..(?!$)/g, "$& ").padEnd(47);
    const text = String.fromCharCode(...row).replace(/[^ -~]/g, ".");
    rows.push(`${i.toString(16).padStart(6, "0")}  ${digits}  ${text}`);
  }
  if (bytes.length > MAX_SHOWN) rows.push("…");
  return rows.join("\n");
}

/** Returns bytes as a data URL. @param {Uint8Array} bytes @param {string} type */
export function toDataUrl(bytes, type) {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return `data:${type};base64,${btoa(binary.join(""))}`;
}

/** Returns bytes as hexadecimal digits. @param {Uint8Array} bytes */
function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
