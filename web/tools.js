/** The five tools of the page (Base64, hash, UUID, password, JSON): their requests, results and messages. Uses no DOM. */

import { decodeBase64, dump, recogniseBytes } from "./bytes.js";
import { describeForeign } from "./call.js";
import { findDuplicate } from "./json.js";
import { findRepairs } from "./repair.js";
import { splitToken, suggest, suggestNext } from "./suggest.js";
import { describeSize, findPosition, namePlace, shorten } from "./text.js";

/** For each class of characters in passwords: the number of its characters with and without look-alikes (`0O1Il5S`). */
const CLASS_SIZES = {
  uppercase: [26, 23],
  lowercase: [26, 25],
  numbers: [10, 7],
  symbols: [28, 28],
};

/** For each tool, by name: the functions in which the tools differ. @type {Readonly<Record<string, Kind>>} */
export const TOOLS = {
  base64: {
    requests({ input = "", action }) {
      const parts = action === "decode" ? splitToken(input) : undefined;
      return parts?.map((input) => ({ input })) ?? [{}];
    },
    // Decoding a JSON Web Token takes two requests, one for its header and one for its payload. The example code shows only the second.
    describe(values) {
      return this.requests?.(values).at(-1) ?? {};
    },
    read(answers) {
      const results = answers.map(({ result }) => result);
      if (!results.every((result) => typeof result === "string")) return;
      const result = results.join("\n");
      if (results.length > 1) return { result, parts: results };
      return result ? { result } : { result, note: "This decodes to nothing." };
    },
  },
  hash: {
    requests: () =>
      ["sha1", "sha256", "sha512"].map((algorithm) => ({ algorithm })),
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
      const level = String(strength);
      const name = level.replace("-", " ")
        .replace(/^./, (first) => first.toUpperCase());
      const rating = `${name}, ${bits.toFixed(1)} bits`;
      return { result, bits, level, rating, spoken: `${result} (${rating})` };
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
 * Sends the requests of a call and returns the outcome of the call.
 * @param {string} tool @param {Values} values @param {Ask} ask The function that sends a request. @returns {Promise<Outcome>}
 */
export async function interpret(tool, values, ask) {
  if (values.input === "" && tool !== "hash") return { result: "" };
  const { requests = () => [{}], read } = TOOLS[tool] ?? {};
  const replies = await Promise.all(requests(values).map(ask));
  const answers = [];
  for (const reply of replies) {
    if ("failure" in reply) return reply;
    if ("error" in reply) {
      return showBytes(values, reply.error) ??
        explain(reply.error, values.input);
    }
    answers.push(reply.answer);
  }
  return read?.(answers, values) ?? describeForeign(200);
}

/**
 * Returns possible repairs of an invalid JSON input. Asks the service about each, and omits those that are not valid
 * JSON.
 * @param {string} tool @param {Values} values @param {Ask} ask @returns {Promise<Suggestion[]>}
 */
export async function findValidRepairs(tool, { input = "" }, ask) {
  if (tool !== "json") return [];
  const repairs = [];
  for (const repair of findRepairs(input)) {
    const reply = await ask({ input: repair.value, action: "validate" });
    if ("answer" in reply && reply.answer.valid === true) repairs.push(repair);
  }
  return repairs;
}

/** If the service has rejected Base64 because the decoded data is not UTF-8 text, returns an outcome with a hex dump of the data. @param {Values} values @param {string} error @returns {Outcome | undefined} */
function showBytes({ input = "", action }, error) {
  if (action !== "decode" || !error.endsWith("not UTF-8 text")) return;
  const bytes = decodeBase64(input);
  return bytes && { result: dump(bytes), bytes, kind: recogniseBytes(bytes) };
}

/** Converts an error message of the service to a message for the user. If the message names a position in the input, also returns its offset. @param {string} error @param {string} [input] */
function explain(error, input = "") {
  const words = namePlace(error, input).replace(
    /^"input" must be JSON:/,
    "Not valid JSON:",
  )
    .replace(/^one of "uppercase".*/, "Choose at least one kind of character")
    .replace(/^"(\w+)"/, "The $1");
  return { wrong: `${words}.`, offset: findPosition(error, input) };
}

/** Returns the message to show after a call, and the buttons of the message. @param {string} tool @param {Values} values @param {Outcome} outcome */
export function describeOutcome(tool, values, outcome) {
  const { wrong, failure, offset, result, bytes, kind, repairs = [] } = outcome;
  const hints = failure ? [] : suggest(tool, values, wrong !== undefined);
  hints.push(...repairs);
  if (result && !bytes) hints.push(...suggestNext(tool, values, outcome));
  /** @type {Button[]} */
  const buttons = hints.map((hint) => ({ ...hint, act: "fill" }));
  if (offset !== undefined) {
    buttons.push({ label: "Show", act: "select", value: String(offset) });
  }
  const twice = tool === "json" && !wrong && !failure &&
    findDuplicate(values.input ?? "");
  if (twice) {
    buttons.push({ label: "Show", act: "select", value: `${twice.offset}` });
  }
  if (failure) buttons.push({ label: "Try again", act: "retry" });
  if (bytes) buttons.push({ label: "Download the bytes", act: "save" });
  const said = bytes &&
    `This is ${kind?.name}, ${
      describeSize(bytes.length)
    }, which the service does not decode, since it is not UTF-8 text. The bytes are computed in this page.`;
  const note = twice &&
    `An object has the name “${
      shorten(twice.name)
    }” twice, and most programs take the last one. This page has found it, not the service.`;
  const words = [wrong, failure, said, note, ...hints.map(({ says }) => says)];
  return { words: words.filter(Boolean).join(" "), buttons };
}

/**
 * Returns the entropy of a password, in bits: the binary logarithm of the number of passwords that the service can
 * generate with the same options. The service computes the same entropy.
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
  // Inclusion and exclusion: one term for each set of character classes that a password can lack. `left` is the number of characters in the other classes.
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
