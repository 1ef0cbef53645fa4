/**
 * Creates the commands of the terminal from an OpenAPI description. The field `input` of a
 * request is read from standard input. A required field with a list of valid values
 * (`enum`) is a word after the command's name. All other fields and parameters are options.
 *
 * @module
 */

import {
  createSchema,
  type Description,
  type Endpoint,
  type Parameter,
  readEndpoints,
  type Schema,
} from "../openapi.ts";

/** The keywords of a field's schema that are used here. */
interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly pattern?: string;
}

interface ObjectSchema extends Schema {
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** A field of a request's body, or a parameter of its query. */
export interface Field {
  readonly name: string;
  /** Name of the field on the command line, such as `ALGORITHM` or `--count`. */
  readonly label: string;
  readonly schema: FieldSchema;
}

/** A command, which computes the answer of an endpoint. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** HTTP method of the command's endpoint. */
  readonly method: string;
  /** Path of the command's endpoint. */
  readonly path: string;
  /** The fields that are positional arguments, in their order. */
  readonly words: readonly Field[];
  readonly options: readonly Field[];
  /** The field that is read from standard input. */
  readonly input: Field | undefined;
  /**
   * Pattern of the command's results, such as hexadecimal digests; `undefined` if the
   * description has none. With a pattern, the option `--check` can compare the result with
   * an expected one.
   */
  readonly resultPattern: RegExp | undefined;
  /** An example for the help: a command line for a shell. */
  readonly example: string;
}

/** Tag of the operations that are commands. */
const TAG = "operations";

/** Creates a command for each operation, in the description's order. */
export function createCommands(description: Description): Command[] {
  return readEndpoints(description, "x-command")
    .filter(({ operation }) => operation.tags?.includes(TAG))
    .map(createCommand);
}

function createCommand({ method, path, operation }: Endpoint): Command {
  const { summary, parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content["application/json"];
  const answer = responses["200"]?.content?.["application/json"];
  const { properties = {}, required = [] } = (body?.schema ??
    createSchema(parameters)) as ObjectSchema;
  const words: Field[] = [];
  const options: Field[] = [];
  let input: Field | undefined;
  for (const [name, schema] of Object.entries(properties)) {
    if (body && name === "input") {
      input = { name, label: "standard input", schema };
    } else if (required.includes(name) && schema.enum) {
      words.push({ name, label: name.toUpperCase(), schema });
    } else options.push({ name, label: toOption(name), schema });
  }
  const [example] = Object.values(body?.examples ?? {});
  const values = example?.value ?? readExamples(parameters);
  const name = path.split("/").at(-1)!;
  const { result } = (answer?.schema as ObjectSchema).properties ?? {};
  return {
    name,
    summary,
    method,
    path,
    words,
    options,
    input,
    resultPattern: result?.pattern === undefined
      ? undefined
      : new RegExp(result.pattern),
    example: writeLine({ name, words, options }, values),
  };
}

/** Converts `maxLength`, for example, to `--max-length`. */
function toOption(name: string): string {
  return `--${name.replace(/[A-Z]/g, "-$&").toLowerCase()}`;
}

/** Returns the example value of each parameter, except examples that are the default value. */
function readExamples(parameters: readonly Parameter[]): Schema {
  return Object.fromEntries(
    parameters.filter(({ example, schema }) => example !== schema["default"])
      .map(({ name, example }) => [name, example]),
  );
}

/** Writes the command line that runs a command with the given values in a shell. */
function writeLine(
  { name, words, options }: Pick<Command, "name" | "words" | "options">,
  values: Schema,
): string {
  const parts = ["devutils", name, ...words.map(({ name }) => values[name])];
  for (const { name, label } of options) {
    const value = values[name];
    if (value === false) parts.push(label.replace("--", "--no-"));
    else if (value === true) parts.push(label);
    else if (value !== undefined) parts.push(label, value);
  }
  const { input } = values;
  if (input === undefined) return parts.join(" ");
  const quoted = `'${String(input).replaceAll("'", "'\\''")}'`;
  return `printf %s ${quoted} | ${parts.join(" ")}`;
}
