/**
 * Parses messages of JSON-RPC 2.0. The arguments of a tool call are separated from the
 * message: only the endpoint gets them. The official MCP package gets the message without
 * arguments, because it makes several copies of a message. Copying a megabyte of
 * arguments can take most of a second.
 *
 * @module
 */

import type { Fields } from "../http/fields.ts";
import { buildValue, ValueCountError } from "../json/build.ts";
import { JsonTextError } from "../json/error.ts";
import {
  isShort,
  mayCollide,
  parseSelected,
  parseShortJson,
} from "../json/parse.ts";
import { decodeSimpleJson } from "../json/simple.ts";
import { decodeUtf8, isUtf8 } from "../json/utf8.ts";
import { runAtOnce, type Work } from "../work.ts";
import { formatValue } from "../format_value.ts";
import { findFormError, isId, isObject, isResponse } from "./envelope.ts";
import {
  describeLimit,
  INVALID_REQUEST,
  MessageError,
  type MessageId,
  PARSE_ERROR,
} from "./errors.ts";

const utf8Encoder = new TextEncoder();

/**
 * Names of the members that are read first from a large message: its identifier, and those
 * that tell whether it is a response.
 */
const NAMES = ["id", "method", "result", "error"];

/** A parsed request or notification. */
export interface Message {
  /** The message, with an empty object in place of the arguments of a tool call. */
  readonly envelope: Fields;
  /** The arguments of a tool call; `undefined` if there are none. */
  readonly args: Fields | undefined;
  /** The message's identifier; `null` if the message has no valid one. */
  readonly id: MessageId;
}

/**
 * Largest number of JSON values in a message, inclusive, not counting the arguments of a
 * tool call.
 */
export const MAX_VALUES = 1_000;

/**
 * Largest total length of the names and strings in a message, in UTF-16 code units, not
 * counting the arguments of a tool call.
 */
export const MAX_CHARACTERS = 16 * 1024;

/**
 * Largest length of a message, in UTF-16 code units, not counting the arguments of a tool
 * call.
 */
const MAX_REST_LENGTH = 32 * 1024;

/**
 * Parses one message. Returns `undefined` for a response or an error response, which must
 * not be answered: two programs that answer each other's errors with errors would never
 * stop.
 *
 * @throws {MessageError} if the bytes are not UTF-8, not JSON or not one request or
 * notification, or if the message is too large, not counting the arguments of a tool call.
 */
export function parseMessage(bytes: Uint8Array): Message | undefined {
  const { message, args } = runAtOnce(separate(bytes));
  if (isResponse(message)) return undefined;
  const id = readId(message["id"]);
  if (!isSmall(message)) throw createSizeError(id);
  const error = findFormError(message);
  if (error !== undefined) throw new MessageError(INVALID_REQUEST, error, id);
  return { envelope: message, args, id };
}

/**
 * A message that has been divided: `args` has the arguments of a tool call, and `message`
 * has an empty object in their place.
 */
interface Separated {
  readonly message: Fields;
  readonly args: Fields | undefined;
}

function* separate(bytes: Uint8Array): Work<Separated> {
  if (!isShort(bytes)) {
    const text = decodeSimpleJson(bytes);
    return text === undefined
      ? yield* parseLargeMessage(bytes)
      : separateArguments(parseShort(text));
  }
  const text = decodeUtf8(bytes);
  if (text === undefined) throw createUtf8Error();
  return mayCollide(text)
    ? yield* parseLargeMessage(bytes)
    : separateArguments(parseShort(text));
}

function separateArguments(message: unknown): Separated {
  if (!isObject(message)) {
    throw new MessageError(
      INVALID_REQUEST,
      `a message must be one JSON object, got ${formatValue(message)}`,
    );
  }
  const { params } = message;
  if (!isObject(params)) return { message, args: undefined };
  const { arguments: args } = params;
  // Agent frameworks send `null` for a tool call without arguments, so `null` is accepted
  // here.
  if (args !== null && !isObject(args)) return { message, args: undefined };
  return {
    message: { ...message, params: { ...params, arguments: {} } },
    args: args ?? undefined,
  };
}

/**
 * Parses a large message: first the arguments of a tool call, then the rest of the message
 * if it is small. `JSON.parse()` is not used for the whole message, because a client could
 * write a message for which that takes seconds.
 */
function* parseLargeMessage(bytes: Uint8Array): Work<Separated> {
  const path = ["params", "arguments"];
  const { value, found } = yield* parseLarge(bytes, { names: NAMES, path });
  if (isObject(value) && isResponse(value)) {
    return { message: value, args: undefined };
  }
  const { args } = separateArguments(value);
  const isCall = found !== undefined && args === found.members;
  const start = isCall ? found.start : bytes.length;
  const end = isCall ? found.end : bytes.length;
  const id = readId((value as Fields)["id"]);
  // A UTF-16 code unit takes at most three bytes in UTF-8. A message that has more than
  // three times `MAX_REST_LENGTH` bytes, not counting the arguments, is therefore too long,
  // and need not be decoded to find its length.
  if (start + bytes.length - end > 3 * MAX_REST_LENGTH) {
    throw createSizeError(id);
  }
  const rest = [bytes.subarray(0, start), bytes.subarray(end)]
    .map(decodeUtf8).join(isCall ? "{}" : "");
  if (rest.length > MAX_REST_LENGTH) throw createSizeError(id);
  return { ...separateArguments(parseRest(rest, id)), args };
}

/** Parses the text of a message that has `{}` in place of the arguments of a tool call. */
function parseRest(text: string, id: MessageId): unknown {
  if (!mayCollide(text)) return JSON.parse(text);
  try {
    return buildValue(utf8Encoder.encode(text), MAX_VALUES);
  } catch (error) {
    throw error instanceof ValueCountError ? createSizeError(id) : error;
  }
}

function createUtf8Error(): MessageError {
  return new MessageError(PARSE_ERROR, "a message must be UTF-8");
}

function createSizeError(id: MessageId): MessageError {
  return new MessageError(
    INVALID_REQUEST,
    `a message must have at most ${MAX_VALUES} values and ${MAX_CHARACTERS} characters besides the arguments of a call`,
    id,
  );
}

/**
 * Returns the error for a message of more than `maxBytes` bytes. The error has the
 * identifier of the message, so that the client can tell which request failed. Returns
 * `undefined` for a response or an error response, which must not be answered.
 */
export function createLimitError(
  bytes: Uint8Array,
  maxBytes: number,
): MessageError | undefined {
  let id: MessageId = null;
  try {
    const { value } = runAtOnce(parseLarge(bytes, { names: NAMES }));
    if (isObject(value)) {
      if (isResponse(value)) return undefined;
      id = readId(value["id"]);
    }
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
  }
  return new MessageError(INVALID_REQUEST, describeLimit(maxBytes), id);
}

function parseShort(text: string): unknown {
  try {
    return parseShortJson(text);
  } catch (error) {
    throw toMessageError(error);
  }
}

function* parseLarge(
  ...[bytes, selection]: Parameters<typeof parseSelected>
): ReturnType<typeof parseSelected> {
  if (!(yield* isUtf8(bytes))) throw createUtf8Error();
  try {
    return yield* parseSelected(bytes, selection);
  } catch (error) {
    throw toMessageError(error);
  }
}

/** Returns a `MessageError` for the error of an invalid JSON text, and any other error as it is. */
function toMessageError(error: unknown): unknown {
  return error instanceof JsonTextError
    ? new MessageError(
      PARSE_ERROR,
      `a message must be JSON: ${error.message}`,
    )
    : error;
}

function readId(id: unknown): MessageId {
  if (!isId(id)) return null;
  return typeof id === "string" && id.length > MAX_CHARACTERS ? null : id;
}

/**
 * Whether a message is within the limits `MAX_VALUES` and `MAX_CHARACTERS`. Its values are
 * visited by a loop, because a recursion could exceed the stack if they are deeply nested.
 */
function isSmall(envelope: Fields): boolean {
  const values: unknown[] = [envelope];
  let characters = 0;
  // The loop also visits the values that are appended to `values` below.
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
