/** The results of operations: their types, their schemas, and their JSON. */

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
 * Formats a result as JSON. A `JsonString` keeps its notation, so that a long string isn't
 * escaped a second time.
 */
export function formatResult(
  result: Readonly<Record<string, unknown>>,
): string {
  const members = Object.entries(result);
  if (!members.some(([_name, value]) => value instanceof JsonString)) {
    return JSON.stringify(result);
  }
  const formatted = members.map(([name, value]) => {
    const notation = value instanceof JsonString
      ? value.notation
      : JSON.stringify(value);
    return `${JSON.stringify(name)}:${notation}`;
  });
  return `{${formatted.join(",")}}`;
}
