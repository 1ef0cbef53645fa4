/**
 * `POST /api/hash`: the SHA-1, SHA-256 or SHA-512 digest of a text (FIPS 180-4).
 *
 * @module
 */

import { InputError } from "../lib/operation/input_error.ts";
import { defineOperation } from "../lib/operation/operation.ts";
import { choice, optional, text } from "../lib/operation/parameters.ts";
import {
  type Algorithm,
  ALGORITHM_NAMES,
  describeRefusal,
  findDigest,
} from "../lib/digests/choice.ts";
import { formatValue } from "../lib/format_value.ts";
import { findUtf8Error, withUtf8 } from "../lib/utf8.ts";

const ALGORITHMS = ["sha1", "sha256", "sha512"] as const;

export default defineOperation({
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
    input: text({
      description: "The text to hash.",
      commandDescription: "The bytes to hash.",
    }),
  },
  results: {
    HashResponse: {
      result: {
        type: "string",
        pattern: "^([0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$",
        description: "The digest.",
      },
      algorithm: { type: "string", enum: ALGORITHMS },
    },
  },
  examples: {
    sha256: {
      sent: { algorithm: "sha256", input: "abc" },
      result: {
        result:
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        algorithm: "sha256",
      },
    },
    sha1: {
      sent: { algorithm: "sha1", input: "abc" },
      result: {
        result: "a9993e364706816aba3e25717850c26c9cd0d89d",
        algorithm: "sha1",
      },
    },
  },
  errors: {
    noInput: {
      sent: { algorithm: "sha1" },
      message: '"input" must be a string, got nothing',
    },
    md5: {
      sent: { algorithm: "md5", input: "abc" },
      message:
        '"algorithm" must be "sha1", "sha256" or "sha512": Web Crypto does not support "md5"',
      isUnsupported: true,
    },
  },

  async run({ algorithm, input }) {
    // `TextEncoder` would replace a lone surrogate by U+FFFD: another text would be hashed.
    const error = findUtf8Error(input);
    if (error !== undefined) {
      const { requirement, offset } = error;
      throw new InputError("input", requirement, { position: { offset } });
    }
    const name = ALGORITHM_NAMES[algorithm];
    const digest = await withUtf8(
      input,
      (bytes) => crypto.subtle.digest(name, bytes),
    );
    return { result: new Uint8Array(digest).toHex(), algorithm };
  },

  command: {
    summary: "Hash bytes",
    options: {
      check: optional(
        text({
          description:
            "Fail, with status 1, unless this is the digest of FILE, in any notation, or a list that has it.",
        }),
      ),
    },
    async run({ algorithm, check }, { file, digest }) {
      const expected = check === undefined
        ? undefined
        : readExpected(check, { algorithm, file });
      // `crypto.subtle.digest()` alone would need the whole input in memory.
      const result = await digest(ALGORITHM_NAMES[algorithm]);
      if (expected !== undefined && expected.hex !== result) {
        const rule = `must have the digest ${expected.place}, got ${result}`;
        throw new InputError("input", rule);
      }
      return { result, algorithm };
    },
  },
});

/**
 * Returns the digest that the value of `--check` has for a file, in lower-case hexadecimal,
 * and its place for messages.
 *
 * @throws {InputError} if the value has no such digest, or that of another algorithm.
 */
function readExpected(
  check: string,
  { algorithm, file }: {
    readonly algorithm: Algorithm;
    readonly file: string | undefined;
  },
): { hex: string; place: string } {
  const found = findDigest(check, file);
  if ("rule" in found) {
    const refusal = { got: formatValue(check), ...found };
    throw new InputError("check", describeRefusal(refusal, formatValue));
  }
  if (found.algorithm !== algorithm) {
    const { algorithm: other } = found;
    const rule =
      `must be a digest of ${algorithm}, got one of ${other}: use hash ${other}`;
    throw new InputError("check", rule);
  }
  const isList = check.trim().includes("\n");
  const place = isList ? `in line ${found.line} of --check` : "of --check";
  return { hex: found.hex, place };
}
