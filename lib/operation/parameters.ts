/**
 * The kinds of parameters: text, choice, integer and boolean. A parameter reads its value
 * from JSON (the body of a request, the arguments of a tool) or from text (a query, a
 * command line, an environment variable), and has the schemas and descriptions that the
 * OpenAPI description, the tool and the help of the command show.
 *
 * @module
 */

import { formatValue } from "../format_value.ts";
import { InputError, UnsupportedError } from "./input_error.ts";

/** A parameter, without its name. */
export interface Parameter<Value = unknown> {
  /** JSON Schema of the values, without description and default. */
  readonly schema: ParameterSchema;
  /** JSON Schema of the values for models, with the default value if there is one. */
  readonly toolSchema: ParameterSchema;
  /**
   * Description for programmers, in Markdown, without the default, which each form adds;
   * empty if name and schema suffice.
   */
  readonly description: string;
  /** Description for models, in Markdown; may be empty. */
  readonly toolDescription: string;
  /** Description for the help of the command, in Markdown; may be empty. */
  readonly commandDescription: string;
  /** The value if none is given; `undefined` if the parameter has no default. */
  readonly default: Value | undefined;
  readonly isRequired: boolean;
  /** Known values that are refused with an `UnsupportedError`, each with the reason. */
  readonly unsupported: Readonly<Record<string, string>>;

  /**
   * Reads a value from JSON. `null` for a parameter that is not required means that it is
   * absent, as `undefined` does: many programs write absent fields as `null`.
   *
   * @throws {InputError} if the value is invalid, or `undefined` but required.
   */
  fromJson(name: string, value: unknown): Value;

  /** @throws {InputError} if the text is invalid, or `undefined` but required. */
  fromText(name: string, text: string | undefined): Value;
}

/** The JSON Schema keywords that describe the values of a parameter. */
export interface ParameterSchema {
  readonly type: "string" | "integer" | "boolean";
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

/** Options that all kinds of parameters have. */
interface Options<Value> {
  readonly description?: string;
  /** Description for models; by default `description`. */
  readonly toolDescription?: string;
  /** Description for the help of the command; by default `description`. */
  readonly commandDescription?: string;
  /** Without a default, the parameter is required, except inside `optional()`. */
  readonly default?: Value;
}

/** Creates a parameter whose value may be any string, also an empty one. */
export function text(options: Options<string>): Parameter<string> {
  return createParameter(options, {
    schema: { type: "string" },
    expected: "a string",
    fromJson: (value) => typeof value === "string" ? value : undefined,
    fromText: (text) => text,
  });
}

interface ChoiceOptions<Choice> extends Options<Choice> {
  /**
   * Known texts that are not among the choices, each with the reason for the message of its
   * `UnsupportedError`.
   */
  readonly unsupported?: Readonly<Record<string, string>>;
}

/**
 * Creates a parameter whose value is one of at least two choices, which are all texts or
 * all integers.
 */
export function choice<const Choice extends string | number>(
  choices: readonly [Choice, Choice, ...Choice[]],
  { unsupported = {}, ...options }: ChoiceOptions<NoInfer<Choice>> = {},
): Parameter<Choice> {
  const notations = choices.map((choice) => JSON.stringify(choice));
  const last = notations.pop();
  const expected = `${notations.join(", ")} or ${last}`;
  const parameter = createParameter(options, {
    ...describeChoices(choices),
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
 * `enum`: the Gemini API refuses a list of tools if one `enum` in it has other values than
 * strings.
 */
function describeChoices(
  choices: readonly (string | number)[],
): Pick<Kind<unknown>, "schema" | "toolSchema"> {
  const integers = choices.filter((choice) => typeof choice === "number");
  if (integers.length === 0) {
    return { schema: { type: "string", enum: choices } };
  }
  return {
    schema: { type: "integer", enum: choices },
    toolSchema: {
      type: "integer",
      minimum: Math.min(...integers),
      maximum: Math.max(...integers),
    },
  };
}

interface IntegerOptions extends Options<number> {
  /** Least value, inclusive. */
  readonly min: number;
  /** Largest value, inclusive. */
  readonly max: number;
}

/**
 * Creates a parameter whose value is an integer from `min` to `max`. As a text, the value
 * must be decimal, without leading zeros and without a plus sign.
 */
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
 * Creates a parameter whose value is true or false. As a text, the value may be `true`,
 * `1`, `yes`, `on`, `false`, `0`, `no` or `off`; upper and lower case do not differ.
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

/**
 * Returns a copy of a parameter that need not be given, and has no default: if it is
 * absent, its value is `undefined`.
 */
export function optional<Value>(
  parameter: Parameter<Value>,
): Parameter<Value | undefined> {
  return {
    ...parameter,
    default: undefined,
    isRequired: false,
    fromJson: (name, value) =>
      isAbsent(value) ? undefined : parameter.fromJson(name, value),
    fromText: (name, text) =>
      text === undefined ? undefined : parameter.fromText(name, text),
  };
}

/** Whether a JSON value of a parameter that is not required means that it is absent. */
function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The properties in which the kinds of parameters differ. */
interface Kind<Value> {
  readonly schema: ParameterSchema;
  /** Schema for models, without the default value; by default `schema`. */
  readonly toolSchema?: ParameterSchema;
  /** How error messages name the valid values, such as `a string`. */
  readonly expected: string;
  /**
   * How error messages about a text name the valid values, such as `"true" or "false"`; by
   * default `expected`.
   */
  readonly expectedText?: string;
  /** Reads a value from JSON. Returns `undefined` if it is invalid. */
  fromJson(value: unknown): Value | undefined;
  /** Reads a value from text. Returns `undefined` if it is invalid. */
  fromText(text: string): Value | undefined;
}

function createParameter<Value>(
  options: Options<Value>,
  kind: Kind<Value>,
): Parameter<Value> {
  const { description = "", default: fallback } = options;
  const { schema, expected, expectedText = expected } = kind;
  const isRequired = fallback === undefined;
  const defaultKeyword = isRequired ? {} : { default: fallback };

  function refuse(name: string, valid: string, value: unknown): never {
    const got = formatValue(value);
    throw new InputError(name, `must be ${valid}, got ${got}`);
  }

  return {
    schema,
    toolSchema: { ...(kind.toolSchema ?? schema), ...defaultKeyword },
    description,
    toolDescription: options.toolDescription ?? description,
    commandDescription: options.commandDescription ?? description,
    default: fallback,
    isRequired,
    unsupported: {},
    fromJson(name, value) {
      const result = !isRequired && isAbsent(value)
        ? fallback
        : kind.fromJson(value);
      return result ?? refuse(name, expected, value);
    },
    fromText(name, text) {
      const result = text === undefined ? fallback : kind.fromText(text);
      return result ?? refuse(name, expectedText, text);
    },
  };
}
