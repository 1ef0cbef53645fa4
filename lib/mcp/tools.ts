/**
 * Creates the tools of the Model Context Protocol from an OpenAPI description. Each
 * operation with an `x-tool` member becomes a tool. Members of `x-tool`, at any
 * place of the description, replace those of the object that contains it: they are
 * the texts for models, beside the texts for programmers.
 *
 * @module
 */

import {
  createSchema,
  type Description,
  type Endpoint,
  readEndpoints,
  replaceTexts,
  type Schema,
} from "../openapi.ts";

/** The server's description of itself, for agents. */
export interface ServerTexts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** General instructions for the model; some clients pass them on. */
  readonly instructions: string;
}

/**
 * Keywords that are left out of the schemas of arguments and of results. Clients send
 * the list of tools to their model, so it should be short: of a result, the types are
 * enough, and examples are in the tool's description.
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
  /** The names of the tool's arguments, in the order of the schema. */
  readonly argumentNames: readonly string[];
  /** Whether the arguments are the fields of a body, not parameters of a query. */
  readonly hasBody: boolean;
}

/** Reads the server's description of itself from `x-tool` in `info`. */
export function readServerTexts({ info }: Description): ServerTexts {
  const { name, title, description, instructions } = replaceTexts(
    info,
    "x-tool",
  );
  return { name, title, description, instructions } as ServerTexts;
}

/** Creates a tool for each operation with an `x-tool`, in the description's order. */
export function createTools(description: Description): Tool[] {
  return readEndpoints(description, "x-tool")
    .filter(({ isExtended }) => isExtended)
    .map(createTool);
}

function createTool({ path, method, operation }: Endpoint): Tool {
  const { operationId, summary, description } = operation;
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
        openWorldHint: false,
      },
    },
    method,
    path,
    argumentNames: Object.keys(properties as object),
    hasBody: body !== undefined,
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
