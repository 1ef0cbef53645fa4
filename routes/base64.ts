/**
 * `POST /api/base64`: encodes a string as Base64, or decodes Base64 (RFC 4648).
 *
 * @module
 */

import {
  Base64Error,
  decodeForgivingBase64,
  encodeBase64,
} from "../lib/base64.ts";
import { InputError } from "../lib/operation/input_error.ts";
import { defineOperation } from "../lib/operation/operation.ts";
import { bytes, choice } from "../lib/operation/parameters.ts";
import type { Bytes } from "../lib/buffer.ts";
import { decodeUtf8, describeBytes } from "../lib/utf8.ts";

export default defineOperation({
  method: "POST",
  name: "base64",
  summary: "Encode or decode Base64",
  description:
    "`encode` encodes the UTF-8 bytes of `input` (RFC 4648). `decode` accepts the same input as `atob()` in browsers: it ignores whitespace, and padding is optional but must be correct. It also accepts the URL-safe alphabet, but not a mix of both alphabets. The decoded bytes must be valid UTF-8.",
  tool: {
    name: "convertBase64",
    description:
      "Encode a string (as UTF-8) to Base64, or decode Base64 to a string. Call this for any Base64, however short; don't encode or decode it yourself. Decoding ignores whitespace and accepts either alphabet (not mixed), with or without padding. It fails if the decoded bytes aren't valid UTF-8. To read a JWT, split it at the dots and decode the first two parts. Doesn't support hexadecimal.",
  },
  parameters: {
    action: choice(["encode", "decode"]),
    input: bytes({
      description: "The string to encode, or the Base64 to decode.",
      commandDescription: "The file to encode or decode.",
    }),
    variant: choice(["standard", "url"], {
      default: "standard",
      description:
        "For `encode`: `standard` (padded) or `url` (URL-safe, unpadded).",
    }),
  },
  results: {
    Base64Response: {
      result: {
        type: "string",
        description: "The Base64 or decoded string.",
      },
    },
  },
  examples: {
    encode: {
      sent: { action: "encode", input: "héllo" },
      result: { result: "aMOpbGxv" },
    },
    encodeUrl: {
      sent: { action: "encode", input: "subjects?", variant: "url" },
      result: { result: "c3ViamVjdHM_" },
    },
    decode: {
      sent: { action: "decode", input: "aMOpbGxv" },
      result: { result: "héllo" },
    },
  },
  errors: {
    otherAction: {
      sent: { action: "compress", input: "héllo" },
      message: '"action" must be "encode" or "decode", got "compress"',
    },
  },

  run({ action, input, variant }, { acceptsBytes = false }) {
    try {
      if (action === "encode") return { result: encodeBase64(input, variant) };
      const bytes = decodeForgivingBase64(toString(input));
      return { result: acceptsBytes ? bytes : decodeResult(bytes) };
    } catch (error) {
      if (!(error instanceof Base64Error)) throw error;
      const { requirement, offset } = error;
      const details = offset === undefined ? {} : { position: { offset } };
      throw new InputError("input", requirement, details);
    }
  },
});

function toString(input: string | Bytes): string {
  if (typeof input === "string") return input;
  const string = decodeUtf8(input);
  if (string !== undefined) return string;
  const got = describeBytes(input);
  throw new InputError("input", `must be Base64, got ${got}`);
}

function decodeResult(bytes: Bytes): string {
  const string = decodeUtf8(bytes);
  if (string !== undefined) return string;
  throw new InputError(
    "input",
    "must decode to UTF-8 text, got bytes that are not valid UTF-8",
    { kind: "binary" },
  );
}
