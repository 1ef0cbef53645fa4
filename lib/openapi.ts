/**
 * Operations as parts of an OpenAPI description (version 3.1).
 *
 * @module
 */

import type { Members, Operation } from "./operation/operation.ts";

/** A description without the operations. */
interface Description {
  readonly info: object;
  readonly paths: object;
  readonly components: { readonly schemas: object };
}

type Example = readonly [name: string, value: object];

/** Adds operations to a description, before its own paths and schemas. */
export function addOperations(
  operations: readonly Operation[],
  { paths, components, ...others }: Description,
): object {
  const described = operations.map((operation) => [
    `/api/${operation.name}`,
    { [operation.method.toLowerCase()]: describe(operation) },
  ]);
  const schemas = { ...createSchemas(operations), ...components.schemas };
  return {
    ...others,
    paths: { ...Object.fromEntries(described), ...paths },
    components: { ...components, schemas },
  };
}

function describe(operation: Operation): object {
  const { method, tool, summary, description, examples } = operation;
  const common = {
    operationId: tool.name,
    tags: ["operations"],
    summary,
    description,
  };
  if (method === "GET") {
    return {
      ...common,
      parameters: describeParameters(operation),
      responses: {
        ...describeAnswers(operation, "A parameter is wrong."),
        default: refer("responses/OtherError"),
      },
    };
  }
  const content = {
    schema: referToSchema(operation, "Request"),
    examples: createExamples(
      Object.entries(examples).map(([name, [sent]]) => [name, sent]),
    ),
  };
  return {
    ...common,
    requestBody: { required: true, content: { "application/json": content } },
    responses: {
      ...describeAnswers(operation, "A field or the body is missing or wrong."),
      "408": refer("responses/TooLate"),
      "413": refer("responses/TooLarge"),
      "415": refer("responses/EncodedBody"),
      "503": refer("responses/TooBusy"),
      default: refer("responses/OtherError"),
    },
  };
}

function describeParameters({ parameters, examples }: Operation): object[] {
  return Object.entries(parameters).map(([name, parameter]) => {
    const { schema, default: value, description, isRequired } = parameter;
    return {
      name,
      in: "query",
      description,
      ...(isRequired && { required: true }),
      schema: { ...schema, ...(value !== undefined && { default: value }) },
      example: findExample(examples, name) ?? value,
    };
  });
}

/** Returns the value of a parameter in the first example in which it is given. */
function findExample(examples: Operation["examples"], name: string): unknown {
  const sent = Object.values(examples).map(([sent]) => sent);
  return sent.find((fields) => Object.hasOwn(fields, name))?.[name];
}

/** Describes the result and the errors of the operation itself, by status. */
function describeAnswers(operation: Operation, mistake: string): object {
  const { examples, errors = {} } = operation;
  const descriptions: Readonly<Record<number, string>> = {
    400: mistake,
    501: "The value is known, but not supported.",
  };
  const answers: Record<string, object> = {
    "200": describeAnswer(
      "The result.",
      referToSchema(operation, "Response"),
      Object.entries(examples).map(([name, [_sent, result]]) => [name, result]),
    ),
  };
  const byStatus = Map.groupBy(
    Object.entries(errors),
    ([_name, [_sent, _message, status = 400]]) => status,
  );
  for (const [status, entries] of byStatus) {
    answers[status] = describeAnswer(
      descriptions[status]!,
      refer("schemas/ErrorResponse"),
      entries.map(([name, [_sent, error]]) => [name, { error }]),
    );
  }
  // If no value is wrong, the method can be.
  if (!byStatus.has(400)) answers["405"] = refer("responses/OtherError");
  return answers;
}

function describeAnswer(
  description: string,
  schema: object,
  examples: readonly Example[],
): object {
  return {
    description,
    headers: { "Access-Control-Allow-Origin": refer("headers/AllowOrigin") },
    content: {
      "application/json": { schema, examples: createExamples(examples) },
    },
  };
}

function createExamples(examples: readonly Example[]): object {
  return Object.fromEntries(
    examples.map(([name, value]) => [name, { value }]),
  );
}

/** Creates the schemas of bodies and results. */
function createSchemas(operations: readonly Operation[]): object {
  const schemas: Record<string, object> = {};
  for (const operation of operations) {
    if (operation.method === "POST") {
      schemas[nameSchema(operation, "Request")] = createBodySchema(operation);
    }
    const [result, ...others] = [operation.result].flat().map(createObject);
    schemas[nameSchema(operation, "Response")] = others.length === 0
      ? result!
      : { oneOf: [result, ...others] };
  }
  return schemas;
}

/**
 * Creates the schema of a body. Unknown members are allowed, and there is no `default`:
 * generators of clients make a field required if it has one.
 */
function createBodySchema({ parameters }: Operation): object {
  const entries = Object.entries(parameters);
  const properties = entries.map(([name, parameter]) => {
    const { schema, description, unsupported } = parameter;
    const { enum: choices } = schema;
    return [name, {
      ...schema,
      ...(choices && { enum: [...choices, ...Object.keys(unsupported)] }),
      ...(description !== "" && { description }),
    }];
  });
  return {
    type: "object",
    required: entries.filter(([_name, { isRequired }]) => isRequired)
      .map(([name]) => name),
    properties: Object.fromEntries(properties),
  };
}

/** Creates the schema of an object that has the given members and no others. */
function createObject(members: Members): object {
  return {
    type: "object",
    required: Object.keys(members),
    additionalProperties: false,
    properties: members,
  };
}

/** Returns the name of a schema, such as `Base64Request`. */
function nameSchema(
  { name }: Operation,
  suffix: "Request" | "Response",
): string {
  return name.charAt(0).toUpperCase() + name.slice(1) + suffix;
}

function referToSchema(
  operation: Operation,
  suffix: "Request" | "Response",
): object {
  return refer(`schemas/${nameSchema(operation, suffix)}`);
}

/** Refers to a component of the description. */
function refer(component: string): object {
  return { $ref: `#/components/${component}` };
}
