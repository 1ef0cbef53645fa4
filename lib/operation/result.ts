/** The results of operations: their types, schemas and JSON texts. */

import { Buffer } from "node:buffer";
import { JsonString } from "../json/json_string.ts";
import type { Bytes } from "../buffer.ts";

const LONG_LENGTH = 256 * 1024;

const LINE_FEED = 0x0a;

const utf8Encoder = new TextEncoder();

/** JSON Schema of a member of a result. */
export type MemberSchema =
  | TextSchema
  | IntegerSchema
  | BooleanSchema
  | ArraySchema;

interface TextSchema {
  readonly type: "string";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface IntegerSchema {
  readonly type: "integer";
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface BooleanSchema {
  readonly type: "boolean";
  readonly description?: string;
}

interface ArraySchema {
  readonly type: "array";
  readonly description?: string;
  readonly items: TextSchema | IntegerSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The schemas of the members of a result, by name. No member is optional. */
export type Members = Readonly<Record<string, MemberSchema>>;

/**
 * The members of each alternative result of an operation, by the name of the result's
 * schema in the OpenAPI description, such as `UuidResponse` and `UuidListResponse`.
 */
export type Results = Readonly<Record<string, Members>>;

/**
 * The type of the result of an operation, from the schemas of its alternative results: a
 * union of objects, in which each member has the type of its schema.
 */
export type ResultOf<Alternatives extends Results> = {
  [Name in keyof Alternatives]: {
    readonly [Member in keyof Alternatives[Name]]: MemberOf<
      Alternatives[Name][Member]
    >;
  };
}[keyof Alternatives];

/**
 * The type of a member, from its schema. A text without `enum` may also be a `JsonString`:
 * a text that is already in JSON notation.
 */
type MemberOf<Schema extends MemberSchema> = Schema extends
  { readonly enum: readonly (infer Choice)[] } ? Choice
  : Schema extends TextSchema ? string | JsonString
  : Schema extends IntegerSchema ? number
  : Schema extends BooleanSchema ? boolean
  : Schema extends { readonly items: IntegerSchema } ? readonly number[]
  : readonly string[];

/** A result of any operation. */
type Result = Readonly<Record<string, unknown>>;

/**
 * Writes a result as JSON: as a string or, if a member is a `JsonString`, as UTF-8 bytes.
 */
export function writeResult(result: Result): string | Bytes {
  const name = findWritten(result);
  return name === undefined
    ? JSON.stringify(result)
    : writeAround(name, result, "}");
}

/**
 * Writes a result like `writeResult()`, and a line feed after it, so that the prompt of a
 * shell begins its own line.
 */
export function writeLine(result: Result): string | Bytes {
  const name = findWritten(result);
  return name === undefined
    ? endLine(JSON.stringify(result))
    : writeAround(name, result, "}\n");
}

/** Adds a line feed. A long text is not copied for it, but encoded with it. */
function endLine(text: string): string | Bytes {
  if (text.length < LONG_LENGTH) return `${text}\n`;
  const byteLength = Buffer.byteLength(text);
  const bytes = new Uint8Array(byteLength + 1);
  utf8Encoder.encodeInto(text, bytes);
  bytes[byteLength] = LINE_FEED;
  return bytes;
}

/** Returns the name of the member that is a `JsonString`; `undefined` if there is none. */
function findWritten(result: Result): string | undefined {
  for (const name in result) {
    if (result[name] instanceof JsonString) return name;
  }
  return undefined;
}

/**
 * Writes the other members of a result around the member `name`, which is a `JsonString`.
 *
 * @param end The text after the last member.
 */
function writeAround(name: string, result: Result, end: string): Bytes {
  const members = Object.entries(result);
  const index = members.findIndex(([other]) => other === name);
  let before = "{";
  for (const member of members.slice(0, index)) {
    before += `${writeMember(member)},`;
  }
  let after = "";
  for (const member of members.slice(index + 1)) {
    after += `,${writeMember(member)}`;
  }
  const written = result[name] as JsonString;
  return join(`${before}${JSON.stringify(name)}:`, written, `${after}${end}`);
}

/** Joins the parts of a text in UTF-8. */
function join(before: string, middle: JsonString, after: string): Bytes {
  const start = Buffer.byteLength(before);
  const end = start + middle.byteLength;
  const bytes = new Uint8Array(end + Buffer.byteLength(after));
  utf8Encoder.encodeInto(before, bytes);
  middle.write(bytes.subarray(start, end));
  utf8Encoder.encodeInto(after, bytes.subarray(end));
  return bytes;
}

function writeMember([name, value]: [string, unknown]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
