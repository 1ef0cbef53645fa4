/// <reference path="./types.d.ts" />

/** Changes of a text that are certain enough to be offered as one click, and digests in their notations. */

const JWT = /^\s*(eyJ[\w-]*)\.([\w-]+)\.[\w-]*\s*$/;
const DATA_URL = /^\s*data:[^,]*;base64,/i;

/** Strings of both kinds, and commas before a closing bracket. */
const JSON_PARTS =
  /"[^"\\]*(?:\\[^][^"\\]*)*"|'([^'\\]*(?:\\[^][^'\\]*)*)'|(?<![[{,]\s*),(?=\s*[\]}])/g;

/** The names of digests by their length in hexadecimal digits. */
const ALGORITHMS = new Map([[40, "SHA-1"], [64, "SHA-256"], [128, "SHA-512"]]);

/**
 * Offers changes of the input of a call.
 *
 * @param {string} tool
 * @param {Values} values
 * @param {boolean} isWrong Whether the service refused the input.
 * @returns {Suggestion[]}
 */
export function suggest(tool, { input = "", action }, isWrong) {
  const suggestions = [];
  if (input.startsWith("\ufeff")) {
    const says = "The text begins with a byte order mark (BOM).";
    suggestions.push({ says, label: "Remove it", text: input.slice(1) });
  }
  if (tool === "json" && isWrong) suggestions.push(...repairJson(input));
  if (tool !== "base64" || action !== "decode") return suggestions;
  const [prefix] = DATA_URL.exec(input) ?? [];
  if (prefix) {
    const text = input.slice(prefix.length);
    const says = "This is a data URL.";
    suggestions.push({ says, label: "Decode its content", text });
  }
  const [, header, payload] = JWT.exec(input) ?? [];
  if (header && payload) {
    suggestions.push(
      {
        says: "This is a JSON Web Token.",
        label: "Decode the payload",
        text: payload,
      },
      { says: "", label: "Decode the header", text: header },
    );
  }
  return suggestions;
}

/** Offers repairs that make a text valid JSON. @param {string} text @returns {Suggestion[]} */
function repairJson(text) {
  let commas = 0;
  let quotes = 0;
  const repaired = text.replace(JSON_PARTS, (part, single) => {
    if (part === ",") {
      commas += 1;
      return "";
    }
    if (single === undefined) return part;
    quotes += 1;
    const inner = single.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
    return `"${inner}"`;
  });
  if (commas + quotes > 0 && isJson(repaired)) {
    const names = [
      ...quotes > 0 ? ["single quotes"] : [],
      ...commas > 0
        ? [commas > 1 ? "trailing commas" : "a trailing comma"]
        : [],
    ];
    const says = `It has ${names.join(" and ")}.`;
    return [{ says, label: "Repair", text: repaired }];
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (lines.length < 2 || !lines.every(isJson)) return [];
  return [{
    says: `This is JSON Lines: ${lines.length} texts, one a line.`,
    label: "Make it an array",
    text: `[\n${lines.join(",\n")}\n]\n`,
  }];
}

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Compares a digest, as `sha256sum`, OpenSSL, a certificate or a lock file
 * writes it, with computed ones.
 *
 * @param {string} expected
 * @param {readonly string[]} digests In hexadecimal digits.
 * @returns {{ isEqual: boolean, words: string }}
 */
export function compareDigest(expected, digests) {
  const words = [expected, ...expected.split(/[\s=]+/)].map((word) =>
    word.trim().replace(/^(?:sha-?[\d-]*\d[:-]|0x|\\x)/i, "")
  );
  const hex = words.map((word) => word.replaceAll(/[\s:]/g, "").toLowerCase())
    .concat(words.map(toHex))
    .find((word) => /^[\da-f]+$/.test(word) && ALGORITHMS.has(word.length));
  if (!hex) {
    const names = "SHA-1, SHA-256 or SHA-512 digest";
    return { isEqual: false, words: `✗ Not a ${names}` };
  }
  const isEqual = digests.includes(hex);
  const name = ALGORITHMS.get(hex.length);
  const verdict = isEqual ? `✓ Equal: ${name}` : `✗ Not equal to ${name}`;
  return { isEqual, words: verdict };
}

/** The bytes of Base64 in hexadecimal digits; nothing for another text. @param {string} word */
function toHex(word) {
  try {
    const bytes = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
    return Array.from(
      bytes,
      (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"),
    ).join("");
  } catch {
    return "";
  }
}
