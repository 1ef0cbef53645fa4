/**
 * Messages of JSON-RPC 2.0 as they come over HTTP. The arguments of a call are
 * kept from the official package: it takes up to 20 seconds and 120 MB to look at
 * a megabyte that is made for it, and they are the endpoint's to judge.
 *
 * @module
 */

import { HttpError } from "../http/errors.ts";
import { decodeUtf8, type Fields, parseJson } from "../http/input.ts";
import { describe } from "../quote.ts";

/** One message. */
export interface Message {
  /** The message, with an empty object in place of the arguments. */
  readonly envelope: Fields;
  /** The arguments of a call, where it has some. */
  readonly args: Fields | undefined;
  /** How long it came. */
  readonly byteLength: number;
}

/** Most values in a message, and most characters in its names and strings. */
export const MAX_VALUES = 1_000;
export const MAX_CHARACTERS = 64 * 1024;

/** Codes of JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** A body that is no message, or one that cannot be answered. */
export class MessageError {
  readonly code: number;
  readonly message: string;

  /**
   * @param code The code that JSON-RPC has for it.
   * @param message What the client reads.
   */
  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

/**
 * Parses a body that is one message.
 *
 * @throws {MessageError} for a body that is not JSON or no object, such as a
 * batch, and for a message that is large but for the arguments of a call.
 */
export function parseMessage(body: Uint8Array): Message {
  const message = parseBody(body);
  if (!isObject(message)) {
    throw new MessageError(
      INVALID_REQUEST,
      `the body must be one JSON-RPC message, got ${describe(message)}`,
    );
  }
  const { params } = message;
  const args = isObject(params) && isObject(params["arguments"])
    ? params["arguments"]
    : undefined;
  const envelope = args === undefined
    ? message
    : { ...message, params: { ...params as Fields, arguments: {} } };
  const { byteLength } = body;
  if (isSmall(envelope)) return { envelope, args, byteLength };
  throw new MessageError(
    INVALID_REQUEST,
    `a message must have at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters besides the arguments of a call`,
  );
}

function parseBody(body: Uint8Array): unknown {
  try {
    return parseJson(decodeUtf8(body, "the body must be UTF-8"));
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new MessageError(PARSE_ERROR, error.message);
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without recursion, and without looking at more than is allowed. */
function isSmall(envelope: Fields): boolean {
  const values: unknown[] = [envelope];
  let characters = 0;
  // The array grows while it is gone through.
  for (const value of values) {
    if (typeof value === "string") characters += value.length;
    if (typeof value === "object" && value !== null) {
      const names = Object.keys(value);
      if (values.length + names.length > MAX_VALUES) return false;
      if (!Array.isArray(value)) characters += names.join("").length;
      values.push(...Object.values(value));
    }
    if (characters > MAX_CHARACTERS) return false;
  }
  return true;
}
