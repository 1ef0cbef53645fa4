/// <reference path="./types.d.ts" />

/** What the five tools differ in, without a page: their calls, and what answers mean. */

import { describeForeign } from "./call.js";
import { findBase64Error, findPosition, toShown } from "./text.js";

/** Sizes of the character classes, with and without the look-alikes. */
const CLASS_SIZES = {
  uppercase: [26, 23],
  lowercase: [26, 25],
  numbers: [10, 7],
  symbols: [28, 28],
};

const CLASSES = Object.keys(CLASS_SIZES);

/** @type {Readonly<Record<string, Kind>>} */
export const TOOLS = {
  base64: {
    path: "api/base64",
    method: "POST",
    always: ["action"],
    check: (values) =>
      values.action === "encode" ? findBrokenCharacter(values) : undefined,
    read({ result }) {
      if (typeof result !== "string") return;
      return result ? { result } : { result, note: "This decodes to nothing." };
    },
    explain({ input = "" }) {
      const wrong = "The bytes that this encodes are not UTF-8 text.";
      return { wrong, ...findBase64Error(toShown(input)), controls: ["input"] };
    },
  },
  hash: {
    path: "api/hash",
    method: "POST",
    always: ["algorithm"],
    takesNothing: true,
    check: findBrokenCharacter,
    read({ result }, { algorithm = "" }) {
      if (typeof result !== "string") return;
      return { result, spoken: `SHA-${algorithm.slice(3)}: ${result}` };
    },
  },
  uuid: {
    path: "api/uuid",
    method: "GET",
    read({ uuid, uuids }) {
      if (typeof uuid === "string") return { result: uuid, spoken: uuid };
      if (!Array.isArray(uuids)) return;
      return { result: uuids.join("\n"), spoken: `${uuids.length} UUIDs` };
    },
  },
  password: {
    path: "api/password",
    method: "GET",
    check: (values) =>
      CLASSES.every((name) => values[name] === "false")
        ? { wrong: "Choose at least one kind of character.", controls: CLASSES }
        : undefined,
    read({ password: result, strength }, values) {
      if (typeof result !== "string") return;
      const bits = computeBits(values);
      const rating = `${String(strength).replace("-", " ")}, ${
        bits.toFixed(1)
      } bits`;
      return { result, bits, rating, spoken: `${result} (${rating})` };
    },
  },
  json: {
    path: "api/json",
    method: "POST",
    always: ["action"],
    numbers: ["indent"],
    read({ result, valid }, { action, input = "" }) {
      if (typeof result !== "string") return;
      if (valid === false) return notJson(result, input);
      if (action !== "validate") return { result, isJson: true };
      const note = "This is valid JSON.";
      return { result: "", note, spoken: note };
    },
    // Other things than the text can be wrong: the service is asked.
    async explain({ input = "" }, ask) {
      const reply = await ask({ action: "validate" });
      if (!("answer" in reply) || reply.answer.valid !== false) return;
      return notJson(String(reply.answer.result), input);
    },
  },
};

/**
 * What a reply means; whatever is not the service's is a failure.
 *
 * @param {Kind} kind
 * @param {Values} values What the call was made from.
 * @param {Ask} ask
 */
export async function interpret(kind, values, ask) {
  const reply = await ask({});
  if ("failure" in reply) return reply;
  if ("answer" in reply) {
    return kind.read(reply.answer, values) ??
      describeForeign(200, "JSON of another kind");
  }
  const wrong = reply.error.replace(/^"input"/, "The input");
  return await kind.explain?.(values, ask) ?? { wrong, controls: ["input"] };
}

/** @param {string} message @param {string} input @returns {Problem} */
function notJson(message, input) {
  const offset = findPosition(message, toShown(input));
  return { wrong: `Not valid JSON: ${message}`, controls: ["input"], offset };
}

/** @param {Values} values @returns {Problem | undefined} */
function findBrokenCharacter({ input = "" }) {
  const shown = toShown(input);
  const offset = shown.search(/\p{Surrogate}/u);
  if (offset === -1) return;
  const number = [...shown.slice(0, offset)].length + 1;
  return {
    wrong:
      `Character ${number} is half of a surrogate pair, which has no form in UTF-8.`,
    controls: ["input"],
    offset,
  };
}

/**
 * The entropy of a password, as the service computes it: the binary logarithm of
 * how many there can be with these options, by inclusion and exclusion.
 *
 * @param {Values} values
 */
export function computeBits(values) {
  const column = values.ambiguous === "false" ? 1 : 0;
  const sizes = Object.entries(CLASS_SIZES)
    .filter(([name]) => values[name] !== "false")
    .map(([_name, columns]) => columns[column] ?? 0);
  const length = Number(values.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (length < sizes.length) return length * Math.log2(total);
  let share = 0;
  for (let without = 0; without < 2 ** sizes.length; without += 1) {
    let left = total;
    let sign = 1;
    for (const [i, size] of sizes.entries()) {
      if (!(without & (1 << i))) continue;
      left -= size;
      sign = -sign;
    }
    share += sign * (left / total) ** length;
  }
  return length * Math.log2(total) + Math.log2(share);
}
