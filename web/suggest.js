/// <reference path="./types.d.ts" />

/** Creates suggestions to change the input of a tool or to open its result in another tool, and compares digests. Uses no DOM. */

import { decodeBase64, recogniseBytes } from "./bytes.js";
import { findInner, isJson } from "./json.js";

/** Matches a JSON Web Token with or without its signature, also in an Authorization header. The groups are the header and the payload of the token. */
const TOKEN =
  /^\s*(?:[Aa]uthorization:\s*)?(?:[Bb]earer\s+)?(eyJ[\w-]{8,})\.([\w-]{2,})(?:\.[\w-]*)?\s*$/;

/**
 * Inputs for which the page suggests a change. Each entry: the selected action (empty for any), the pattern of the
 * input, the message, the label of the button. The new input is the text that the group of the pattern matches or, if
 * there is no group, the text after the match.
 */
const RECOGNISED = /** @type {[string, RegExp, string, string][]} */ ([
  ["", /^\ufeff/, "The text begins with a byte order mark (BOM).", "Remove it"],
  [
    "decode",
    /^\s*data:[^,]*;base64,/i,
    "This is a data URL.",
    "Decode its content",
  ],
  [
    "decode",
    /^\s*(?:authorization:\s*)?basic\s+([\w+/-]+=*)\s*$/i,
    "These are the name and password of a request.",
    "Decode them",
  ],
]);

/** Minimum length of a text that is recognised as Base64, without its white space. A shorter text can look like Base64 by chance. */
const LEAST_BASE64 = 8;

/** Maximum number of characters, from the start of a text, that are checked to recognise Base64. */
const MOST_BASE64 = 4_096;

/** Names of hash algorithms, by the number of hexadecimal digits in their digests. */
const ALGORITHMS = new Map([[40, "SHA-1"], [64, "SHA-256"], [128, "SHA-512"]]);

/** Returns the encoded header and payload of a JSON Web Token, or undefined for another text. @param {string} text */
export function splitToken(text) {
  return TOKEN.exec(text)?.slice(1);
}

/**
 * Returns suggestions to change the input.
 * @param {string} tool @param {Values} values @param {boolean} isWrong Whether the service has rejected the input.
 * @returns {Suggestion[]}
 */
export function suggest(tool, values, isWrong) {
  const { input = "", action } = values;
  const found = [];
  for (const [action, pattern, says, label] of RECOGNISED) {
    const [all, part] = pattern.exec(input) ?? [];
    if (all === undefined || action && action !== values.action) continue;
    found.push({ says, label, value: part ?? input.slice(all.length) });
  }
  const name = action === "encode" ? nameEncoded(input) : "";
  if (name) {
    const says = `This looks like ${name}.`;
    found.push({ says, label: "Decode it", value: input, to: "decode" });
  }
  return tool === "json" && !isWrong ? [...found, ...findInner(input)] : found;
}

/** If a text seems to be encoded already, returns the name of its encoding, such as `Base64`, otherwise an empty text. @param {string} text */
function nameEncoded(text) {
  if (splitToken(text)) return "a JSON Web Token";
  if (/^\s*data:[^,]*;base64,/i.test(text)) return "a data URL";
  if (/^\s*(?:authorization:\s*)?basic\s+[\w+/-]+=*\s*$/i.test(text)) {
    return "the header of a request";
  }
  if (!/^[\w+/\s-]*[\w+/-]=*\s*$/.test(text)) return "";
  const isLong = text.length > MOST_BASE64;
  const start = text.slice(0, MOST_BASE64).replaceAll(/\s/g, "");
  const whole = isLong ? start.slice(0, start.length & ~3) : start;
  const bytes = whole.length < LEAST_BASE64 ? undefined : decodeBase64(whole);
  if (!bytes) return "";
  if (recogniseBytes(bytes).type) return "Base64";
  const decoder = new TextDecoder();
  const decoded = decoder.decode(bytes, { stream: isLong });
  return /(?![\t\n\r])\p{Cc}|\ufffd/u.test(decoded) ? "" : "Base64";
}

/** Returns suggestions to open the result in another tool. @param {string} tool @param {Values} values @param {Outcome} outcome @returns {Suggestion[]} */
export function suggestNext(tool, { action }, { result = "", parts }) {
  if (tool !== "base64" || action !== "decode") return [];
  if (parts) {
    const says =
      "This is a JSON Web Token: its header and its payload, one a line. Its signature is not checked.";
    const label = "Open the payload in JSON";
    return [{ says, label, value: parts[1] ?? "", to: "json" }];
  }
  if (!/^\s*[[{]/.test(result) || !isJson(result)) return [];
  const says = "The result is JSON.";
  return [{ says, label: "Open in JSON", value: result, to: "json" }];
}

/**
 * Returns a message that says whether an expected digest equals one of the computed digests. It can have the notation
 * of `sha256sum`, OpenSSL, certificates or lock files.
 * @param {string} expected @param {readonly string[]} digests The computed digests in hexadecimal digits.
 */
export function compareDigest(expected, digests) {
  const words = [expected, ...expected.split(/[\s=]+/)].map((word) =>
    word.trim().replace(/^(?:sha-?[\d-]*\d[:-]|0x|\\x)/i, "")
  );
  const hex = words.map((word) => word.replaceAll(/[\s:]/g, "").toLowerCase())
    .concat(words.map(toHex))
    .find((word) => /^[\da-f]+$/.test(word) && ALGORITHMS.has(word.length));
  if (!hex) return "✗ Not a SHA-1, SHA-256 or SHA-512 digest";
  const verdict = digests.includes(hex) ? "✓ Equal:" : "✗ Not equal to";
  return `${verdict} ${ALGORITHMS.get(hex.length)}`;
}

/** Converts Base64 to hexadecimal digits. Returns an empty text for invalid Base64. @param {string} word */
function toHex(word) {
  try {
    const bytes = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
    return bytes.replaceAll(
      /[^]/g,
      (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"),
    );
  } catch {
    return "";
  }
}
