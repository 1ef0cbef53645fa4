/** The results of operations: their types, schemas and JSON texts. */

import { JsonString } from "../json/json_string.ts";

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
export function writeResult(result: object): string | Uint8Array<ArrayBuffer> {
  const entries = Object.entries(result);
  const index = entries.findIndex(([_name, value]) =>
    value instanceof JsonString
  );
  if (index === -1) return JSON.stringify(result);

  const [name, written] = entries[index] as [string, JsonString];
  const before = entries.slice(0, index).map(writeMember).join("");
  const after = entries.slice(index + 1).map(writeMember).join("");
  // The last comma is replaced by the end of the object.
  return written.surround(
    `{${before}${JSON.stringify(name)}:`,
    after === "" ? "}" : `,${after.slice(0, -1)}}`,
  );
}

function writeMember([name, value]: [string, unknown]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)},`;
}
