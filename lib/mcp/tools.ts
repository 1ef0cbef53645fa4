/**
 * Creates the tools of the Model Context Protocol (MCP) from an OpenAPI description: one
 * for each operation with a member `x-tool`. The description is written for programmers.
 * Texts in a member `x-tool` are for models: they replace those of the object that has the
 * member.
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
  /** General instructions for the model, which only some clients pass on to it. */
  readonly instructions: string;
}

/**
 * Keywords that are left out of the schemas of arguments. Clients send the list of tools to
 * their model, so it should be short.
 */
const NOT_IN_INPUT = ["examples"];

/** Keywords that are left out of the schemas of results: models need only a result's types. */
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

/** A tool, and the endpoint that it calls. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly method: string;
  readonly path: string;
  /** The names of the tool's arguments, in the order of the schema. */
  readonly argumentNames: readonly string[];
  /** Whether the endpoint takes the arguments in a body; otherwise it takes them in a query. */
  readonly hasBody: boolean;
}

/** Reads the server's description of itself, for agents, from `info` of the OpenAPI description. */
export function readServerTexts({ info }: Description): ServerTexts {
  const { name, title, description, instructions } = replaceTexts(
    info,
    "x-tool",
  );
  return { name, title, description, instructions } as ServerTexts;
}

/**
 * Creates a tool for each operation with a member `x-tool`, in the order of the
 * description.
 */
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
 * Creates the JSON Schema of a result. For a result that is one of several objects
 * (`oneOf`), `properties` lists the members of all of them: clients that generate types
 * from schemas, such as FastMCP, ignore `oneOf` beside `type`.
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

/**
 * Returns a schema without the given keywords. They are removed from the schemas of its
 * items and properties, too.
 */
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
