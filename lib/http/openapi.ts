/** Generates the part of the OpenAPI 3.1 document that describes the operations. */

import type { ErrorExample, Operation } from "../operation/operation.ts";
import type { Parameter } from "../operation/parameters.ts";
import type { Properties } from "../operation/result.ts";

/** The handwritten part of an OpenAPI document. */
interface CommonParts {
  readonly info: object;
  readonly paths: object;
  readonly components: { readonly schemas: object };
}

const COMMON_RESPONSES = {
  "405": refer("responses/WrongMethod"),
  "500": refer("responses/Failure"),
};

/** Responses of every path that accepts a request body. */
const BODY_RESPONSES = {
  "408": refer("responses/TooLate"),
  "413": refer("responses/TooLarge"),
  "415": refer("responses/EncodedBody"),
  "503": refer("responses/TooBusy"),
};

/** Inserts the paths and schemas of operations before the handwritten ones. */
export function addOperations(
  operations: readonly Operation[],
  { paths, components, ...info }: CommonParts,
): object {
  const described = operations.map((operation) => [
    `/api/${operation.name}`,
    { [operation.method.toLowerCase()]: describe(operation) },
  ]);
  const schemas = { ...createSchemas(operations), ...components.schemas };
  return {
    ...info,
    paths: { ...Object.fromEntries(described), ...paths },
    components: { ...components, schemas },
  };
}

function describe(operation: Operation): object {
  const { method, tool, summary, description } = operation;
  return {
    operationId: tool.name,
    tags: ["operations"],
    summary,
    description,
    ...(method === "GET"
      ? { parameters: describeParameters(operation) }
      : { requestBody: describeBody(operation) }),
    responses: describeResponses(operation),
  };
}

function describeParameters({ parameters, examples }: Operation): object[] {
  const sent = Object.values(examples).map((example) => example.sent);
  return Object.entries(parameters).map(([name, parameter]) => {
    const { schema, default: value, description, isRequired } = parameter;
    const example = sent.find((values) => Object.hasOwn(values, name));
    return {
      name,
      in: "query",
      description,
      ...(isRequired && { required: true }),
      schema: { ...schema, ...(value !== undefined && { default: value }) },
      example: example?.[name] ?? value,
    };
  });
}

function describeBody(operation: Operation): object {
  const examples = Object.entries(operation.examples);
  const content = {
    schema: refer(`schemas/${nameBody(operation)}`),
    examples: createExamples(examples, ({ sent }) => sent),
  };
  return { required: true, content: { "application/json": content } };
}

function describeResponses(operation: Operation): object {
  const { method, examples, errors } = operation;
  const hasBody = method === "POST";
  const { invalid = [], unsupported } = Object.groupBy(
    Object.entries(errors),
    ([_name, { isUnsupported }]) => isUnsupported ? "unsupported" : "invalid",
  );
  const unknownCoding = hasBody && { "501": refer("responses/UnknownCoding") };
  return {
    "200": describeResponse(
      "The result.",
      refer(`schemas/${nameResult(operation)}`),
      createExamples(Object.entries(examples), ({ result }) => result),
    ),
    "400": describeErrors(
      hasBody
        ? "A field is missing, invalid, or unknown, or the body is invalid."
        : "A parameter is missing, invalid, or unknown.",
      invalid,
    ),
    ...(hasBody && BODY_RESPONSES),
    ...COMMON_RESPONSES,
    ...(unsupported === undefined ? unknownCoding : {
      "501": describeErrors(
        "The value is recognized but not supported, or the body has a " +
          "Transfer-Encoding other than chunked.",
        unsupported,
      ),
    }),
  };
}

function describeErrors(
  description: string,
  calls: readonly (readonly [name: string, call: ErrorExample])[],
): object {
  const schema = refer("schemas/ErrorResponse");
  const examples = createExamples(calls, (call) => ({ error: call.message }));
  return describeResponse(description, schema, examples);
}

function describeResponse(
  description: string,
  schema: object,
  examples: object,
): object {
  return {
    description,
    headers: { "Access-Control-Allow-Origin": refer("headers/AllowOrigin") },
    content: { "application/json": { schema, examples } },
  };
}

function createExamples<Call>(
  calls: readonly (readonly [name: string, call: Call])[],
  select: (call: Call) => object,
): object {
  return Object.fromEntries(
    calls.map(([name, call]) => [name, { value: select(call) }]),
  );
}

/**
 * Creates the schemas of request bodies and results. For alternative results, creates an
 * additional schema that combines them, because some client generators, such as oapi-codegen,
 * cannot name alternatives inside a response.
 */
function createSchemas(operations: readonly Operation[]): object {
  const schemas: Record<string, object> = {};
  for (const operation of operations) {
    if (operation.method === "POST") {
      schemas[nameBody(operation)] = createBodySchema(operation);
    }
    for (const [name, properties] of Object.entries(operation.results)) {
      schemas[name] = referToSchemas(createObject(properties), operation);
    }
    const alternatives = Object.keys(operation.results);
    if (alternatives.length > 1) {
      schemas[nameResult(operation)] = {
        oneOf: alternatives.map((name) => refer(`schemas/${name}`)),
      };
    }
    Object.assign(schemas, operation.schemas);
  }
  return schemas;
}

/** Replaces the operation's shared schemas with references. */
function referToSchemas(schema: object, { schemas = {} }: Operation): object {
  const json = JSON.stringify(schema, (_key, value) => {
    const name = Object.keys(schemas).find((name) => schemas[name] === value);
    return name === undefined ? value : refer(`schemas/${name}`);
  });
  return JSON.parse(json);
}

function nameBody({ name }: Operation): string {
  return `${capitalize(name)}Request`;
}

/** Returns a name such as `HashResponse`, or `UuidResult` for alternative results. */
function nameResult({ name, results }: Operation): string {
  const [first, second] = Object.keys(results);
  return second === undefined ? first! : `${capitalize(name)}Result`;
}

function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The schema includes choices that are rejected as unsupported. */
function createBodySchema({ parameters }: Operation): object {
  const names = Object.keys(parameters);
  const properties = Object.entries(parameters).map(([name, parameter]) => {
    const { schema, unsupported } = parameter;
    const { enum: choices } = schema;
    const description = describeField(parameter);
    return [name, {
      ...schema,
      ...(choices && { enum: [...choices, ...Object.keys(unsupported)] }),
      ...(description !== "" && { description }),
    }];
  });
  const required = names.filter((name) => parameters[name]!.isRequired);
  return createObject(Object.fromEntries(properties), required);
}

/**
 * Returns the description followed by the default. The schema omits the default, because some
 * client generators, such as openapi-typescript, make a field with a `default` required.
 */
function describeField({ description, default: value }: Parameter): string {
  if (value === undefined) return description;
  return `${description} Default: \`${value}\`.`.trim();
}

function createObject(
  properties: Properties,
  required: readonly string[] = Object.keys(properties),
): object {
  return { type: "object", required, additionalProperties: false, properties };
}

function refer(component: string): object {
  return { $ref: `#/components/${component}` };
}
