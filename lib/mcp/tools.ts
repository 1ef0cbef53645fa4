/**
 * Creates the tools of the Model Context Protocol from an OpenAPI description. Each
 * operation with an `x-tool` member becomes a tool. Members of `x-tool`, at any
 * place of the description, replace those of the object that contains it: they are
 * the texts for models, beside the texts for programmers.
 *
 * @module
 */

/** A JSON Schema. */
type Schema = Readonly<Record<string, unknown>>;

/** The members of an operation that are used for its tool. */
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

/** The members of an OpenAPI description that are used for tools. */
interface Description {
  readonly info: object;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: object;
}

/** The server's description of itself, for agents. */
export interface ServerTexts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** General instructions for the model; some clients pass them on. */
  readonly instructions: string;
}

/**
 * Keywords that are left out of the schemas. Clients send the list of tools to
 * their model, so it should be short: of a result, the types are enough, and
 * examples are in the tool's description.
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

/** A tool as `tools/list` returns it. */
interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: "object" };
  readonly outputSchema: Schema & { readonly type: "object" };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** A tool and its endpoint. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly method: string;
  readonly path: string;
  /** The names of its arguments, in the order of its schema. */
  readonly argumentNames: readonly string[];
  /** Whether the arguments are the fields of a body, not parameters of a query. */
  readonly hasBody: boolean;
}

/** Reads the server's description of itself from `x-tool` in `info`. */
export function readServerTexts({ info }: Description): ServerTexts {
  const { name, title, description, instructions } = replaceTexts(info);
  return { name, title, description, instructions } as ServerTexts;
}

/** Creates a tool for each operation with an `x-tool`, in the description's order. */
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

/** Creates the schema of an object that has the parameters as members. */
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
 * Creates the schema of a result. If the result is one of several objects (`oneOf`),
 * the schema lists the members of all of them in `properties`, because clients that
 * generate types from schemas, such as FastMCP, ignore `oneOf` beside `type`.
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

/** Returns a schema without some keywords, also in the schemas that it contains. */
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
 * Replaces references (`$ref`) by their targets, and texts for programmers by those
 * for models. References must not be circular.
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
    Object.entries(replaceTexts(value)).map(([name, member]) => [
      name,
      resolve(member, description),
    ]),
  );
}

/** Replaces members of an object by those of its `x-tool`. */
function replaceTexts(value: object): Record<string, unknown> {
  const { "x-tool": texts, ...members } = value as Record<string, unknown>;
  return { ...members, ...texts as object | undefined };
}
