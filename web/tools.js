/// <reference path="./types.d.ts" />

/** The differences between the five tools, without a page: their calls and their answers. */

import { describeForeign } from "./call.js";
import { escapeUnseen, findBase64Error, findPosition } from "./text.js";

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
    reuse: "Swap",
    preview: ({ action }) =>
      action === "encode"
        ? { promise: "The text as Base64.", example: "Hello, wörld! 👋" }
        : {
          promise: "The decoded text.",
          example: "SGVsbG8sIHfDtnJsZCEg8J+Riw==",
        },
    check: (values) =>
      values.action === "encode" ? findBrokenCharacter(values) : undefined,
    read([{ result } = {}]) {
      if (typeof result !== "string") return;
      return result ? { result } : { result, note: "This decodes to nothing." };
    },
    explain({ input = "" }) {
      const wrong = "The bytes that this encodes are not UTF-8 text.";
      return { wrong, ...findBase64Error(input), controls: ["input"] };
    },
  },
  hash: {
    path: "api/hash",
    method: "POST",
    always: ["algorithm"],
    requests: ["sha1", "sha256", "sha512"].map((algorithm) => ({ algorithm })),
    takesNothing: true,
    check: findBrokenCharacter,
    read(answers, { algorithm = "" }) {
      const digests = Object.fromEntries(
        answers.map(({ algorithm, result }) => [algorithm, String(result)]),
      );
      const result = digests[algorithm];
      if (!result || answers.length > Object.keys(digests).length) return;
      return {
        result,
        digests,
        spoken: `SHA-${algorithm.slice(3)}: ${result}`,
      };
    },
  },
  uuid: {
    path: "api/uuid",
    method: "GET",
    read([{ uuid, uuids } = {}]) {
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
    read([{ password: result, strength } = {}], values) {
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
    file: "result.json",
    reuse: "Use as input",
    preview: ({ action }) => ({
      promise: action === "validate"
        ? "Whether the text is valid JSON, and where it is not."
        : `The same JSON, ${
          action === "minify" ? "without white space" : "indented"
        }: numbers, escapes and the order of names stay as they are.`,
      example:
        '{"name":"widget","price":12.50,"id":12345678901234567890,\n"tags":["new","sale"],"sold out":false,"notes":null}',
    }),
    read([{ result, valid } = {}], { action, input = "" }) {
      if (typeof result !== "string") return;
      if (valid === false) return notJson(result, input);
      if (action !== "validate") return { result };
      const note = "This is valid JSON.";
      return { result: "", note, spoken: note };
    },
    // Options or the size can be wrong too: those errors have no position.
    explain({ input = "" }, error) {
      const problem = notJson(error.replace(/^.*? JSON: /, ""), input);
      return problem.offset === undefined ? undefined : problem;
    },
  },
};

/**
 * The outcome of a call; an answer of another server is a failure.
 *
 * @param {Kind} kind
 * @param {Values} values The values of the call.
 * @param {Ask} ask
 */
export async function interpret(kind, values, ask) {
  const replies = await Promise.all((kind.requests ?? [{}]).map(ask));
  const answers = [];
  for (const reply of replies) {
    if ("failure" in reply) return reply;
    if ("answer" in reply) answers.push(reply.answer);
    else {
      const wrong = reply.error.replace(/^"input"/, "The input");
      return kind.explain?.(values, reply.error) ??
        { wrong, controls: ["input"] };
    }
  }
  return kind.read(answers, values) ??
    describeForeign(200, "JSON of another kind");
}

/** @param {string} message @param {string} input @returns {Problem} */
function notJson(message, input) {
  const offset = findPosition(message, input);
  const wrong = `Not valid JSON: ${escapeUnseen(message)}`;
  return { wrong, controls: ["input"], offset };
}

/** @param {Values} values @returns {Problem | undefined} */
function findBrokenCharacter({ input = "" }) {
  if (input.isWellFormed()) return;
  const offset = input.search(/\p{Surrogate}/u);
  const number = [...input.slice(0, offset)].length + 1;
  return {
    wrong:
      `Character ${number} is half of a surrogate pair, which has no form in UTF-8.`,
    controls: ["input"],
    offset,
  };
}

/**
 * The entropy of a password in bits, as the service computes it: the binary
 * logarithm of the number of possible passwords, by inclusion and exclusion.
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
