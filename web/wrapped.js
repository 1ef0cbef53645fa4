/**
 * Recognises Base64 with something around it, as people copy it from code, headers
 * and addresses, and UTF-16 text within Base64, as PowerShell has it. Uses no DOM.
 * @module
 */

/** Base64 of either alphabet, with white space and padding. */
const BASE64 = /^[\w+/\s-]+=*$/;

/** A text in quotes, perhaps with a comma or semicolon after it. */
const QUOTED = /^(["'`])([^"'`]*)\1[,;]?$/;

/**
 * A header of Basic authentication (RFC 7617), with its name or without. The
 * expression takes linear time: it is anchored, and no repeated part matches the
 * character after it.
 */
const BASIC = /^(?:authorization:\s*)?basic\s+(\S+)$/i;

/**
 * Returns the Base64 in a text, and words for what is around it. Returns
 * undefined for a text that is not Base64, and for Base64 alone.
 * @param {string} text
 */
export function unwrap(text) {
  const around = [];
  let rest = text.trim();
  const [, , quoted] = QUOTED.exec(rest) ?? [];
  if (quoted !== undefined) {
    around.push("in quotes");
    rest = quoted.trim();
  }
  const [, credentials] = BASIC.exec(rest) ?? [];
  if (credentials !== undefined) {
    around.push("of Basic authentication");
    rest = credentials;
  }
  if (/%(?:2B|2F|3D)/i.test(rest)) {
    around.push("with percent escapes");
    rest = rest.replaceAll(/%2B/gi, "+").replaceAll(/%2F/gi, "/")
      .replaceAll(/%3D/gi, "=");
  }
  if (around.length === 0 || !BASE64.test(rest)) return;
  return { base64: rest, around: around.join(", ") };
}

/**
 * Decodes bytes as UTF-16 if at least half of the characters are ASCII and none is
 * a control character. Returns undefined for other bytes.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function decodeUtf16(bytes) {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return;
  const zeros = [0, 0];
  bytes.forEach((byte, i) => {
    if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  });
  const [first = 0, second = 0] = zeros;
  if (Math.max(first, second) * 4 < bytes.length) return;
  const encoding = second > first ? "utf-16le" : "utf-16be";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return /(?![\t\n\r])\p{Cc}/u.test(text) ? undefined : text;
  } catch {
    return;
  }
}
