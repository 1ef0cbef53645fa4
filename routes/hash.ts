/**
 * `POST /api/hash`: the SHA-1, SHA-256, or SHA-512 digest of a string (FIPS 180-4).
 *
 * @module
 */

import { InputError } from "../lib/operation/input_error.ts";
import {
  type CommandInput,
  defineOperation,
} from "../lib/operation/operation.ts";
import {
  bytes,
  choice,
  optional,
  string,
} from "../lib/operation/parameters.ts";
import {
  type Algorithm,
  ALGORITHM_NAMES,
  findDigests,
} from "../lib/digest_list.ts";
import { formatValue } from "../lib/format_value.ts";
import { toUtf8 } from "../lib/utf8.ts";

const ALGORITHMS = ["sha1", "sha256", "sha512"] as const;

export default defineOperation({
  method: "POST",
  name: "hash",
  summary: "Hash a string",
  description:
    "Returns the digest of the UTF-8 bytes of `input` in lowercase hexadecimal (FIPS 180-4). For `md5`, which Web Crypto does not support, the status is 501.",
  tool: {
    name: "hashText",
    description:
      'Compute the SHA-1, SHA-256, or SHA-512 digest of a string as lowercase hexadecimal. Call this to produce or verify a digest; never recall one from memory. Every byte of `input` counts: for `echo abc | sha256sum`, send "abc\\n". Doesn\'t support MD5 (no tool here does) or other algorithms, HMAC, files, or hexadecimal input.',
  },
  parameters: {
    algorithm: choice(ALGORITHMS, {
      unsupported: { md5: "which Web Crypto does not support" },
    }),
    input: bytes({
      description: "The string to hash.",
      commandDescription: "The file to hash.",
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
  },
  errors: {
    noInput: {
      sent: { algorithm: "sha1" },
      message: '"input" must be a string, got nothing',
    },
    md5: {
      sent: { algorithm: "md5", input: "abc" },
      message:
        '"algorithm" must be "sha1", "sha256" or "sha512", got "md5", which Web Crypto does not support',
      isUnsupported: true,
    },
  },

  async run({ algorithm, input }) {
    const name = ALGORITHM_NAMES[algorithm];
    const digest = await crypto.subtle.digest(name, toUtf8(input));
    return { result: new Uint8Array(digest).toHex(), algorithm };
  },

  command: {
    summary: "Hash a file or standard input",
    options: {
      check: optional(
        string({
          description:
            'Compare FILE with an expected digest or a checksum list, such as `"$(cat SHA256SUMS)"`. If FILE does not match, the exit status is 1.',
        }),
      ),
    },
    async run({ algorithm, check }, input) {
      const expected = check === undefined
        ? undefined
        : await readExpected(check, algorithm, input);
      const result = await input.digest(ALGORITHM_NAMES[algorithm]);
      if (expected !== undefined && !expected.includes(result)) {
        const digests = expected.join(" or ");
        const requirement = `must have the digest ${digests}, got ${result}`;
        throw new InputError("input", requirement);
      }
      return { result, algorithm };
    },
  },
});

/**
 * Returns the digests in the `--check` value that apply to the input.
 *
 * @throws {InputError} if no digest applies, or if it is ambiguous which one does.
 */
async function readExpected(
  check: string,
  algorithm: Algorithm,
  { path, isFile }: CommandInput,
): Promise<readonly string[]> {
  const found = findDigests(check, { algorithm, path });
  if ("digests" in found) return found.digests;
  if (await isFile(check)) {
    const name = /^[\w./][\w./-]*$/.test(check) ? check : "FILE";
    const requirement = "must be a digest or a checksum list, got a file path";
    throw new InputError(
      "check",
      `${requirement}: use --check "$(cat ${name})"`,
    );
  }
  const other = findDigests(check, { path });
  const { requirement, got = formatValue(check) } = found;
  const advice = "digests" in other
    ? `a ${other.algorithm} digest: use hash ${other.algorithm}`
    : got;
  throw new InputError("check", `${requirement}, got ${advice}`);
}
