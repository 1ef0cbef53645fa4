/**
 * Each operation is defined once, in its module in `routes/`. Its endpoint, OpenAPI document,
 * agent tool, and command are generated from this definition.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import type { Parameter } from "./parameters.ts";
import type { PropertySchema, ResultOf, Results } from "./result.ts";
import type { JsonObject } from "../json/object.ts";

/** Parameters by name, in the order of the documentation. */
export type Parameters = Readonly<Record<string, Parameter>>;

type Values<Params extends Parameters> = {
  readonly [Name in keyof Params]: Params[Name] extends Parameter<infer Value>
    ? Value
    : never;
};

/** How an operation is called and documented. Only the descriptions are Markdown. */
interface Description {
  /** `GET` reads parameters from the query, and `POST` reads them from a JSON body. */
  readonly method: "GET" | "POST";
  /** Name of the command, and the last segment of the endpoint's path. */
  readonly name: string;
  readonly summary: string;
  /** Description for programmers, in the OpenAPI document. */
  readonly description: string;
  /** The tool's name, also used as `operationId`, and its description for models. */
  readonly tool: { readonly name: string; readonly description: string };
  /** Schemas by name in the OpenAPI document. They must be the same objects as in `results`. */
  readonly schemas?: Readonly<Record<string, PropertySchema>>;
}

export interface Example<Sent = JsonObject, Result = object> {
  readonly sent: Sent;
  readonly result: Result;
}

/** An example of a rejected call, with the endpoint's error message. */
export interface ErrorExample<Sent = JsonObject> {
  readonly sent: Sent;
  readonly message: string;
  /** Set if the error is an `UnsupportedError`, which becomes a 501. */
  readonly isUnsupported?: true;
}

interface Definition<
  Params extends Parameters,
  Alternatives extends Results,
  Options extends Parameters,
> extends Description {
  readonly parameters: Params;
  readonly results: Alternatives;
  /** Examples by name. The command's help shows the first one with parameters. */
  readonly examples: Readonly<
    Record<string, Example<Partial<Values<Params>>, ResultOf<Alternatives>>>
  >;
  /** Rejected calls by name, which illustrate errors in the documentation. */
  readonly errors: Readonly<
    Record<string, ErrorExample<Partial<Record<keyof Params, unknown>>>>
  >;
  /** Replaces `summary` and `run()` for a command that reads a stream. */
  readonly command?: CommandDefinition<Params, Options>;

  /** @throws {InputError} if the values are rejected. */
  run(
    values: Values<Params>,
    context: CallContext,
  ): ResultOf<Alternatives> | Promise<ResultOf<Alternatives>>;
}

/** A command that reads `input` as a stream. */
interface CommandDefinition<
  Params extends Parameters,
  Options extends Parameters,
> {
  readonly summary: string;
  readonly options: Options;

  /**
   * @throws {InputError} if the values or the input are rejected.
   * @throws {ExitError} if the input cannot be opened or read.
   */
  run(
    values: Values<Omit<Params, "input"> & Options>,
    input: CommandInput,
  ): Promise<JsonObject>;
}

export interface CommandInput {
  /** Path of the file, or `undefined` for standard input. */
  readonly path: string | undefined;
  readonly isFile: (path: string) => Promise<boolean>;
  /**
   * Hashes the input with a Web Crypto algorithm, such as `SHA-256`, without loading it into
   * memory. Returns lowercase hexadecimal.
   */
  readonly digest: (algorithm: string) => Promise<string>;
}

/**
 * A type-erased operation, whose parameter and result types aren't known statically. The
 * endpoint, the tool, and the command pass different `ReadValue` functions to `run()`.
 */
export interface Operation extends Description {
  readonly parameters: Parameters;
  readonly results: Results;
  readonly examples: Readonly<Record<string, Example>>;
  readonly errors: Readonly<Record<string, ErrorExample>>;
  readonly command: Command | undefined;

  run(read: ReadValue, context: CallContext): JsonObject | Promise<JsonObject>;
}

interface Command {
  readonly summary: string;
  readonly options: Parameters;

  run(read: ReadValue, input: CommandInput): Promise<JsonObject>;
}

/**
 * Reads a parameter's value from a query, from JSON, or from a command line.
 *
 * @throws {InputError} if the value is invalid, or missing but required.
 */
export type ReadValue = <Value>(
  name: string,
  parameter: Parameter<Value>,
) => Value;

/** Creates an operation. The types of `run()` are inferred from `parameters` and `results`. */
export function defineOperation<
  const Params extends Parameters,
  const Alternatives extends Results,
  const Options extends Parameters,
>(definition: Definition<Params, Alternatives, Options>): Operation {
  const { parameters, command } = definition;
  const { input: _, ...withoutInput } = parameters;
  return {
    ...definition,
    run: (read, context) =>
      definition.run(readValues(parameters, read), context),
    command: command && {
      ...command,
      run(read, input) {
        const all = { ...withoutInput, ...command.options };
        return command.run(readValues(all, read), input);
      },
    },
  };
}

function readValues<Params extends Parameters>(
  parameters: Params,
  read: ReadValue,
): Values<Params> {
  const values: Partial<Record<keyof Params, unknown>> = {};
  for (const name in parameters) {
    values[name] = read(name, parameters[name]!);
  }
  return values as Values<Params>;
}
