/** Calls of the library with arguments of invalid types, as from JavaScript, or out of bounds. */

import { assertEquals, assertThrows } from "@std/assert";
import * as base64 from "../lib/base64.ts";
import * as json from "../lib/json/mod.ts";
import * as password from "../lib/password.ts";
import { createHandler } from "../routes/mod.ts";

const LIBRARY: Readonly<Record<string, unknown>> = {
  ...base64,
  ...json,
  ...password,
  createHandler,
};

/** A function and its arguments, with the error message. */
type Call = readonly [name: string, args: readonly unknown[], message: string];

function assertThrowsEach(
  calls: readonly Call[],
  errorClass: typeof TypeError | typeof RangeError,
): void {
  for (const [name, args, message] of calls) {
    const fn = LIBRARY[name] as (...args: readonly unknown[]) => unknown;
    assertEquals(assertThrows(() => fn(...args), errorClass).message, message);
  }
}

const TEXT = "text must be a string, got";
const CLASSES = "classes must be an array of strings, got";

const INVALID_TYPES: readonly Call[] = [
  ["formatJson", [{}], `${TEXT} an object`],
  ["formatJson", ["[]", null], "options must be an object, got null"],
  ["formatJson", ["[]", { indent: "2" }], 'indent must be a number, got "2"'],
  ["minifyJson", [], `${TEXT} nothing`],
  ["findJsonError", [[]], `${TEXT} an array`],
  ["decodeForgivingBase64", [null], "base64 must be a string, got null"],
  ["encodeBase64", [1], "data must be a string or a Uint8Array, got 1"],
  [
    "encodeBase64",
    ["a", "URL"],
    'variant must be "standard" or "url", got "URL"',
  ],
  ["generatePassword", ["abc", 9], `${CLASSES} "abc"`],
  ["generatePassword", [[1], 9], `${CLASSES} an array`],
  ["generatePassword", [["ab"], "9"], 'length must be a number, got "9"'],
  [
    "computeEntropy",
    [["ab"], 9],
    "classSizes must be an array of numbers, got an array",
  ],
  ["rateStrength", ["90"], 'bits must be a number, got "90"'],
  [
    "removeLookAlikes",
    [String],
    "characters must be a string, got a function",
  ],
  ["createHandler", [5], "options must be an object, got 5"],
  [
    "createHandler",
    [{ maxBodyBytes: null }],
    "maxBodyBytes must be a number, got null",
  ],
  [
    "createHandler",
    [{ isShuttingDown: true }],
    "isShuttingDown must be a function, got true",
  ],
  [
    "createHandler",
    [{ logRequests: "yes" }],
    'logRequests must be a boolean, got "yes"',
  ],
];

Deno.test("every function of the library names an argument of an invalid type and the valid type", () => {
  assertThrowsEach(INVALID_TYPES, TypeError);
  // Names of classes and constants start with a capital.
  const functions = Object.keys(LIBRARY).filter((name) => /^[a-z]/.test(name));
  const called = new Set(INVALID_TYPES.map(([name]) => name));
  assertEquals([...called].sort(), functions.sort());
});

/** Returns calls with numbers that aren't integers from 1 to a maximum. */
function createCalls(
  name: string,
  option: string,
  max = Infinity,
): readonly Call[] {
  const bounds = max === Infinity ? "of at least 1" : `from 1 to ${max}`;
  return [NaN, 0, 1.5, max === Infinity ? -1 : max + 1].map((number) => {
    const args = [...name === "formatJson" ? ["[]"] : [], { [option]: number }];
    return [
      name,
      args,
      `${option} must be an integer ${bounds}, got ${number}`,
    ];
  });
}

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const SIZES =
  "must contain 1 to 8 non-empty sets with at most 256 characters in total, got";
const LENGTH = "length must be an integer from 0 to 1000000, got";
const RARE =
  "length must be such that at least one in 1000 draws contains every class, got";

const OUT_OF_BOUNDS: readonly Call[] = [
  ...createCalls("createHandler", "maxBodyBytes", 16_777_216),
  ...createCalls("createHandler", "bodyTimeoutMs", 2 ** 31 - 1),
  ...createCalls("formatJson", "indent", 100),
  ...createCalls("formatJson", "maxBytes"),
  ["generatePassword", [["ab"], -1], `${LENGTH} -1`],
  ["computeEntropy", [[2], 1_000_001], `${LENGTH} 1000001`],
  // With 26 classes of a letter, one string of 26 letters in 15,000,000,000 has them all.
  [
    "generatePassword",
    [LETTERS, 26],
    `classes ${SIZES} 26 sets with 26 characters`,
  ],
  ["computeEntropy", [[], 1], `classSizes ${SIZES} 0 sets with 0 characters`],
  [
    "computeEntropy",
    [[200, 57], 9],
    `classSizes ${SIZES} 2 sets with 257 characters`,
  ],
  ["computeEntropy", [[0], 9], `classSizes ${SIZES} 1 set with 0 characters`],
  [
    "computeEntropy",
    [[1.5], 9],
    `classSizes ${SIZES} 1 set with 1.5 characters`,
  ],
  ["computeEntropy", [[1, 1, 1, 253], 4], `${RARE} 4`],
  ...[NaN, -1, Infinity].map((bits): Call => {
    const message = `bits must be a finite number of at least 0, got ${bits}`;
    return ["rateStrength", [bits], message];
  }),
];

Deno.test("every function of the library names a number out of its bounds, and the bounds", () => {
  assertThrowsEach(OUT_OF_BOUNDS, RangeError);
});

Deno.test("an option of createHandler() that is undefined has its default", async () => {
  const handler = createHandler({
    maxBodyBytes: undefined,
    bodyTimeoutMs: undefined,
    isShuttingDown: undefined,
    logRequests: undefined,
  } as object);
  const response = await handler(new Request("http://localhost/healthz"));
  assertEquals(await response.json(), { status: "ok" });
});
