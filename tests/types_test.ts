/** Calls of the library with arguments of wrong types, as from JavaScript, or out of bounds. */

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

/** Functions and arguments, with the error message. */
const CALLS: readonly (readonly [
  name: string,
  args: readonly unknown[],
  message: string,
])[] = [
  ["formatJson", [{}], "text must be a string, got an object"],
  ["formatJson", ["[]", { indent: "2" }], 'indent must be a number, got "2"'],
  [
    "formatJson",
    ["[]", { maxBytes: null }],
    "maxBytes must be a number, got null",
  ],
  ["minifyJson", [], "text must be a string, got nothing"],
  ["findJsonError", [[]], "text must be a string, got an array"],
  ["decodeForgivingBase64", [null], "base64 must be a string, got null"],
  ["encodeBase64", [1], "data must be a string or a Uint8Array, got 1"],
  [
    "encodeBase64",
    ["a", "URL"],
    'variant must be "standard" or "url", got "URL"',
  ],
  [
    "generatePassword",
    ["abc", 9],
    'classes must be an array of strings, got "abc"',
  ],
  [
    "generatePassword",
    [[1], 9],
    "classes must be an array of strings, got an array",
  ],
  ["generatePassword", [["ab"], "9"], 'length must be a number, got "9"'],
  [
    "computeEntropy",
    [["ab"], 9],
    "classSizes must be an array of numbers, got an array",
  ],
  ["computeEntropy", [[2], true], "length must be a number, got true"],
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
  ["formatJson", ["[]", null], "options must be an object, got null"],
  [
    "createHandler",
    [{ bodyTimeoutMs: "9" }],
    'bodyTimeoutMs must be a number, got "9"',
  ],
];

Deno.test("every function of the library names an argument of a wrong type and the right type", async (t) => {
  for (const [name, args, message] of CALLS) {
    const call = LIBRARY[name] as (...args: readonly unknown[]) => unknown;
    await t.step(`${name}(): ${message}`, () => {
      const error = assertThrows(() => call(...args), TypeError);
      assertEquals(error.message, message);
    });
  }
  // Names of classes and constants begin with a capital.
  const functions = Object.keys(LIBRARY).filter((name) => /^[a-z]/.test(name));
  const called = new Set(CALLS.map(([name]) => name));
  assertEquals([...called].sort(), functions.sort());
});

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const SIZES =
  "must be 1 to 8 non-empty sets with at most 256 characters in total, got";
const RARE =
  "length must be such that one draw in 1000 has a character of each class, got";

/** Functions and arguments out of bounds, with the error message. */
const OUT_OF_BOUNDS: readonly (readonly [
  name: string,
  args: readonly unknown[],
  message: string,
])[] = [
  ...[NaN, 0, -1, 1.5, Infinity, 16_777_217].map((maxBodyBytes) =>
    [
      "createHandler",
      [{ maxBodyBytes }],
      `maxBodyBytes must be an integer from 1 to 16777216, got ${maxBodyBytes}`,
    ] as const
  ),
  ...[NaN, 0, -1, 1.5, Infinity, 2 ** 31].map((bodyTimeoutMs) =>
    [
      "createHandler",
      [{ bodyTimeoutMs }],
      `bodyTimeoutMs must be an integer from 1 to 2147483647, got ${bodyTimeoutMs}`,
    ] as const
  ),
  ...[NaN, 0, -1, 1.5, Infinity].flatMap((number) => [
    [
      "formatJson",
      ["[]", { indent: number }],
      `indent must be an integer from 1 to 100, got ${number}`,
    ] as const,
  ]),
  [
    "formatJson",
    ["[]", { indent: 101 }],
    "indent must be an integer from 1 to 100, got 101",
  ],
  ...[NaN, 0, -1, 1.5, -Infinity].map((maxBytes) =>
    [
      "formatJson",
      ["[]", { maxBytes }],
      `maxBytes must be an integer of at least 1, got ${maxBytes}`,
    ] as const
  ),
  ...[NaN, -1, 1.5, Infinity, 1_000_001].flatMap((length) => [
    [
      "generatePassword",
      [["ab"], length],
      `length must be an integer from 0 to 1000000, got ${length}`,
    ] as const,
    [
      "computeEntropy",
      [[2], length],
      `length must be an integer from 0 to 1000000, got ${length}`,
    ] as const,
  ]),
  // With 26 classes of a letter, one text of 26 letters in 15,000,000,000 has them all.
  ["generatePassword", [LETTERS, 26], `classes ${SIZES} 26 with 26`],
  [
    "computeEntropy",
    [Array(40).fill(1), 99],
    `classSizes ${SIZES} 40 with 40`,
  ],
  ["computeEntropy", [[], 1], `classSizes ${SIZES} 0 with 0`],
  ["computeEntropy", [[200, 57], 9], `classSizes ${SIZES} 2 with 257`],
  ...[NaN, 0, -1, 1.5, Infinity].map((size) =>
    [
      "computeEntropy",
      [[size], 9],
      `classSizes ${SIZES} 1 with ${size}`,
    ] as const
  ),
  ["generatePassword", [
    ["a", "b", "c", "d", "e", "f", "g", "h".repeat(200)],
    8,
  ], `${RARE} 8`],
  ["computeEntropy", [[1, 1, 1, 253], 4], `${RARE} 4`],
  ...[NaN, -1, Infinity].map((bits) =>
    [
      "rateStrength",
      [bits],
      `bits must be a finite number of at least 0, got ${bits}`,
    ] as const
  ),
];

Deno.test("every function of the library names a number out of its bounds, and the bounds", async (t) => {
  for (const [name, args, message] of OUT_OF_BOUNDS) {
    const call = LIBRARY[name] as (...args: readonly unknown[]) => unknown;
    await t.step(`${name}(): ${message}`, () => {
      const error = assertThrows(() => call(...args), RangeError);
      assertEquals(error.message, message);
    });
  }
});

Deno.test("an option of createHandler() that is undefined has its default", async () => {
  const handler = createHandler(
    Object.fromEntries(
      [
        "maxBodyBytes",
        "bodyTimeoutMs",
        "isShuttingDown",
        "logRequests",
      ]
        .map((name) => [name, undefined]),
    ),
  );
  const response = await handler(new Request("http://localhost/healthz"));
  assertEquals(await response.json(), { status: "ok" });
});
