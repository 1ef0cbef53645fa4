import type { Bytes } from "../buffer.ts";
import { JsonString } from "../json/json_string.ts";

/** JSON Schema of a property of a result. */
export type PropertySchema = ValueSchema | ArraySchema;

interface ValueSchema {
  readonly type: "string" | "integer" | "boolean";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

interface ArraySchema {
  readonly type: "array";
  readonly description?: string;
  readonly items: ValueSchema;
  readonly minItems: number;
  readonly maxItems: number;
}

/** The schemas of the properties of a result, by name. No property is optional. */
export type Properties = Readonly<Record<string, PropertySchema>>;

/**
 * The properties of each alternative result of an operation, by the name of the result's
 * schema in the OpenAPI document, such as `UuidResponse` and `UuidListResponse`.
 */
export type Results = Readonly<Record<string, Properties>>;

/** The type of an operation's result: one of the alternatives in its schemas. */
export type ResultOf<Alternatives extends Results> = {
  [Name in keyof Alternatives]: {
    readonly [Property in keyof Alternatives[Name]]: PropertyOf<
      Alternatives[Name][Property]
    >;
  };
}[keyof Alternatives];

/** The type of a property. A string can be a `JsonString` or bytes if the caller accepts it. */
type PropertyOf<Schema extends PropertySchema> = Schema extends
  { readonly items: infer Items extends ValueSchema }
  ? readonly ValueOf<Items>[]
  : Schema extends { readonly enum: readonly (infer Choice)[] } ? Choice
  : Schema extends { readonly type: "string" } ? string | JsonString | Bytes
  : Schema extends ValueSchema ? ValueOf<Schema>
  : never;

type ValueOf<Schema extends ValueSchema> = {
  readonly string: string;
  readonly integer: number;
  readonly boolean: boolean;
}[Schema["type"]];

/** Formats a result as JSON. A `JsonString` keeps its notation. */
export function formatResult(
  result: Readonly<Record<string, unknown>>,
): string {
  const properties = Object.entries(result);
  if (!properties.some(([_name, value]) => value instanceof JsonString)) {
    return JSON.stringify(result);
  }
  const formatted = properties.map(([name, value]) => {
    const notation = value instanceof JsonString
      ? value.notation
      : JSON.stringify(value);
    return `${JSON.stringify(name)}:${notation}`;
  });
  return `{${formatted.join(",")}}`;
}
