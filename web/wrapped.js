/**
 * Finds Base64 in quotes, in a header of Basic authentication, with percent
 * escapes or with spaces for plus signs, and decodes bytes as UTF-16, of which
 * PowerShell's -EncodedCommand takes Base64. Uses no DOM.
 * @module
 */

/**
 * Base64 of the standard or the URL-safe alphabet, perhaps with white space and
 * padding.
 */
const BASE64 = /^[\w+/\s-]+=*$/;

/**
 * A text in quotes, without quotes inside, perhaps with a comma or semicolon
 * after it.
 */
const QUOTED = /^(["'`])([^"'`]*)\1[,;]?$/;

/**
 * A header of Basic authentication (RFC 7617), with or without the name
 * `Authorization`. The expression takes linear time: it is anchored, and no
 * repeated part matches the character after it.
 */
const BASIC = /^(?:authorization:\s*)?basic\s+(\S+)$/i;

/**
 * Returns the Base64 that a text contains in quotes, in a header of Basic
 * authentication or with percent escapes, and words for that, such as `in
 * quotes`. Returns undefined for other texts, also for Base64 alone.
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
 * Returns Base64 in which spaces stand for plus signs, with the plus signs, as
 * `Pz4/Pj8+` for `Pz4/Pj8 `: forms and addresses write a space as a plus sign.
 * Returns undefined for other texts, also for Base64 that spaces divide into
 * groups.
 * @param {string} text
 */
export function restorePlus(text) {
  const line = text.replaceAll(/^[\r\n\t]+|[\r\n\t]+$/g, "");
  if (!/^[A-Za-z\d+/ ]+={0,2}$/.test(line)) return;
  const groups = line.split(" ");
  const spaces = groups.length - 1;
  // About every 64th digit of Base64 is a plus sign.
  if (spaces === 0 || spaces * 8 > line.length) return;
  const isGrouped = groups.slice(1, -1).every(({ length }) =>
    length === groups[0]?.length
  );
  const isWhole = (line.length - spaces) % 4 === 0;
  if (line.length % 4 !== 0 || isWhole && isGrouped) return;
  return line.replaceAll(" ", "+");
}

/**
 * Decodes bytes as UTF-16 if at least half of the code units are below U+0100.
 * Their zero bytes tell the byte order. Returns undefined for other bytes, for
 * a text with a control character other than tab, LF and CR, and for fewer than
 * four bytes.
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
