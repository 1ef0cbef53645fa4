/**
 * Messages of JSON-RPC 2.0. The arguments of a call are kept from the official
 * package: it copies them several times, which takes most of a second for a
 * megabyte of short names, and they are the endpoint's to check.
 *
 * @module
 */

import { HttpError } from "../http_error.ts";
import { decodeUtf8, type Fields } from "../http/input.ts";
import { JsonTextError } from "../json/error.ts";
import { isShort, parseJson, parseLargeJson } from "../json/parse.ts";
import { runAtOnce, type Work } from "../work.ts";
import { describe } from "../quote.ts";
import { INVALID_REQUEST, type MessageId, PARSE_ERROR } from "./errors.ts";

/** One message. */
export interface Message {
  /** The message, with an empty object in place of the arguments. */
  readonly envelope: Fields;
  /** The arguments of a call; `undefined` where there are none. */
  readonly args: Fields | undefined;
  /** Its identifier, `null` where it has none that can be repeated. */
  readonly id: MessageId;
  /** Its length as it came, in bytes. */
  readonly byteLength: number;
}

/** Most values in a message, and most characters in its names and strings. */
export const MAX_VALUES = 1_000;
export const MAX_CHARACTERS = 16 * 1024;

/** Longest text around the arguments, in UTF-16 code units. */
const MAX_REST_LENGTH = 32 * 1024;

/** A message that cannot be answered. */
export class MessageError {
  readonly code: number;
  readonly message: string;
  /** The identifier of the message, where it could be read. */
  readonly id: MessageId;

  /**
   * @param code The code that JSON-RPC has for it.
   * @param message What the client reads.
   * @param id The identifier of the message; `null` where it could not be read.
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
 * @throws {MessageError} for bytes that are not UTF-8, not JSON, or no object, such
 * as a batch, and for a message that is large besides the arguments of a call.
 */
export function* parseMessage(bytes: Uint8Array): Work<Message> {
  const text = decode(bytes);
  const { message, args } = isShort(text)
    ? separateArguments(yield* parse(parseJson(text)))
    : yield* parseLargeMessage(text);
  const id = readId(message["id"]);
  if (isSmall(message)) {
    return { envelope: message, args, id, byteLength: bytes.byteLength };
  }
  throw createSizeError(id);
}

/** A message without the arguments of a call, and those. */
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

/** Lets the runtime parse the text around the arguments only. */
function* parseLargeMessage(text: string): Work<Separated> {
  const { value, found } = yield* parse(
    parseLargeJson(text, ["params", "arguments"]),
  );
  const { args } = separateArguments(value);
  const isCall = found !== undefined && args === found.members;
  const rest = isCall
    ? `${text.slice(0, found.start)}{}${text.slice(found.end)}`
    : text;
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

/** Reads the identifier of a message that is too large to be answered otherwise. */
export function readMessageId(bytes: Uint8Array): MessageId {
  try {
    const message = runAtOnce(parse(parseJson(decode(bytes))));
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

function* parse<Value>(work: Work<Value>): Work<Value> {
  try {
    return yield* work;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new MessageError(
      PARSE_ERROR,
      `a message must be JSON: ${error.message}`,
    );
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readId(id: unknown): MessageId {
  if (typeof id === "string" && id.length <= MAX_CHARACTERS) return id;
  return Number.isInteger(id) ? id as number : null;
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
