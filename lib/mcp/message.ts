/**
 * Parses messages of JSON-RPC 2.0 and separates the arguments of a tool call from
 * them. The official package, which copies a message several times, gets the
 * message without arguments: for a megabyte of short names the copies take most of
 * a second. The arguments are checked by the endpoint.
 *
 * @module
 */

import { HttpError } from "../http_error.ts";
import type { Fields } from "../http/fields.ts";
import { decodeUtf8 } from "../http/json_body.ts";
import { JsonTextError } from "../json/error.ts";
import {
  isShort,
  parseLargeJson,
  parseShortJson,
  Source,
} from "../json/parse.ts";
import { runAtOnce, type Work } from "../work.ts";
import { describe } from "../quote.ts";
import { INVALID_REQUEST, type MessageId, PARSE_ERROR } from "./errors.ts";

/** A parsed message. */
export interface Message {
  /** The message, with an empty object instead of the arguments. */
  readonly envelope: Fields;
  /** The arguments of a tool call; `undefined` if there are none. */
  readonly args: Fields | undefined;
  /** Its identifier; `null` if it has none, or one that is not valid. */
  readonly id: MessageId;
  /** Length of the message, in bytes. */
  readonly byteLength: number;
}

/** Largest number of values in a message besides the arguments of a call. */
export const MAX_VALUES = 1_000;

/**
 * Most characters in the names and strings of a message besides the arguments, in
 * UTF-16 code units.
 */
export const MAX_CHARACTERS = 16 * 1024;

/** Longest text of a message besides the arguments, in UTF-16 code units. */
const MAX_REST_LENGTH = 32 * 1024;

/** The error for a message that is not valid. */
export class MessageError {
  readonly code: number;
  readonly message: string;
  /** The identifier of the message, if it could be read. */
  readonly id: MessageId;

  /**
   * @param code Error code (JSON-RPC 2.0, section 5.1).
   * @param message Message for the client.
   * @param id The identifier of the message; `null` if it could not be read.
   */
  constructor(code: number, message: string, id: MessageId = null) {
    this.code = code;
    this.message = message;
    this.id = id;
  }
}

/**
 * Parses one message.
 *
 * @throws {MessageError} if the bytes are not UTF-8, not JSON or not an object (such
 * as a batch), or if the message is too large besides the arguments of a call.
 */
export function* parseMessage(bytes: Uint8Array): Work<Message> {
  const { message, args } = isShort(bytes)
    ? separateArguments(parseShort(decode(bytes)))
    : yield* parseLargeMessage(bytes);
  const id = readId(message["id"]);
  if (isSmall(message)) {
    return { envelope: message, args, id, byteLength: bytes.byteLength };
  }
  throw createSizeError(id);
}

/** A message without the arguments of a call, and the arguments. */
interface Separated {
  readonly message: Fields;
  readonly args: Fields | undefined;
}

function separateArguments(message: unknown): Separated {
  if (!isObject(message)) {
    throw new MessageError(
      INVALID_REQUEST,
      `a message must be one JSON object, got ${describe(message)}`,
    );
  }
  const { params } = message;
  if (!isObject(params)) return { message, args: undefined };
  const args = params["arguments"];
  if (!isObject(args)) return { message, args: undefined };
  return {
    message: { ...message, params: { ...params, arguments: {} } },
    args,
  };
}

/**
 * Parses a large message: finds the arguments without `JSON.parse()`, which can be
 * slow (see `lib/json/parse.ts`), and calls that for the rest only.
 */
function* parseLargeMessage(bytes: Uint8Array): Work<Separated> {
  using source = new Source(decode(bytes), bytes);
  const { value, found } = yield* parseLarge(source, ["params", "arguments"]);
  const { args } = separateArguments(value);
  const isCall = found !== undefined && args === found.members;
  const rest = isCall
    ? `${source.slice(0, found.start)}{}${source.slice(found.end)}`
    : source.slice(0);
  if (rest.length > MAX_REST_LENGTH) {
    throw createSizeError(readId((value as Fields)["id"]));
  }
  const { message } = separateArguments(JSON.parse(rest));
  return { message, args };
}

function createSizeError(id: MessageId): MessageError {
  return new MessageError(
    INVALID_REQUEST,
    `a message must have at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters besides the arguments of a call`,
    id,
  );
}

/** Returns the identifier of a message that is too large; `null` if it is not valid. */
export function readMessageId(bytes: Uint8Array): MessageId {
  try {
    using source = new Source(decode(bytes), bytes);
    const { value: message } = runAtOnce(parseLarge(source));
    return isObject(message) ? readId(message["id"]) : null;
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return null;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes, "a message must be UTF-8");
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new MessageError(PARSE_ERROR, error.message);
  }
}

function parseShort(text: string): unknown {
  try {
    return parseShortJson(text);
  } catch (error) {
    throw toMessageError(error);
  }
}

function* parseLarge(
  source: Source,
  path?: readonly string[],
): ReturnType<typeof parseLargeJson> {
  try {
    return yield* parseLargeJson(source, path);
  } catch (error) {
    throw toMessageError(error);
  }
}

/** Turns an error of the parsing into one for the client; another error is returned as it is. */
function toMessageError(error: unknown): unknown {
  return error instanceof JsonTextError
    ? new MessageError(
      PARSE_ERROR,
      `a message must be JSON: ${error.message}`,
    )
    : error;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readId(id: unknown): MessageId {
  if (typeof id === "string" && id.length <= MAX_CHARACTERS) return id;
  return Number.isInteger(id) ? id as number : null;
}

/**
 * Whether a message is within the limits. It is walked without recursion, until
 * one is exceeded.
 */
function isSmall(envelope: Fields): boolean {
  const values: unknown[] = [envelope];
  let characters = 0;
  // The loop also visits the values that it appends.
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
