import type { Bytes } from "../buffer.ts";
import { JsonString } from "../json/json_string.ts";
import type { JsonObject } from "../json/object.ts";

const utf8Encoder = new TextEncoder();

const NEWLINE = 0x0a;

/** Shortest JSON that is converted to UTF-8, in UTF-16 code units. */
const MIN_CONVERTED_LENGTH = 256 * 1024;

/** JSON Schema for a property of a result. */
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

/** Schemas for a result's properties, by name. All properties are required. */
export type Properties = Readonly<Record<string, PropertySchema>>;

/** Alternative results, by schema name, such as `UuidResponse` and `UuidListResponse`. */
export type Results = Readonly<Record<string, Properties>>;

/** The type of an operation's result, which is one of the alternatives. */
export type ResultOf<Alternatives extends Results> = {
  [Name in keyof Alternatives]: {
    readonly [Property in keyof Alternatives[Name]]: PropertyOf<
      Alternatives[Name][Property]
    >;
  };
}[keyof Alternatives];

/** The type of a property. A string can be a `JsonString` or bytes if the caller accepts them. */
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

/**
 * Formats a result with ASCII property names as a line of JSON, which is UTF-8 if it is long.
 * If the first property is a `JsonString`, the line takes over its buffer, so the caller must
 * not use that string again.
 */
export function formatLine(result: JsonObject): string | Bytes {
  const [name = "", value] = Object.entries(result)[0] ?? [];
  if (!(value instanceof JsonString)) return addNewline(JSON.stringify(result));
  const { content: { buffer, length } } = value;
  const empty = utf8Encoder.encode(
    `${JSON.stringify({ ...result, [name]: "" })}\n`,
  );
  const start = `{"${name}":"`.length;
  const line = new Uint8Array(buffer.transfer(length + empty.length));
  line.copyWithin(start, 0, length);
  line.set(empty.subarray(0, start));
  line.set(empty.subarray(start), start + length);
  return line;
}

/** Appends a newline. Converts a long string to UTF-8, because concatenation would copy it. */
function addNewline(json: string): string | Bytes {
  if (json.length < MIN_CONVERTED_LENGTH) return `${json}\n`;
  const { buffer, length } = utf8Encoder.encode(json);
  const line = new Uint8Array(buffer.transfer(length + 1));
  line[length] = NEWLINE;
  return line;
}
