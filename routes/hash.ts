/**
 * `POST /api/hash`: the digest of a text (FIPS 180-4).
 *
 * @module
 */

import { type Algorithm, digestBytes, digestStream } from "../lib/digest.ts";
import { ExitError } from "../lib/exit_error.ts";
import { formatValue } from "../lib/format_value.ts";
import { InputError } from "../lib/operation/input_error.ts";
import { defineOperation } from "../lib/operation/operation.ts";
import { choice, optional, text } from "../lib/operation/parameters.ts";
import { findUtf8Error } from "../lib/utf8.ts";

const ALGORITHMS = ["sha1", "sha256", "sha512"] as const;

const utf8Encoder = new TextEncoder();

export const hash = defineOperation({
  method: "POST",
  name: "hash",
  summary: "Hash text",
  description:
    "The digest of the UTF-8 bytes of `input` in lower-case hexadecimal (FIPS 180-4). `md5` is answered with 501, because Web Crypto does not support it.",
  tool: {
    name: "hashText",
    description:
      'Compute the SHA-1, SHA-256 or SHA-512 digest of a text in lower-case hexadecimal. Use it to give or check a digest: never write one from memory. Every byte of `input` counts: for `echo abc | sha256sum` it is "abc\\n". No MD5 (no tool computes it) or other algorithms, no HMAC, no files, no hexadecimal input.',
  },
  parameters: {
    algorithm: choice(ALGORITHMS, {
      unsupported: { md5: 'Web Crypto does not support "md5"' },
    }),
    input: text({ description: "The text to hash." }),
  },
  result: {
    result: {
      type: "string",
      pattern: "^([0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$",
      description: "The digest.",
    },
    algorithm: { type: "string", enum: ALGORITHMS },
  },
  examples: {
    sha256: [{ algorithm: "sha256", input: "abc" }, {
      result:
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      algorithm: "sha256",
    }],
    sha1: [{ algorithm: "sha1", input: "abc" }, {
      result: "a9993e364706816aba3e25717850c26c9cd0d89d",
      algorithm: "sha1",
    }],
  },
  errors: {
    noInput: [{ algorithm: "sha1" }, '"input" must be a string, got nothing'],
    md5: [
      { algorithm: "md5", input: "abc" },
      '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
      501,
    ],
  },
  run({ algorithm, input }) {
    const error = findUtf8Error(input);
    if (error !== undefined) throw new InputError("input", error);
    return hashBytes(algorithm, utf8Encoder.encode(input));
  },
  command: {
    summary: "Hash bytes",
    input: "The bytes to hash",
    options: {
      check: optional(
        text({
          description: "Fail, with status 1, unless this is the result.",
        }),
      ),
    },
    async runStream({ algorithm, check }, input) {
      const expected = check?.toLowerCase();
      if (expected !== undefined && !/^[\da-f]{40,128}$/.test(expected)) {
        const got = formatValue(expected);
        throw new InputError("check", `must be a result, got ${got}`);
      }
      const result = await digestStream(algorithm, input);
      if (expected === undefined || expected === result) {
        return { result, algorithm };
      }
      const message = `the result is not the one of --check, but ${result}`;
      throw new ExitError(1, message);
    },
  },
});

/** Not a part of `run()`, which would keep the text in memory until the digest is made. */
async function hashBytes(
  algorithm: Algorithm,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<object> {
  const result = await digestBytes(algorithm, bytes);
  return { result, algorithm };
}
