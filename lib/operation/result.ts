/** The results of operations: their types, schemas and JSON texts. */

import { JsonString } from "../json/json_string.ts";
import type { Bytes } from "../values/buffer.ts";

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

/** The members of a result, by name; all of them are always there. */
export type Members = Readonly<Record<string, MemberSchema>>;

/**
 * The results of an operation, one or several alternatives, by the names that they have in
 * its OpenAPI description and in the clients that are generated from it.
 */
export type Results = Readonly<Record<string, Members>>;

/** The type of a result that is one of several. */
export type ResultOf<Alternatives extends Results> = {
  [Name in keyof Alternatives]: {
    readonly [Member in keyof Alternatives[Name]]: MemberOf<
      Alternatives[Name][Member]
    >;
  };
}[keyof Alternatives];

/** The type of a member. A text may be in the notation of JSON already. */
type MemberOf<Schema extends MemberSchema> = Schema extends
  { readonly enum: readonly (infer Choice)[] } ? Choice
  : Schema extends TextSchema ? string | JsonString
  : Schema extends IntegerSchema ? number
  : Schema extends BooleanSchema ? boolean
  : Schema extends { readonly items: IntegerSchema } ? readonly number[]
  : readonly string[];

/**
 * Writes a result as JSON: as text, or as UTF-8 bytes if a member is in the notation of JSON
 * already. Such a result can be written once.
 */
export function writeResult(result: object): string | Bytes {
  const entries = Object.entries(result);
  const written = entries.find(isWritten);
  if (written === undefined) return JSON.stringify(result);

  const index = entries.indexOf(written);
  const [name, notation] = written;
  let before = "{";
  for (const entry of entries.slice(0, index)) {
    before += `${writeMember(entry)},`;
  }
  let after = "";
  for (const entry of entries.slice(index + 1)) {
    after += `,${writeMember(entry)}`;
  }
  return notation.surround(`${before}${JSON.stringify(name)}:`, `${after}}`);
}

function isWritten(
  entry: [name: string, value: unknown],
): entry is [name: string, value: JsonString] {
  return entry[1] instanceof JsonString;
}

function writeMember([name, value]: [string, unknown]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}
