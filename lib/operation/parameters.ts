/**
 * The kinds of parameters: text, choice, integer and boolean. A parameter reads its value
 * from JSON (the body of a request, the arguments of a tool) or from text (a query, a
 * command line), and has the schema and the description that all forms show.
 *
 * @module
 */

import { formatValue } from "../format_value.ts";
import { InputError } from "./input_error.ts";

/** One of the values that an operation needs. */
export interface Parameter<Value = unknown> {
  /** The JSON Schema of the values, without the keywords for descriptions and defaults. */
  readonly schema: Schema;
  /** Texts for programmers, in Markdown; empty if the schema says everything. */
  readonly description: string;
  /** The text for models, if it is another one. */
  readonly toolDescription: string;
  /** The value of a parameter that is not given. */
  readonly default: Value | undefined;
  readonly isRequired: boolean;
  /** Values that are known, but refused, with the reason. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** @throws {InputError} for a value of another type or out of range. */
  fromJson(name: string, value: unknown): Value;
  /** @throws {InputError} for a text that is not the notation of a value. */
  fromText(name: string, text: string | undefined): Value;
}

/** The keywords that schemas of parameters have. */
export interface Schema {
  readonly type: "string" | "integer" | "boolean";
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Options of every kind. */
interface Options<Value> {
  readonly description?: string;
  readonly toolDescription?: string;
  readonly default?: Value;
}

/** Any text. */
export function text(options: Options<string>): Parameter<string> {
  return create(options, {
    schema: { type: "string" },
    expected: "a string",
    fromJson: (value) => typeof value === "string" ? value : undefined,
    fromText: (text) => text,
  });
}

/** One of several texts or numbers, of which there must be two at least. */
export function choice<const Choice extends string | number>(
  choices: readonly Choice[],
  { unsupported = {}, ...options }: Options<Choice> & {
    /** Other values that are known, but refused (501), with the reason. */
    readonly unsupported?: Readonly<Record<string, string>>;
  } = {},
): Parameter<Choice> {
  const words = choices.map((choice) => JSON.stringify(choice));
  const expected = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
  const reasons = new Map<unknown, string>(Object.entries(unsupported));
  const parameter = create(options, {
    schema: {
      type: typeof choices[0] === "number" ? "integer" : "string",
      enum: choices,
    },
    expected,
    fromJson: (value) => choices.find((choice) => choice === value),
    fromText: (text) => choices.find((choice) => String(choice) === text),
  });
  return {
    ...parameter,
    unsupported,
    fromJson(name, value) {
      const reason = reasons.get(value);
      if (reason === undefined) return parameter.fromJson(name, value);
      throw new InputError(name, `must be ${expected}: ${reason}`, 501);
    },
  };
}

/** An integer within bounds, both inclusive. */
export function integer(
  { min, max, ...options }: Options<number> & {
    readonly min: number;
    readonly max: number;
  },
): Parameter<number> {
  const check = (value: number) =>
    Number.isSafeInteger(value) && value >= min && value <= max
      ? value
      : undefined;
  return create(options, {
    schema: { type: "integer", minimum: min, maximum: max },
    expected: `an integer from ${min} to ${max}`,
    fromJson: (value) => typeof value === "number" ? check(value) : undefined,
    // `Number()` alone would accept `0x10`, `1e1` and ` 5`.
    fromText: (text) =>
      /^(?:0|[1-9]\d*)$/.test(text) ? check(Number(text)) : undefined,
  });
}

const BOOLEANS = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["off", false],
]);

/** `true` or `false`; as a text also `1`, `yes`, `on`, `0`, `no` or `off`, in any case. */
export function boolean(options: Options<boolean>): Parameter<boolean> {
  return create(options, {
    schema: { type: "boolean" },
    expected: "true or false",
    expectedText: '"true" or "false"',
    fromJson: (value) => typeof value === "boolean" ? value : undefined,
    fromText: (text) => BOOLEANS.get(text.toLowerCase()),
  });
}

/** A parameter that may be absent, although it has no default: its value is `undefined` then. */
export function optional<Value>(
  parameter: Parameter<Value>,
): Parameter<Value | undefined> {
  return {
    ...parameter,
    isRequired: false,
    fromJson: (name, value) =>
      value === undefined ? undefined : parameter.fromJson(name, value),
    fromText: (name, text) =>
      text === undefined ? undefined : parameter.fromText(name, text),
  };
}

/** What distinguishes the kinds. */
interface Kind<Value> {
  readonly schema: Schema;
  /** The valid values, for error messages. */
  readonly expected: string;
  /** The same for texts, if it is another notation. */
  readonly expectedText?: string;
  /** Returns `undefined` for an invalid value. */
  fromJson(value: unknown): Value | undefined;
  fromText(text: string): Value | undefined;
}

function create<Value>(
  { description = "", toolDescription = description, default: fallback }:
    Options<Value>,
  { schema, expected, expectedText = expected, ...kind }: Kind<Value>,
): Parameter<Value> {
  function refuse(name: string, expected: string, given: unknown): never {
    const got = formatValue(given);
    throw new InputError(name, `must be ${expected}, got ${got}`);
  }
  return {
    schema,
    description,
    toolDescription,
    default: fallback,
    isRequired: fallback === undefined,
    unsupported: {},
    fromJson(name, value) {
      const result = value === undefined ? fallback : kind.fromJson(value);
      return result ?? refuse(name, expected, value);
    },
    fromText(name, text) {
      const result = text === undefined ? fallback : kind.fromText(text);
      return result ?? refuse(name, expectedText, text);
    },
  };
}
