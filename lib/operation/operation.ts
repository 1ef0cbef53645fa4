/**
 * Definitions of operations. Each operation is defined once, in its module in `routes/`; its
 * endpoint, its tool for agents, its command in a terminal and its OpenAPI description are
 * made from that.
 *
 * @module
 */

import type { Parameter } from "./parameters.ts";
import type { MemberSchema, ResultOf, Results } from "./result.ts";
import type { Bytes } from "../values/buffer.ts";

/** Parameters by name, in the order in which they are described and read. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** The types of the values of parameters, by name. */
type Values<Params extends Parameters> = {
  readonly [Name in keyof Params]: Params[Name] extends Parameter<infer Value>
    ? Value
    : never;
};

/** The members of a JSON object, whose values are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** How an operation is called and described. Texts are Markdown in plain sentences. */
interface Description {
  /** `GET` reads the parameters from the query, `POST` from the body. */
  readonly method: "GET" | "POST";
  /** The name of the command, and the last part of the path. */
  readonly name: string;
  readonly summary: string;
  /** The description for programmers. */
  readonly description: string;
  /** The name in programs (`operationId` in OpenAPI), and the description for models. */
  readonly tool: { readonly name: string; readonly description: string };
  /** Parts of `results` that have a name of their own in generated clients. */
  readonly schemas?: Readonly<Record<string, MemberSchema>>;
}

/** A call with its result. */
export interface Example<Sent = Fields, Result = object> {
  readonly sent: Sent;
  readonly result: Result;
}

/** A call that is refused, with the message for values that come as JSON. */
export interface RefusedCall<Sent = Fields> {
  readonly sent: Sent;
  readonly message: string;
  /** Whether a value is refused because the platform does not support it. */
  readonly isUnsupported?: true;
}

/** The definition of an operation. */
interface Definition<
  Params extends Parameters,
  Alternatives extends Results,
  Options extends Parameters,
> extends Description {
  readonly parameters: Params;
  readonly results: Alternatives;
  /** The first example that has parameters is the one of the command's help. */
  readonly examples: Readonly<
    Record<string, Example<Partial<Values<Params>>, ResultOf<Alternatives>>>
  >;
  /** Calls that are refused. */
  readonly errors?: Readonly<
    Record<string, RefusedCall<Partial<Record<keyof Params, unknown>>>>
  >;
  /** The command, if it differs from `run()`: because it takes bytes, for example. */
  readonly command?: CommandDefinition<Params, Options>;

  /** @throws {InputError} for values that are refused. */
  run(
    values: Values<Params>,
    caller: Caller,
  ): ResultOf<Alternatives> | Promise<ResultOf<Alternatives>>;
}

/** What an operation may know of the form that calls it: endpoint, tool or command. */
export interface Caller {
  /** Lets other requests be answered between the parts of a long computation. */
  readonly pause: Pause;
  /** Largest result that the caller reads, in bytes, inclusive. */
  readonly maxResultBytes: number;
}

/**
 * Waits until a long computation may go on; `undefined` if it may go on at once. An
 * operation that is about to make a result of many bytes passes their number, so that it
 * waits until there is room for them.
 */
export type Pause = (resultBytes?: number) => Promise<void> | undefined;

/** A `Pause` without a wait: for short computations, and for programs with one caller. */
export function doNotPause(): undefined {}

/** A command that takes bytes in place of the text `input`. */
interface CommandDefinition<
  Params extends Parameters,
  Options extends Parameters,
> {
  readonly summary: string;
  /** Options that only the command has. */
  readonly options: Options;

  /** @throws {InputError} for values that are refused. */
  run(
    values: Values<Omit<Params, "input"> & Options>,
    input: CommandInput,
  ): CommandResult | Promise<CommandResult>;
}

/** The input of a command: standard input, or a file. */
export interface CommandInput {
  readonly chunks: AsyncIterable<Bytes>;
  /** Reads the whole input. */
  readonly readBytes: () => Promise<Bytes>;
  /** Whether the result is printed as JSON (`--json`), so that it must be text. */
  readonly printsJson: boolean;
}

/** The result of a command, of which the first member is printed; it may be bytes. */
type CommandResult = Fields;

/**
 * An operation as its forms use it: endpoint, tool, command. Each form passes a function that
 * reads the values from its own notation.
 */
export interface Operation extends Description {
  readonly parameters: Parameters;
  readonly results: Results;
  readonly examples: Readonly<Record<string, Example>>;
  readonly errors?: Readonly<Record<string, RefusedCall>>;
  readonly command: Command | undefined;

  run(read: ReadValue, caller: Caller): Fields | Promise<Fields>;
}

/** A command that takes bytes, as the terminal uses it. */
interface Command {
  readonly summary: string;
  readonly options: Parameters;

  run(
    read: ReadValue,
    input: CommandInput,
  ): CommandResult | Promise<CommandResult>;
}

/** Reads the value of a parameter from its notation in a form. */
export type ReadValue = <Value>(
  name: string,
  parameter: Parameter<Value>,
) => Value;

/** Defines an operation: `run()` gets values whose types follow from the parameters. */
export function defineOperation<
  const Params extends Parameters,
  const Alternatives extends Results,
  const Options extends Parameters,
>(definition: Definition<Params, Alternatives, Options>): Operation {
  const { parameters, command } = definition;
  return {
    ...definition,
    run(read, caller) {
      return definition.run(readValues(parameters, read), caller);
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

/** Whether a value of a JSON text is an object, and neither an array nor `null`. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
