/**
 * Parameter types. Each parameter reads its value from JSON (a request body or tool arguments)
 * or a string (in a query, command line, or environment variable). It also provides schemas and
 * descriptions for the OpenAPI document, the tool, and the command's help.
 *
 * @module
 */

import type { Bytes } from "../buffer.ts";
import { formatAlternatives, formatValue } from "../format_value.ts";
import {
  decodeUtf8,
  describeBytes,
  findUtf8Error,
  skipByteOrderMark,
} from "../utf8.ts";
import { InputError, UnsupportedError } from "./input_error.ts";

/** A parameter, without its name. */
export interface Parameter<Value = unknown> {
  /** JSON Schema without the description and default. */
  readonly schema: ParameterSchema;
  /** JSON Schema for models, including the default, if any. */
  readonly toolSchema: ParameterSchema;
  /** Markdown for programmers, without the default. Each of these descriptions can be empty. */
  readonly description: string;
  readonly toolDescription: string;
  readonly commandDescription: string;
  readonly default: Value | undefined;
  readonly isRequired: boolean;
  /** Values that are rejected with an `UnsupportedError`, and the reason for each. */
  readonly unsupported: Readonly<Record<string, string>>;
  /** Whether `fromJson()` also accepts a string as UTF-8. */
  readonly acceptsUtf8: boolean;

  /**
   * For optional parameters, `null` is treated as absent, because many programs send it.
   *
   * @throws {InputError} if the value is invalid, or is required but `undefined`.
   */
  fromJson(name: string, value: unknown): Value;

  /** @throws {InputError} if the string is invalid, or is required but `undefined`. */
  fromString(name: string, string: string | undefined): Value;

  /** @throws {InputError} if the content of a file is invalid. */
  fromBytes(name: string, bytes: Bytes): Value;
}

export interface ParameterSchema {
  readonly type: "string" | "integer" | "boolean";
  readonly enum?: readonly (string | number)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

interface Options<Value> {
  readonly description?: string;
  /** The default is `description`. */
  readonly toolDescription?: string;
  /** The default is `description`. */
  readonly commandDescription?: string;
  /** A parameter without a default is required, except inside `optional()`. */
  readonly default?: Value;
}

/** Creates a parameter for any string, including an empty one. */
export function string(options: Options<string>): Parameter<string> {
  return createParameter(options, {
    schema: { type: "string" },
    expected: "a string",
    fromJson: (value) => typeof value === "string" ? value : undefined,
    fromString: (string) => string,
  });
}

/** Creates a parameter for any string, which can be UTF-8 in a request body. */
export function utf8(options: Options<string>): Parameter<string | Bytes> {
  const parameter = string(options);
  return {
    ...parameter,
    acceptsUtf8: true,
    fromJson: (name, value) =>
      value instanceof Uint8Array
        ? value as Bytes
        : parameter.fromJson(name, value),
  };
}

/** Creates a parameter for a well-formed string or, on the command line, the bytes of a file. */
export function bytes(options: Options<string>): Parameter<string | Bytes> {
  const parameter = utf8(options);

  function checkWellFormed(
    name: string,
    value: string | Bytes,
  ): string | Bytes {
    const error = typeof value === "string" ? findUtf8Error(value) : undefined;
    if (error === undefined) return value;
    const { requirement, offset } = error;
    throw new InputError(name, requirement, { position: { offset } });
  }

  return {
    ...parameter,
    fromJson: (name, value) =>
      checkWellFormed(name, parameter.fromJson(name, value)),
    fromString: (name, string) =>
      checkWellFormed(name, parameter.fromString(name, string)),
    fromBytes: (_name, bytes) => bytes,
  };
}

interface ChoiceOptions<Choice> extends Options<Choice> {
  /** Other known strings, each with a reason such as `which Web Crypto does not support`. */
  readonly unsupported?: Readonly<Record<string, string>>;
}

/** Creates a parameter whose value is one of several strings or integers. */
export function choice<const Choice extends string | number>(
  choices: readonly [Choice, Choice, ...Choice[]],
  { unsupported = {}, ...options }: ChoiceOptions<NoInfer<Choice>> = {},
): Parameter<Choice> {
  const integers = choices.filter((choice) => typeof choice === "number");
  const type = integers.length === 0 ? "string" : "integer";
  return createParameter(options, {
    schema: { type, enum: choices },
    // The Gemini API rejects tools with an `enum` of integers.
    ...(type === "integer" && {
      toolSchema: {
        type,
        minimum: Math.min(...integers),
        maximum: Math.max(...integers),
      },
    }),
    expected: formatAlternatives(choices.map((it) => JSON.stringify(it))),
    unsupported,
    fromJson: (value) => choices.find((choice) => choice === value),
    fromString: (string) => choices.find((choice) => String(choice) === string),
  });
}

interface IntegerOptions extends Options<number> {
  readonly min: number;
  readonly max: number;
}

/**
 * Creates a parameter for an integer from `min` to `max`, both inclusive. Strings must be
 * decimal, without leading zeros or a plus sign.
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
    fromString: (string) =>
      /^(?:0|-?[1-9]\d*)$/.test(string) ? check(Number(string)) : undefined,
  });
}

/** Creates a Boolean parameter. `fromString()` also accepts strings such as `yes` and `0`. */
export function boolean(options: Options<boolean>): Parameter<boolean> {
  return createParameter(options, {
    schema: { type: "boolean" },
    expected: "true or false",
    fromJson: (value) => typeof value === "boolean" ? value : undefined,
    fromString(string) {
      if (/^(?:true|1|yes|on)$/i.test(string)) return true;
      return /^(?:false|0|no|off)$/i.test(string) ? false : undefined;
    },
  });
}

/** Makes a parameter optional. If the parameter is absent, its value is `undefined`. */
export function optional<Value>(
  parameter: Parameter<Value>,
): Parameter<Value | undefined> {
  return {
    ...parameter,
    default: undefined,
    isRequired: false,
    fromJson: (name, value) =>
      isAbsent(value) ? undefined : parameter.fromJson(name, value),
    fromString: (name, string) =>
      string === undefined ? undefined : parameter.fromString(name, string),
  };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

interface ParameterType<Value> {
  readonly schema: ParameterSchema;
  /** Schema for models, without its `default` keyword. If absent, `schema` is used. */
  readonly toolSchema?: ParameterSchema;
  /** How error messages describe the valid values, such as `a string`. */
  readonly expected: string;
  readonly unsupported?: Readonly<Record<string, string>>;
  /** Returns `undefined` if the value is invalid. */
  fromJson(value: unknown): Value | undefined;
  /** Returns `undefined` if the string is invalid. */
  fromString(string: string): Value | undefined;
}

function createParameter<Value>(
  options: Options<Value>,
  type: ParameterType<Value>,
): Parameter<Value> {
  const { description = "", default: fallback } = options;
  const { schema, expected, unsupported = {} } = type;
  const isRequired = fallback === undefined;
  const defaultKeyword = isRequired ? {} : { default: fallback };

  function reject(name: string, value: unknown): never {
    const requirement = `must be ${expected}, got ${formatValue(value)}`;
    if (typeof value === "string" && Object.hasOwn(unsupported, value)) {
      throw new UnsupportedError(name, `${requirement}, ${unsupported[value]}`);
    }
    throw new InputError(name, requirement);
  }

  function fromString(name: string, string: string | undefined): Value {
    const value = string === undefined ? fallback : type.fromString(string);
    return value ?? reject(name, string);
  }

  return {
    schema,
    toolSchema: { ...(type.toolSchema ?? schema), ...defaultKeyword },
    description,
    toolDescription: options.toolDescription ?? description,
    commandDescription: options.commandDescription ?? description,
    default: fallback,
    isRequired,
    unsupported,
    acceptsUtf8: false,
    fromJson(name, value) {
      const isDefault = !isRequired && isAbsent(value);
      const result = isDefault ? fallback : type.fromJson(value);
      return result ?? reject(name, value);
    },
    fromString,
    fromBytes(name, bytes) {
      const string = decodeUtf8(skipByteOrderMark(bytes));
      if (string !== undefined) return fromString(name, string);
      const got = describeBytes(bytes);
      throw new InputError(name, `must be UTF-8 text, got ${got}`);
    },
  };
}
