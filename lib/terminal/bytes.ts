/**
 * Computes the results of the commands `base64`, `hash` and `json` without their endpoints:
 * the input may be larger than a request body, and `base64` and `hash` accept bytes that
 * are not text. The errors are the same as those of the endpoints.
 *
 * @module
 */

import { Base64Error, decodeForgivingBase64, encodeBase64 } from "../base64.ts";
import type { Fields } from "../http/fields.ts";
import { decodeUtf8 } from "../http/utf8.ts";
import { HttpError } from "../http_error.ts";
import {
  findJsonError,
  formatJson,
  JsonSizeError,
  JsonTextError,
  minifyJson,
} from "../json/mod.ts";

/** Chunks of standard input. */
export type Input = AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * The members of the JSON object that an endpoint answers. The first member is the result;
 * its value may be bytes instead of a text.
 */
export type Answer = Readonly<Record<string, unknown>>;

/** Computes the answer of a command from standard input and the fields that the command line gives. */
type Computation = (fields: Fields, input: Input) => Answer | Promise<Answer>;

/**
 * Largest input that is held in memory, and largest result of the command `json`, in bytes,
 * inclusive: 250 MB.
 */
export const MAX_BYTES = 250_000_000;

/**
 * Largest input that is hashed by Web Crypto, in bytes, inclusive. Larger inputs are hashed
 * by `node:crypto`, which takes time to load.
 */
const SHORT_BYTES = 1024 * 1024;

/** The computations of the commands that call no endpoint, by the command's name. */
export const COMPUTATIONS: Readonly<Record<string, Computation>> = {
  base64,
  hash,
  json,
};

/** Names of the commands that do not keep their input in memory. */
export const STREAMED: readonly string[] = ["hash"];

// A byte order mark is kept in the text: `ignoreBOM` means that it is not removed.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

async function base64(
  { action, variant }: Fields,
  input: Input,
): Promise<Answer> {
  const bytes = await readAll(input);
  if (action === "encode") {
    const result = encodeBase64(bytes, variant === "url" ? "url" : "standard");
    return { result };
  }
  try {
    return { result: decodeForgivingBase64(decoder.decode(bytes)) };
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new HttpError(400, `"input" ${error.message}`);
  }
}

async function hash({ algorithm }: Fields, input: Input): Promise<Answer> {
  const name = String(algorithm);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let byteLength = 0;
  const iterator = input[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) {
      const bytes = await new Blob(chunks).bytes();
      const digest = await crypto.subtle.digest(
        name.replace("sha", "SHA-"),
        bytes,
      );
      return { result: new Uint8Array(digest).toHex(), algorithm };
    }
    chunks.push(value);
    byteLength += value.byteLength;
    if (byteLength > SHORT_BYTES) break;
  }
  const { createHash } = await import("node:crypto");
  const hash = createHash(name);
  for (const chunk of chunks) hash.update(chunk);
  for (
    let step = await iterator.next();
    !step.done;
    step = await iterator.next()
  ) {
    hash.update(step.value);
  }
  return { result: hash.digest("hex"), algorithm };
}

async function json({ action, indent }: Fields, input: Input): Promise<Answer> {
  const text = await readText(input);
  if (action === "validate") {
    const error = findJsonError(text);
    return { result: error ?? "valid JSON", valid: error === undefined };
  }
  try {
    const options = { indent: Number(indent ?? 2), maxBytes: MAX_BYTES };
    const result = action === "minify"
      ? minifyJson(text)
      : formatJson(text, options);
    return { result, valid: true };
  } catch (error) {
    if (error instanceof JsonTextError) {
      throw new HttpError(400, `"input" must be JSON: ${error.message}`);
    }
    if (error instanceof JsonSizeError) throw new HttpError(400, error.message);
    throw error;
  }
}

/** Reads standard input, which must be UTF-8, to its end. */
export async function readText(input: Input): Promise<string> {
  return decodeUtf8(await readAll(input), '"input" must be UTF-8');
}

async function readAll(input: Input): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let byteLength = 0;
  for await (const chunk of input) {
    byteLength += chunk.byteLength;
    if (byteLength > MAX_BYTES) {
      throw new HttpError(413, `"input" must be at most ${MAX_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}
