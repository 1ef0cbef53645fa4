/// <reference path="./types.d.ts" />

/** Changes of a text that are certain enough to be offered as one click, and digests in their notations. */

/** Texts that are recognised for an action: their pattern and name, and the button that keeps the group, or else the rest. */
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
    /^\s*eyJ[\w-]*\.([\w-]+)\.[\w-]*\s*$/,
    "This is a JSON Web Token.",
    "Decode the payload",
  ],
  ["decode", /^\s*(eyJ[\w-]*)\.[\w-]+\.[\w-]*\s*$/, "", "Decode the header"],
]);

/** Strings of both kinds, and commas before a closing bracket. */
const JSON_PARTS =
  /"[^"\\]*(?:\\[^][^"\\]*)*"|'([^'\\]*(?:\\[^][^'\\]*)*)'|(?<![[{,]\s*),(?=\s*[\]}])/g;

/** The names of digests by their length in hexadecimal digits. */
const ALGORITHMS = new Map([[40, "SHA-1"], [64, "SHA-256"], [128, "SHA-512"]]);

/**
 * Offers changes of the input of a call.
 * @param {string} tool @param {Values} values @param {boolean} isWrong Whether the service refused the input.
 * @returns {Suggestion[]}
 */
export function suggest(tool, values, isWrong) {
  const { input = "" } = values;
  const found = [];
  for (const [action, pattern, says, label] of RECOGNISED) {
    const [all, part] = pattern.exec(input) ?? [];
    if (all === undefined || action && action !== values.action) continue;
    found.push({ says, label, value: part ?? input.slice(all.length) });
  }
  return tool === "json" && isWrong ? [...found, ...repairJson(input)] : found;
}

/** Offers repairs that make a text valid JSON. @param {string} text @returns {Suggestion[]} */
function repairJson(text) {
  const found = new Set();
  const repaired = text.replace(JSON_PARTS, (part, single) => {
    if (part === ",") {
      found.add("trailing commas");
      return "";
    }
    if (single === undefined) return part;
    found.add("single quotes");
    const inner = single.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"');
    return `"${inner}"`;
  });
  if (found.size > 0 && isJson(repaired)) {
    const says = `It has ${[...found].join(" and ")}.`;
    return [{ says, label: "Repair", value: repaired }];
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim());
  if (lines.length < 2 || !lines.every(isJson)) return [];
  return [{
    says: `This is JSON Lines: ${lines.length} texts, one a line.`,
    label: "Make it an array",
    value: `[\n${lines.join(",\n")}\n]\n`,
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
 * Compares a digest, as `sha256sum`, OpenSSL, a certificate or a lock file writes it, with computed ones.
 * @param {string} expected @param {readonly string[]} digests In hexadecimal digits.
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

/** The bytes of Base64 in hexadecimal digits; nothing for another text. @param {string} word */
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
