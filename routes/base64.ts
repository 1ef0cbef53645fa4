/**
 * `POST /api/base64`: text as Base64, and Base64 as text (RFC 4648).
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
import { choice, text } from "../lib/operation/parameters.ts";
import { decodeUtf8 } from "../lib/utf8.ts";

export const base64 = defineOperation({
  method: "POST",
  name: "base64",
  summary: "Encode text as Base64, or decode it",
  description:
    "`encode` takes the UTF-8 bytes of `input` (RFC 4648). `decode` accepts the same text as `atob()` in browsers: white space is ignored, and padding is optional but must be right. It also accepts the URL-safe alphabet, but not both alphabets in one text. The bytes must be UTF-8 text.",
  tool: {
    name: "convertBase64",
    description:
      "Encode text (as UTF-8) in Base64, or decode Base64 to text. Use it for every Base64 text, however short: never encode or decode one yourself. Decoding takes either alphabet, with or without padding and white space; bytes that are not UTF-8 are an error. Decode a JWT part by part: split it at the dots, the last part is not text. No hexadecimal.",
  },
  parameters: {
    action: choice(["encode", "decode"]),
    input: text({
      description: "The text to encode, or the Base64 text to decode.",
    }),
    variant: choice(["standard", "url"], {
      default: "standard",
      description:
        "For `encode`: `standard` (default) is the standard alphabet with padding, `url` the URL-safe one without.",
    }),
  },
  result: {
    result: { type: "string", description: "The encoded or decoded text." },
  },
  examples: {
    encode: [{ action: "encode", input: "héllo" }, { result: "aMOpbGxv" }],
    encodeUrl: [{ action: "encode", input: "subjects?", variant: "url" }, {
      result: "c3ViamVjdHM_",
    }],
    decode: [{ action: "decode", input: "aMOpbGxv" }, { result: "héllo" }],
  },
  errors: {
    otherAction: [
      { action: "compress", input: "héllo" },
      '"action" must be "encode" or "decode", got "compress"',
    ],
  },
  run({ action, input, variant }) {
    const result = action === "encode"
      ? convert(() => encodeBase64(input, variant))
      : toText(convert(() => decodeForgivingBase64(input)));
    return { result };
  },
  command: {
    summary: "Encode bytes as Base64, or decode it",
    input: "The bytes to encode, or the Base64 text to decode",
    runBytes({ action, variant, json }, input) {
      if (action === "encode") return { result: encodeBase64(input, variant) };
      // A byte order mark is kept, and wrong bytes are replaced: neither is Base64.
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(input);
      const bytes = convert(() => decodeForgivingBase64(text));
      return { result: json ? toText(bytes) : bytes };
    },
  },
});

/** Turns an error of the computation into one of the parameter. */
function convert<Result>(compute: () => Result): Result {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new InputError("input", error.message);
  }
}

function toText(bytes: Uint8Array<ArrayBuffer>): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new InputError(
    "input",
    "must encode UTF-8 text, got bytes that are not UTF-8 text",
  );
}
