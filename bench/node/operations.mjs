/** The operations in idiomatic Node code, shared by the servers to compare. */

import { Buffer } from "node:buffer";
import { createHash, randomInt } from "node:crypto";

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

const ALPHABET =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&()*+,-./:;<=>?@[]^_{|}~";

/** Handlers of GET requests by path. They compute the result from the query. */
export const GET = {
  /** @param {{ count?: string }} query */
  "/api/uuid"({ count }) {
    if (count === undefined) return { uuid: crypto.randomUUID() };
    const numbers = Array.from({ length: Number(count) });
    return { uuids: numbers.map(() => crypto.randomUUID()) };
  },

  /** @param {{ length?: string }} query */
  "/api/password"({ length = "16" }) {
    let password = "";
    while (password.length < Number(length)) {
      password += ALPHABET[randomInt(ALPHABET.length)];
    }
    const bits = Number(length) * Math.log2(ALPHABET.length);
    return { password, strength: bits >= 100 ? "very-strong" : "weak" };
  },
};

/** Handlers of POST requests by path. They compute the result from the body. */
export const POST = {
  /** @param {{ algorithm: string, input: string }} fields */
  "/api/hash": ({ algorithm, input }) => ({
    result: createHash(algorithm).update(input).digest("hex"),
    algorithm,
  }),

  /** @param {{ action: string, input: string }} fields */
  "/api/base64": ({ action, input }) => ({
    result: action === "encode"
      ? Buffer.from(input).toString("base64")
      : Buffer.from(input, "base64").toString(),
  }),

  /** @param {{ input: string }} fields */
  "/api/json": ({ input }) => ({
    result: JSON.stringify(JSON.parse(input), null, 2),
    valid: true,
  }),
};
