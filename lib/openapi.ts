/**
 * This module reads the operations of an OpenAPI description. Tools for agents and commands
 * of the terminal are created from them. The description is written for programmers. An
 * object in it may have a member `x-tool` or `x-command`, whose members replace those of
 * the object for tools or commands.
 *
 * @module
 */

/**
 * Name of a member that an object in the description may have. The members in it replace
 * those of the object, for tools (`x-tool`) or for commands (`x-command`).
 */
type Extension = "x-tool" | "x-command";

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** A query parameter. */
export interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** Schemas and examples of bodies, by media type. */
export type Content = Readonly<
  Record<string, {
    readonly schema: Schema;
    readonly examples?: Readonly<Record<string, { readonly value: Schema }>>;
  }>
>;

/** The members of an OpenAPI operation from which a tool for agents and a command of the terminal are created. */
export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** The members of an OpenAPI description that this service reads. */
export interface Description {
  readonly info: object;
  readonly paths: Readonly<Record<string, object>>;
  readonly components: object;
}

/** An operation with its path, and its method in capital letters. */
export interface Endpoint {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  /**
   * Whether the operation itself has the member `x-tool` or `x-command`. An object inside
   * the operation that has it does not count.
   */
  readonly isExtended: boolean;
}

/** Reads all operations, in the order of the description, with the texts for tools (`x-tool`) or commands (`x-command`). */
export function readEndpoints(
  description: Description,
  extension: Extension,
): Endpoint[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: resolve(operation, description, extension) as Operation,
      isExtended: extension in operation,
    }))
  );
}

/** Creates the schema of an object that has the given query parameters as members. */
export function createSchema(parameters: readonly Parameter[]): Schema {
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
 * Replaces each reference (`$ref`) in a value by the target of the reference, and applies
 * `replaceTexts()` to each object in the value. References must not be circular.
 */
function resolve(
  value: unknown,
  description: Description,
  extension: Extension,
): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item) => resolve(item, description, extension));
  }
  if ("$ref" in value) {
    const target = String(value.$ref).split("/").slice(1).reduce(
      (parent: unknown, name) => (parent as Record<string, unknown>)[name],
      description,
    );
    return resolve(target, description, extension);
  }
  return Object.fromEntries(
    Object.entries(replaceTexts(value, extension)).map(([name, member]) => [
      name,
      resolve(member, description, extension),
    ]),
  );
}

/**
 * Returns the members of an object of the description, without members that begin with
 * `x-`. For tools, members in `value["x-tool"]` replace those of the same name; for
 * commands, those in `value["x-command"]`.
 */
export function replaceTexts(
  value: object,
  extension: Extension,
): Record<string, unknown> {
  const members = { ...value, ...(value as Record<string, object>)[extension] };
  return Object.fromEntries(
    Object.entries(members).filter(([name]) => !name.startsWith("x-")),
  );
}
