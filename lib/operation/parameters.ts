/**
 * The kinds of parameters: text, choice, integer and boolean. A parameter reads its value
 * from JSON (the body of a request, the arguments of a tool) or from text (a query, a
 * command line), and has the schemas and descriptions that all forms show.
 *
 * @module
 */

import { formatValue } from "../values/format_value.ts";
import { InputError, UnsupportedError } from "./input_error.ts";

/** A parameter, without its name. */
export interface Parameter<Value = unknown> {
  /** JSON Schema of the values, without description and default. */
  readonly schema: ParameterSchema;
  /** The schema for models. It has the default, but for a choice of texts. */
  readonly toolSchema: ParameterSchema;
  /** Description for programmers, in Markdown; empty if the schema says everything. */
  readonly description: string;
  /** Description for models. */
  readonly toolDescription: string;
  /** Description for the help of the terminal. */
  readonly commandDescription: string;
  /** The value of a parameter that is not given. */
  readonly default: Value | undefined;
  readonly isRequired: boolean;
  /** Values that are known, but refused, each with the reason. */
  readonly unsupported: Readonly<Record<string, string>>;

  /** @throws {InputError} for a value of another type or out of range. */
  fromJson(name: string, value: unknown): Value;

  /** @throws {InputError} for a text that is not the notation of a value. */
  fromText(name: string, text: string | undefined): Value;
}

/** The keywords that schemas of parameters have. */
export interface ParameterSchema {
  readonly type: "string" | "integer" | "boolean";
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** Options of every kind. */
interface Options<Value> {
  readonly description?: string;
  /** Description for models; by default the one for programmers. */
  readonly toolDescription?: string;
  /** Description for the help of the terminal; by default the one for programmers. */
  readonly commandDescription?: string;
  /** Without a default, the parameter is required. */
  readonly default?: Value;
}

/** A parameter whose value may be any text. */
export function text(options: Options<string>): Parameter<string> {
  return createParameter(options, {
    schema: { type: "string" },
    expected: "a string",
    fromJson: (value) => typeof value === "string" ? value : undefined,
    fromText: (text) => text,
  });
}

/** Options of `choice()`. */
interface ChoiceOptions<Choice> extends Options<Choice> {
  /** Other values that are known, but refused, each with the reason. */
  readonly unsupported?: Readonly<Record<string, string>>;
}

/** A parameter whose value is one of several texts or integers. */
export function choice<const Choice extends string | number>(
  choices: readonly [Choice, Choice, ...Choice[]],
  { unsupported = {}, ...options }: ChoiceOptions<NoInfer<Choice>> = {},
): Parameter<Choice> {
  const notations = choices.map((choice) => JSON.stringify(choice));
  const last = notations.pop();
  const expected = `${notations.join(", ")} or ${last}`;
  const parameter = createParameter(options, {
    ...describeChoices(choices, options.default),
    expected,
    fromJson: (value) => choices.find((choice) => choice === value),
    fromText: (text) => choices.find((choice) => String(choice) === text),
  });

  function checkSupport(name: string, value: unknown): void {
    if (typeof value !== "string" || !Object.hasOwn(unsupported, value)) return;
    const reason = unsupported[value];
    throw new UnsupportedError(name, `must be ${expected}: ${reason}`);
  }

  return {
    ...parameter,
    unsupported,
    fromJson(name, value) {
      checkSupport(name, value);
      return parameter.fromJson(name, value);
    },
    fromText(name, text) {
      checkSupport(name, text);
      return parameter.fromText(name, text);
    },
  };
}

/**
 * Returns the schemas of a choice. For models, a choice of integers has bounds in place of
 * `enum`: Gemini's API refuses a whole list of tools for an `enum` that is not of strings.
 */
function describeChoices(
  choices: readonly (string | number)[],
  fallback: unknown,
): Pick<Kind<unknown>, "schema" | "toolSchema"> {
  const integers = choices.filter((choice) => typeof choice === "number");
  if (integers.length === 0) {
    const schema = { type: "string", enum: choices } as const;
    return { schema, toolSchema: schema };
  }
  return {
    schema: { type: "integer", enum: choices },
    toolSchema: {
      type: "integer",
      minimum: Math.min(...integers),
      maximum: Math.max(...integers),
      ...(fallback !== undefined && { default: fallback }),
    },
  };
}

/** Options of `integer()`. */
interface IntegerOptions extends Options<number> {
  /** Least value, inclusive. */
  readonly min: number;
  /** Largest value, inclusive. */
  readonly max: number;
}

/** A parameter whose value is an integer within bounds. */
export function integer(
  { min, max, ...options }: IntegerOptions,
): Parameter<number> {
  function check(value: number): number | undefined {
    const isInRange = Number.isInteger(value) && value >= min && value <= max;
    return isInRange ? value : undefined;
  }

  return createParameter(options, {
    schema: { type: "integer", minimum: min, maximum: max },
    expected: `an integer from ${min} to ${max}`,
    fromJson: (value) => typeof value === "number" ? check(value) : undefined,
    // `Number()` alone would accept `0x10`, `1e1` and ` 5`.
    fromText: (text) =>
      /^(?:0|-?[1-9]\d*)$/.test(text) ? check(Number(text)) : undefined,
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

/**
 * A parameter that is true or false; as a text also `1`, `yes`, `on`, `0`, `no` or `off`,
 * in any case.
 */
export function boolean(options: Options<boolean>): Parameter<boolean> {
  return createParameter(options, {
    schema: { type: "boolean" },
    expected: "true or false",
    expectedText: '"true" or "false"',
    fromJson: (value) => typeof value === "boolean" ? value : undefined,
    fromText: (text) => BOOLEANS.get(text.toLowerCase()),
  });
}

/** Makes a parameter optional without a default: if it is absent, its value is `undefined`. */
export function optional<Value>(
  parameter: Parameter<Value>,
): Parameter<Value | undefined> {
  return {
    ...parameter,
    default: undefined,
    isRequired: false,
    fromJson: (name, value) =>
      value === undefined ? undefined : parameter.fromJson(name, value),
    fromText: (name, text) =>
      text === undefined ? undefined : parameter.fromText(name, text),
  };
}

/** The properties in which the kinds differ. */
interface Kind<Value> {
  readonly schema: ParameterSchema;
  /** By default the schema with the default value. */
  readonly toolSchema?: ParameterSchema;
  /** The valid values, for error messages. */
  readonly expected: string;
  /** The valid values for errors about a text, if they are written in another way there. */
  readonly expectedText?: string;
  /** Returns `undefined` for an invalid value. */
  fromJson(value: unknown): Value | undefined;
  /** Returns `undefined` for an invalid text. */
  fromText(text: string): Value | undefined;
}

function createParameter<Value>(
  options: Options<Value>,
  kind: Kind<Value>,
): Parameter<Value> {
  const { description = "", default: fallback } = options;
  const { schema, expected, expectedText = expected } = kind;
  const defaultKeyword = fallback === undefined ? {} : { default: fallback };

  function refuse(name: string, valid: string, value: unknown): never {
    const got = formatValue(value);
    throw new InputError(name, `must be ${valid}, got ${got}`);
  }

  return {
    schema,
    toolSchema: kind.toolSchema ?? { ...schema, ...defaultKeyword },
    description,
    toolDescription: options.toolDescription ?? description,
    commandDescription: options.commandDescription ?? description,
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
