/** Calls of the library from JavaScript, with arguments of wrong types. */

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
  ["decodeForgivingBase64", [null], "text must be a string, got null"],
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
  ["createHandler", [{ threads: "2" }], 'threads must be a number, got "2"'],
  [
    "createHandler",
    [{ maxBodyBytes: undefined }],
    "maxBodyBytes must be a number, got nothing",
  ],
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
