/** The differences between the five tools, without a page: their calls and their answers. */

import { describeForeign } from "./call.js";
import { suggest } from "./suggest.js";
import { findPosition } from "./text.js";

/** Sizes of the character classes, with and without the look-alikes. */
const CLASS_SIZES = {
  uppercase: [26, 23],
  lowercase: [26, 25],
  numbers: [10, 7],
  symbols: [28, 28],
};

/** @type {Readonly<Record<string, Kind>>} */
export const TOOLS = {
  base64: {
    read([{ result } = {}]) {
      if (typeof result !== "string") return;
      return result ? { result } : { result, note: "This decodes to nothing." };
    },
  },
  hash: {
    requests: ["sha1", "sha256", "sha512"].map((algorithm) => ({ algorithm })),
    read(answers, { algorithm = "" }) {
      const digests = Object.fromEntries(
        answers.map(({ algorithm, result }) => [algorithm, String(result)]),
      );
      const result = digests[algorithm];
      if (!result || answers.length > Object.keys(digests).length) return;
      const spoken = `SHA-${algorithm.slice(3)}: ${result}`;
      return { result, digests, spoken };
    },
  },
  uuid: {
    read([{ uuid, uuids } = {}]) {
      if (typeof uuid === "string") return { result: uuid, spoken: uuid };
      if (!Array.isArray(uuids)) return;
      return { result: uuids.join("\n"), spoken: `${uuids.length} UUIDs` };
    },
  },
  password: {
    read([{ password: result, strength } = {}], values) {
      if (typeof result !== "string") return;
      const bits = computeBits(values);
      const name = String(strength).replace("-", " ");
      const rating = `${name}, ${bits.toFixed(1)} bits`;
      return { result, bits, rating, spoken: `${result} (${rating})` };
    },
  },
  json: {
    read([{ result, valid } = {}], { action, input }) {
      if (typeof result !== "string") return;
      if (valid === false) return explain(`Not valid JSON: ${result}`, input);
      if (action !== "validate") return { result };
      const note = "This is valid JSON.";
      return { result: "", note, spoken: note };
    },
  },
};

/**
 * The outcome of a call; an answer of another server is a failure.
 * @param {string} tool @param {Values} values @param {Ask} ask @returns {Promise<Outcome>}
 */
export async function interpret(tool, values, ask) {
  const { requests = [{}], read } = TOOLS[tool] ?? {};
  const replies = await Promise.all(requests.map(ask));
  const answers = [];
  for (const reply of replies) {
    if ("failure" in reply) return reply;
    if ("error" in reply) return explain(reply.error, values.input);
    answers.push(reply.answer);
  }
  return read?.(answers, values) ?? describeForeign(200);
}

/** The problem that an error of the service describes. @param {string} error @param {string} [input] */
function explain(error, input = "") {
  const words = error.replace(/^"input" must be JSON:/, "Not valid JSON:")
    .replace(/^one of "uppercase".*/, "Choose at least one kind of character")
    .replace(/^"(\w+)"/, "The $1");
  return { wrong: `${words}.`, offset: findPosition(error, input) };
}

/** The words on an outcome, and the buttons beside them. @param {string} tool @param {Values} values @param {Outcome} outcome */
export function describeOutcome(tool, values, { wrong, failure, offset }) {
  const hints = failure ? [] : suggest(tool, values, wrong !== undefined);
  /** @type {Button[]} */
  const buttons = hints.map((hint) => ({ ...hint, act: "fill" }));
  if (offset !== undefined) {
    buttons.push({ label: "Show", act: "select", value: String(offset) });
  }
  if (failure) buttons.push({ label: "Try again", act: "retry" });
  const words = [wrong, failure, ...hints.map(({ says }) => says)];
  return { words: words.filter(Boolean).join(" "), buttons };
}

/**
 * The entropy of a password in bits, as the service computes it: the binary
 * logarithm of the number of possible passwords, by inclusion and exclusion.
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
  // The sizes that are left without each set of classes, and their signs.
  let terms = [{ left: total, sign: 1 }];
  for (const size of sizes) {
    terms = terms.flatMap(({ left, sign }) => [
      { left, sign },
      { left: left - size, sign: -sign },
    ]);
  }
  const share = terms.reduce(
    (sum, { left, sign }) => sum + sign * (left / total) ** length,
    0,
  );
  return length * Math.log2(total) + Math.log2(share);
}
