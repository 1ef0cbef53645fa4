/**
 * What an operation is. Each is defined once, in its module in `routes/`; from this come its
 * endpoint, its tool for agents, its command in a terminal, and its description in OpenAPI.
 *
 * @module
 */

import type { Bytes } from "../http/answer.ts";
import type { Parameter } from "./parameters.ts";

/** Parameters by name, in the order in which they are described and checked. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** One of the parameters, with its name. */
export type Entry = readonly [name: string, parameter: Parameter];

/** The values of parameters. */
export type Values<Given extends Parameters = Parameters> = {
  readonly [Name in keyof Given]: ReturnType<Given[Name]["fromJson"]>;
};

/** The members of a result with their JSON Schemas. */
export type Members = Readonly<Record<string, object>>;

/** An operation. Texts are Markdown in plain sentences. */
export interface Operation<
  Given extends Parameters = Parameters,
  Options extends Parameters = Parameters,
> {
  /** `GET` reads the parameters from the query, `POST` from the body. */
  readonly method: "GET" | "POST";
  /** The name of the command, and the last part of the path. */
  readonly name: string;
  readonly summary: string;
  /** The description for programmers. */
  readonly description: string;
  /** The name in programs (OpenAPI's `operationId`), and the description for models. */
  readonly tool: { readonly name: string; readonly description: string };
  readonly parameters: Given;
  /** The members of the result, or those of each of several results. */
  readonly result: Members | readonly Members[];
  /** Requests with their results. The first one with a parameter is the example of the help. */
  readonly examples: Readonly<
    Record<string, readonly [sent: Fields, result: Fields]>
  >;
  /** Requests with the messages of their errors, and the HTTP status if it is not 400. */
  readonly errors?: Readonly<
    Record<string, readonly [sent: Fields, message: string, status?: 501]>
  >;
  /**
   * Computes the answer: an object, or the bytes of its JSON text.
   *
   * @throws {InputError} for values that are refused.
   */
  run(values: Values<Given>, caller: Caller): Answer | Promise<Answer>;
  /** What is different in a terminal. */
  readonly command?: Command<Given, Options>;
}

/** An object that is sent as JSON, or the bytes of a JSON text. */
type Answer = object | Bytes;

/** The members of a JSON object, whose values are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Waits until a long computation may go on; `undefined` if it may go on at once. An
 * operation that is about to make a result of many bytes passes their number, for which it
 * gets room.
 */
export type Pause = (resultBytes?: number) => Promise<void> | undefined;

/** For a computation that is too short for a pause, or beside which no other runs. */
export function doNotPause(): undefined {}

/** The form in which an operation is called. */
export interface Caller {
  /** Lets other requests be answered between the parts of a long computation. */
  readonly pause: Pause;
  /** Largest result that the form can take, in bytes, inclusive. */
  readonly maxResultBytes: number;
}

/**
 * The differences of a command: its `input` is standard input, which may be bytes that are
 * no text.
 */
interface Command<Given extends Parameters, Options extends Parameters> {
  /** The texts that differ from those of the operation. */
  readonly summary?: string;
  readonly input?: string;
  /** Options that only the command has. */
  readonly options?: Options;
  /** Runs in place of `run()`, on bytes; the first member of the answer may be bytes, too. */
  runBytes?(
    values: CommandValues<Given, Options>,
    input: Bytes,
  ): object | Promise<object>;
  /** Runs in place of `run()`, on the chunks of an input of any size. */
  runStream?(
    values: CommandValues<Given, Options>,
    input: AsyncIterable<Bytes>,
  ): object | Promise<object>;
}

/** The values of a command, and whether it prints JSON (`--json`). */
type CommandValues<Given extends Parameters, Options extends Parameters> =
  & Omit<Values<Given>, "input">
  & Values<Options>
  & { readonly json: boolean };

/** Defines an operation: gives `run()` the types of its parameters. */
export function defineOperation<
  const Given extends Parameters,
  const Options extends Parameters,
>(operation: Operation<Given, Options>): Operation<Given, Options> {
  return operation;
}

/**
 * Reads the values of parameters from a JSON object.
 *
 * @throws {InputError} for the first wrong value.
 */
export function readFields(
  parameters: readonly Entry[],
  fields: Fields,
): Values {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of parameters) {
    values[name] = parameter.fromJson(name, fields[name]);
  }
  return values;
}

/** Whether a value of a JSON text is an object. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
