/**
 * Tools of the Model Context Protocol made of an OpenAPI description: each
 * operation is one, and calling it is a request to its endpoint.
 *
 * @module
 */

/** A JSON Schema, or another part of the description that may have references. */
type Schema = Readonly<Record<string, unknown>>;

/** What makes a tool of an operation; its other members are left alone. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** The paths of an OpenAPI description, and what their references lead to. */
export interface Description {
  readonly paths: Readonly<Record<string, object>>;
  readonly components: object;
}

/** What a model must know of an operation besides its description. */
export interface Advice {
  /** When to use the tool, and what not to do without it. */
  readonly use: string;
  /** Whether the same arguments always have the same result. */
  readonly isIdempotent: boolean;
}

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A tool as clients see it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema & { readonly type: "object" };
  readonly outputSchema: Schema & { readonly type: "object" };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** A tool, and the request to its endpoint that calls it. */
export interface Tool {
  readonly definition: ToolDefinition;
  createRequest(args: Arguments): Request;
}

/**
 * Makes a tool of each operation whose path has advice, in the description's order.
 * Name, title, description and schemas are the operation's own.
 */
export function createTools(
  description: Description,
  advice: Readonly<Record<string, Advice>>,
): Tool[] {
  const resolve = (value: unknown) => resolveReferences(value, description);
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(resolve(methods) as Readonly<Record<string, Operation>>)
      .flatMap(([method, operation]) => {
        const adviceOnIt = advice[path];
        if (adviceOnIt === undefined) return [];
        return createTool(path, method.toUpperCase(), operation, adviceOnIt);
      })
  );
}

function createTool(
  path: string,
  method: string,
  operation: Operation,
  { use, isIdempotent }: Advice,
): Tool {
  const { operationId, summary, description, parameters = [] } = operation;
  const url = `http://localhost${path}`;
  const body = operation.requestBody?.content["application/json"];
  const answer = operation.responses["200"]?.content?.["application/json"];
  return {
    definition: {
      name: operationId,
      title: summary,
      description: [`${summary}.`, use, description].filter(Boolean).join(" "),
      inputSchema: {
        ...(body?.schema ?? createSchema(parameters)),
        type: "object",
      },
      // Where the schema is a choice of objects, the protocol wants it said.
      outputSchema: { ...answer?.schema, type: "object" },
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: isIdempotent,
        openWorldHint: false,
      },
    },
    createRequest(args) {
      return body === undefined
        ? new Request(`${url}?${createQuery(parameters, args)}`, { method })
        : new Request(url, { method, body: JSON.stringify(args) });
    },
  };
}

/** The schema of an object with the parameters as members. */
function createSchema(parameters: readonly Parameter[]): Schema {
  const properties = parameters.map(({ name, description, schema, example }) =>
    [
      name,
      {
        ...schema,
        ...(description === undefined ? {} : { description }),
        ...(example === undefined ? {} : { examples: [example] }),
      },
    ] as const
  );
  const required = parameters.filter((parameter) => parameter.required)
    .map(({ name }) => name);
  return {
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** Writes arguments as a query; what does not belong in one, as JSON, for the endpoint to refuse. */
function createQuery(
  parameters: readonly Parameter[],
  args: Arguments,
): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name } of parameters) {
    if (!Object.hasOwn(args, name)) continue;
    const value = args[name];
    query.set(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return query;
}

/** Puts what references lead to in their place. They must not lead in a circle. */
function resolveReferences(value: unknown, description: Description): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item) => resolveReferences(item, description));
  }
  if ("$ref" in value) {
    const target = String(value.$ref).split("/").slice(1).reduce(
      (parent: unknown, name) => (parent as Record<string, unknown>)[name],
      description,
    );
    return resolveReferences(target, description);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      resolveReferences(member, description),
    ]),
  );
}
