/** The operations in idiomatic code for Node, shared by the compared frameworks. */

import { Buffer } from "node:buffer";
import { createHash, randomInt, randomUUID } from "node:crypto";

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,-./:;<=>?@[]^_{|}~";

/** Whether the runtime has the fastest Base64, as Deno and Node 25 do. */
const hasNativeBase64 = "toBase64" in Uint8Array.prototype;

/** An invalid request, answered with 400. */
export class BadRequest extends Error {}

/** @param {string | undefined} count */
export function uuid(count) {
  if (count === undefined) return { uuid: randomUUID() };
  const number = Number(count);
  if (!Number.isInteger(number) || number < 1 || number > 100) {
    throw new BadRequest("count must be an integer from 1 to 100");
  }
  return { uuids: Array.from({ length: number }, () => randomUUID()) };
}

/** @param {string | undefined} length */
export function password(length = "16") {
  const number = Number(length);
  if (!Number.isInteger(number) || number < 1 || number > 128) {
    throw new BadRequest("length must be an integer from 1 to 128");
  }
  let password = "";
  while (password.length < number) {
    password += ALPHABET[randomInt(ALPHABET.length)];
  }
  const bits = number * Math.log2(ALPHABET.length);
  return { password, strength: bits >= 100 ? "very-strong" : "weak" };
}

/** @param {{ algorithm: string, input: string }} fields */
export function hash({ algorithm, input }) {
  const result = createHash(algorithm).update(input).digest("hex");
  return { result, algorithm };
}

/** @param {{ action: string, input: string }} fields */
export function base64({ action, input }) {
  return { result: action === "encode" ? encode(input) : decode(input) };
}

/** @param {string} text */
function encode(text) {
  return hasNativeBase64
    ? new TextEncoder().encode(text).toBase64()
    : Buffer.from(text).toString("base64");
}

/** @param {string} text */
function decode(text) {
  return hasNativeBase64
    ? new TextDecoder().decode(Uint8Array.fromBase64(text))
    : Buffer.from(text, "base64").toString();
}

/** @param {{ input: string, indent?: number }} fields */
export function json({ input, indent = 2 }) {
  return {
    result: JSON.stringify(JSON.parse(input), null, indent),
    valid: true,
  };
}
