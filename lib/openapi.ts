/**
 * Reads the operations of an OpenAPI description (version 3.1) that agents may use. The
 * description is written for programmers. Operations for agents have a member `x-tool`. Its
 * members, and those of an `x-tool` of any object inside, are texts for models, and replace
 * the members of the object.
 *
 * @module
 */

import type { Fields } from "./http/fields.ts";

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** The members of an OpenAPI description that are read. */
export interface Description {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: object;
}

/** An operation, with the schemas of its input and its result, which are objects. */
export interface Operation {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Schema;
  readonly output: Schema;
  readonly method: string;
  readonly path: string;
}

/** Schemas of bodies, by media type. */
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** The members of a described operation that are read. */
interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/**
 * Keywords that are left out of the schemas. Clients send the list of tools to their model,
 * so it should be short. Of results, models need only the types.
 */
const NOT_IN_INPUT = ["examples"];
const NOT_IN_OUTPUT = [
  ...NOT_IN_INPUT,
  "description",
  "maxItems",
  "maxLength",
  "minItems",
  "minLength",
  "pattern",
];

/** Reads the operations that have a member `x-tool`, in the order of the description. */
export function readOperations(description: Description): Operation[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries<object>({ ...methods })
      .filter(([, operation]) => "x-tool" in operation)
      .map(([name, operation]) => {
        const described = resolve(operation, description) as Described;
        return { ...read(described), method: name.toUpperCase(), path };
      })
  );
}

/**
 * Replaces each reference (`$ref`) in a value by its target, and applies `replaceTexts()` to
 * each object. References must not be circular.
 */
function resolve(value: unknown, description: Description): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item) => resolve(item, description));
  }
  if ("$ref" in value) {
    const target = String(value.$ref).split("/").slice(1).reduce(
      (parent: unknown, name) => (parent as Fields)[name],
      description,
    );
    return resolve(target, description);
  }
  const members = Object.entries(replaceTexts(value))
    .map(([name, member]) => [name, resolve(member, description)]);
  return Object.fromEntries(members);
}

/**
 * Returns the members of an object, with those of its member `x-tool` in place of others,
 * and without those whose names begin with `x-`.
 */
function replaceTexts(value: object): Fields {
  const members = { ...value, ...(value as Record<string, object>)["x-tool"] };
  const entries = Object.entries(members)
    .filter(([name]) => !name.startsWith("x-"));
  return Object.fromEntries(entries);
}

function read(described: Described): Omit<Operation, "method" | "path"> {
  const { operationId, summary, description, requestBody } = described;
  const body = requestBody?.content["application/json"];
  const answer = described.responses["200"]?.content?.["application/json"];
  return {
    name: operationId,
    title: summary,
    description,
    input: omitKeywords(body?.schema ?? createSchema(described), NOT_IN_INPUT),
    output: omitKeywords(mergeObjects(answer?.schema ?? {}), NOT_IN_OUTPUT),
  };
}

/** Creates the schema of an object that has the query parameters as members. */
function createSchema({ parameters = [] }: Described): Schema {
  const properties = parameters.map(({ name, description, schema }) => [
    name,
    description === undefined ? schema : { ...schema, description },
  ]);
  const required = parameters.filter(({ required }) => required)
    .map(({ name }) => name);
  return {
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/**
 * Returns a schema whose `properties` has the members of all objects, if it is that of one
 * of several objects (`oneOf`): clients that generate types from schemas, such as FastMCP,
 * ignore `oneOf` beside `type`.
 */
function mergeObjects({ oneOf, ...schema }: Schema): Schema {
  if (!Array.isArray(oneOf)) return schema;
  return {
    ...schema,
    properties: Object.assign({}, ...oneOf.map((one) => one.properties)),
    additionalProperties: false,
    oneOf: oneOf.map(({ required }) => ({ required })),
  };
}

/**
 * Returns a schema without the given keywords, at every depth. Their values are never
 * objects, so a property with such a name, whose value is a schema, stays.
 */
function omitKeywords(schema: Schema, keywords: readonly string[]): Schema {
  return JSON.parse(JSON.stringify(schema), (name, value) => {
    const isSchema = typeof value === "object" && !Array.isArray(value);
    return keywords.includes(name) && !isSchema ? undefined : value;
  });
}
