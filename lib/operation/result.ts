/** The results of operations: their types, their schemas, and their JSON. */

import { type Bytes, resize } from "../buffer.ts";
import { JsonString } from "../json/json_string.ts";
import type { Fields } from "../json/object.ts";

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

/** The type of a member, from its schema. A string can already be in JSON notation. */
type MemberOf<Schema extends MemberSchema> = Schema extends
  { readonly enum: readonly (infer Choice)[] } ? Choice
  : Schema extends TextSchema ? string | JsonString
  : Schema extends IntegerSchema ? number
  : Schema extends BooleanSchema ? boolean
  : Schema extends { readonly items: IntegerSchema } ? readonly number[]
  : readonly string[];

/**
 * Formats a result, whose names are ASCII, as a line of JSON. If the first member is a
 * `JsonString`, returns UTF-8, and the string must not be used any more: the line takes over
 * its memory.
 */
export function formatLine(result: Fields): string | Bytes {
  const [name = "", value] = Object.entries(result)[0] ?? [];
  if (!(value instanceof JsonString)) return `${JSON.stringify(result)}\n`;
  const { content: { buffer, length } } = value;
  const empty = utf8Encoder.encode(
    `${JSON.stringify({ ...result, [name]: "" })}\n`,
  );
  const start = `{"${name}":"`.length;
  const line = new Uint8Array(resize(buffer, length + empty.length));
  line.copyWithin(start, 0, length);
  line.set(empty.subarray(0, start));
  line.set(empty.subarray(start), start + length);
  return line;
}
