/**
 * Definitions of operations. Each operation is defined once, in its module in `routes/`.
 * Its endpoint, OpenAPI description, tool for agents and terminal command are made from
 * this definition.
 *
 * @module
 */

import type { CallContext } from "./context.ts";
import { InputError } from "./input_error.ts";
import type { Parameter } from "./parameters.ts";
import type { MemberSchema, ResultOf, Results } from "./result.ts";
import type { Bytes } from "../buffer.ts";
import type { Fields } from "../json/object.ts";

/** Parameters by name, in the order of the OpenAPI description and of the tool's schema. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** Maps the name of each parameter to the type of its value. */
type Values<Params extends Parameters> = {
  readonly [Name in keyof Params]: Params[Name] extends Parameter<infer Value>
    ? Value
    : never;
};

/**
 * How an operation is called and described. The descriptions are Markdown; the summary and
 * the names are plain text.
 */
interface Description {
  /** HTTP method: `GET` reads parameters from the query, `POST` from a JSON body. */
  readonly method: "GET" | "POST";
  /** Name of the command, and last segment of the endpoint's path, such as `/api/uuid`. */
  readonly name: string;
  readonly summary: string;
  /** Description for programmers. It appears in the OpenAPI description. */
  readonly description: string;
  /**
   * The name of the tool, which is also the `operationId` in the OpenAPI description, and
   * the description for models.
   */
  readonly tool: { readonly name: string; readonly description: string };
  /**
   * Schemas that are in `results` (the same objects), by the names that they get in
   * `components/schemas` of the OpenAPI description.
   */
  readonly schemas?: Readonly<Record<string, MemberSchema>>;
}

/** An example of a call: the values that are sent for the parameters, and the result. */
export interface Example<Sent = Fields, Result = object> {
  readonly sent: Sent;
  readonly result: Result;
}

/**
 * An example of a call that is refused, with the error message for values that are sent as
 * JSON. For values in a query, the message may differ.
 */
export interface RefusedCall<Sent = Fields> {
  readonly sent: Sent;
  readonly message: string;
  /** Set if the error is an `UnsupportedError`, which the endpoint answers with 501. */
  readonly isUnsupported?: true;
}

interface Definition<
  Params extends Parameters,
  Alternatives extends Results,
  Options extends Parameters,
> extends Description {
  readonly parameters: Params;
  readonly results: Alternatives;
  /** Calls by name. The first one that sends parameters is shown in the command's help. */
  readonly examples: Readonly<
    Record<string, Example<Partial<Values<Params>>, ResultOf<Alternatives>>>
  >;
  /** Refused calls by name: the examples of errors in the OpenAPI description. */
  readonly errors?: Readonly<
    Record<string, RefusedCall<Partial<Record<keyof Params, unknown>>>>
  >;
  /** Replaces `summary` and `run()` in the terminal, for a command whose input is bytes. */
  readonly command?: CommandDefinition<Params, Options>;

  /** @throws {InputError} for refused values. */
  run(
    values: Values<Params>,
    context: CallContext,
  ): ResultOf<Alternatives> | Promise<ResultOf<Alternatives>>;
}

/** A command that takes bytes in place of the text `input`. */
interface CommandDefinition<
  Params extends Parameters,
  Options extends Parameters,
> {
  readonly summary: string;
  /** Options that the command has besides the parameters of the operation. */
  readonly options: Options;

  /**
   * @throws {InputError} for values or an input that are refused.
   * @throws {ExitError} if the input cannot be opened or read.
   */
  run(
    values: Values<Omit<Params, "input"> & Options>,
    input: CommandInput,
  ): CommandResult | Promise<CommandResult>;
}

/** The input of a command: standard input, or a file. */
export interface CommandInput {
  /** Path of the file; `undefined` for standard input. */
  readonly file: string | undefined;
  /** Whether a path is that of an existing file, and not of a folder. */
  readonly isFile: (path: string) => Promise<boolean>;
  /**
   * Reads the whole input, without holding it in memory. Returns its digest in lower-case
   * hexadecimal. `algorithm` is named as in Web Crypto.
   */
  readonly digest: (
    algorithm: "SHA-1" | "SHA-256" | "SHA-512",
  ) => Promise<string>;
  /**
   * Reads the whole input. Rejects with an `InputError` if it has more than 250 MB, with an
   * `ExitError` if it cannot be opened or read.
   */
  readonly readBytes: () => Promise<Bytes>;
  /** Whether a result may be bytes. Otherwise it must be text. */
  readonly takesBytes: boolean;
}

/**
 * The members of a command's result. Without `--json`, only the first member is written,
 * which may be bytes.
 */
type CommandResult = Fields;

/**
 * An operation without the types of its parameters and results. The endpoint, the tool and
 * the command each pass `run()` a function that reads the values of parameters from a
 * query, from JSON or from a command line.
 */
export interface Operation extends Description {
  readonly parameters: Parameters;
  readonly results: Results;
  readonly examples: Readonly<Record<string, Example>>;
  readonly errors?: Readonly<Record<string, RefusedCall>>;
  readonly command: Command | undefined;

  run(read: ReadValue, context: CallContext): Fields | Promise<Fields>;
}

/** A command that takes bytes, without the types of its parameters. */
interface Command {
  readonly summary: string;
  readonly options: Parameters;

  run(
    read: ReadValue,
    input: CommandInput,
  ): CommandResult | Promise<CommandResult>;
}

/**
 * Returns the value of a parameter, read from a query, from JSON or from a command line.
 *
 * @throws {InputError} if the value is invalid, or missing but required.
 */
export type ReadValue = <Value>(
  name: string,
  parameter: Parameter<Value>,
) => Value;

/**
 * Makes an operation from its definition. The types of the values that the definition's
 * `run()` gets are inferred from `parameters`, the type of its result from `results`.
 */
export function defineOperation<
  const Params extends Parameters,
  const Alternatives extends Results,
  const Options extends Parameters,
>(definition: Definition<Params, Alternatives, Options>): Operation {
  const { parameters, command } = definition;
  return {
    ...definition,
    run(read, context) {
      return definition.run(readValues(parameters, read), context);
    },
    command: command && defineCommand(parameters, command),
  };
}

function defineCommand<
  Params extends Parameters,
  Options extends Parameters,
>(
  { input: _, ...parameters }: Params,
  definition: CommandDefinition<Params, Options>,
): Command {
  const all = { ...parameters, ...definition.options };
  return {
    ...definition,
    run(read, input) {
      return definition.run(readValues(all, read), input);
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

/**
 * Returns the error message with which the endpoint answers a refused call. All values of a
 * query are texts, so for a GET the message quotes them, such as `got "101"`.
 */
export function findMessage(
  { sent, message }: RefusedCall,
  { method, parameters }: Operation,
): string {
  if (method === "POST") return message;
  for (const [name, value] of Object.entries(sent)) {
    try {
      parameters[name]?.fromText(name, String(value));
    } catch (error) {
      if (error instanceof InputError) return error.message;
      throw error;
    }
  }
  // Each value of the call is valid, but not their combination.
  return message;
}
