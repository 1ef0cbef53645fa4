/**
 * Tools of the Model Context Protocol made of an OpenAPI description: each
 * operation that has an `x-tool` member is one. Wherever an `x-tool` stands in
 * the description, its members take the place of those beside it, so that the
 * words for a model stand next to those for a programmer.
 *
 * @module
 */

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** The members of an operation that make a tool. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** Whether the same arguments always have the same result. */
  readonly idempotent?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** The parts of an OpenAPI description that tools are made of. */
export interface Description {
  readonly info: object;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: object;
}

/** What agents read of the server itself. */
export interface ServerWords {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Told to the model once, where the client passes it on. */
  readonly instructions: string;
}

/**
 * Keywords that tools go without, since clients send the whole list to their
 * model: it needs no more than a result's types, and its own examples are in the
 * tool's description.
 */
const NOT_IN_INPUT = ["examples"];
const NOT_IN_OUTPUT = [
  "description",
  "examples",
  "maxItems",
  "maxLength",
  "minItems",
  "minLength",
  "pattern",
];

/** A tool as clients see it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: "object" };
  readonly outputSchema: Schema & { readonly type: "object" };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** A tool, and the endpoint that it calls. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly method: string;
  readonly path: string;
  /** The names of its arguments, in the order of its schema. */
  readonly argumentNames: readonly string[];
  /** Whether the arguments are the fields of a body, not parameters of a query. */
  readonly hasBody: boolean;
}

/** Reads what agents are told of the server from `x-tool` of the description's `info`. */
export function readServerWords({ info }: Description): ServerWords {
  const { name, title, description, instructions } = replaceWords(info);
  return { name, title, description, instructions } as ServerWords;
}

/** Makes a tool of each operation that has an `x-tool`, in the description's order. */
export function createTools(description: Description): Tool[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([_method, operation]) => "x-tool" in operation)
      .map(([method, operation]) =>
        createTool(
          path,
          method.toUpperCase(),
          resolve(operation, description) as Operation,
        )
      )
  );
}

function createTool(path: string, method: string, operation: Operation): Tool {
  const { operationId, summary, description, idempotent = false } = operation;
  const body = operation.requestBody?.content["application/json"];
  const answer = operation.responses["200"]?.content?.["application/json"];
  const { parameters = [] } = operation;
  const { properties = {}, ...inputSchema } = omitKeywords(
    body?.schema ?? createSchema(parameters),
    NOT_IN_INPUT,
  );
  return {
    definition: {
      name: operationId,
      title: summary,
      description,
      inputSchema: {
        ...inputSchema,
        type: "object",
        properties,
        additionalProperties: false,
      },
      outputSchema: createOutputSchema(answer?.schema ?? {}),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: idempotent,
        openWorldHint: false,
      },
    },
    method,
    path,
    argumentNames: Object.keys(properties as object),
    hasBody: body !== undefined,
  };
}

/** The schema of an object with the parameters as members. */
function createSchema(parameters: readonly Parameter[]): Schema {
  const properties = parameters.map(({ name, description, schema }) =>
    [
      name,
      description === undefined ? schema : { ...schema, description },
    ] as const
  );
  const required = parameters.filter((parameter) => parameter.required)
    .map(({ name }) => name);
  return {
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

/**
 * The schema of a result. A choice of objects becomes one object with the members
 * of all of them: clients that make types of schemas, such as FastMCP's, ignore
 * `oneOf` beside `type`.
 */
function createOutputSchema(
  { oneOf, ...schema }: Schema,
): ToolDefinition["outputSchema"] {
  if (!Array.isArray(oneOf)) {
    return { ...omitKeywords(schema, NOT_IN_OUTPUT), type: "object" };
  }
  const properties = oneOf.map(({ properties }) => properties);
  return {
    type: "object",
    ...omitKeywords({
      properties: Object.assign({}, ...properties),
      additionalProperties: false,
    }, NOT_IN_OUTPUT),
    oneOf: oneOf.map(({ required }) => ({ required })),
  };
}

/** Leaves keywords out of a schema and the schemas in it. */
function omitKeywords(schema: Schema, keywords: readonly string[]): Schema {
  const omit = (schema: unknown) => omitKeywords(schema as Schema, keywords);
  const entries = Object.entries(schema)
    .filter(([keyword]) => !keywords.includes(keyword))
    .map(([keyword, value]) => {
      if (keyword === "items") return [keyword, omit(value)];
      if (keyword !== "properties") return [keyword, value];
      const members = Object.entries(value as object)
        .map(([name, member]) => [name, omit(member)]);
      return [keyword, Object.fromEntries(members)];
    });
  return Object.fromEntries(entries);
}

/**
 * Puts the targets of references in their place, and the words for models. The
 * references must not form a circle.
 */
function resolve(value: unknown, description: Description): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item) => resolve(item, description));
  }
  if ("$ref" in value) {
    const target = String(value.$ref).split("/").slice(1).reduce(
      (parent: unknown, name) => (parent as Record<string, unknown>)[name],
      description,
    );
    return resolve(target, description);
  }
  return Object.fromEntries(
    Object.entries(replaceWords(value)).map(([name, member]) => [
      name,
      resolve(member, description),
    ]),
  );
}

/** Puts the members of `x-tool` in place of those beside it. */
function replaceWords(value: object): Record<string, unknown> {
  const { "x-tool": words, ...others } = value as Record<string, unknown>;
  return { ...others, ...words as object | undefined };
}
