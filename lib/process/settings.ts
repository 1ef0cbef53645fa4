/** The settings of the service, which environment variables can change. */

import { formatValue } from "../format_value.ts";
import { type BodyLimits, DEFAULT_BODY_LIMITS } from "../load/body_limits.ts";
import { type IntegerBounds, parseBoolean, parseInteger } from "../scalars.ts";

/** The settings of the service. */
export interface Settings extends BodyLimits {
  /** TCP port, 0 to 65535; 0 lets the system choose a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Whether each request is logged. */
  readonly logRequests: boolean;
}

/** The values of settings that are not given. */
export const DEFAULT_SETTINGS: Settings = {
  port: 8000,
  host: "0.0.0.0",
  ...DEFAULT_BODY_LIMITS,
  logRequests: false,
};

/** The valid ports; 0 lets the system choose a free one. */
export const PORT_BOUNDS: IntegerBounds = { min: 0, max: 65_535 };

/** Largest value of `MAX_BODY_BYTES`, inclusive: 16 MiB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Longest delay of a timer: 2³¹ − 1 milliseconds, about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Matches every text that may be an address. The system decides whether a matching text is one. */
const ADDRESS = /^[^\s[\]\p{C}]+$/u;

/** An environment variable whose value does not parse. */
export class SettingError extends Error {
  override name = "SettingError";
}

/**
 * Reads the settings with a function that returns environment variables.
 *
 * @throws {SettingError} if a value does not parse; the message names its variable.
 */
export function readSettings(
  readVariable: (name: string) => string | undefined,
): Settings {
  function readInteger(
    name: string,
    fallback: number,
    bounds: IntegerBounds,
  ): number {
    const text = readVariable(name);
    if (text === undefined) return fallback;
    const value = parseInteger(text, bounds);
    if (value !== undefined) return value;
    throw new SettingError(
      `${name} must be an integer from ${bounds.min} to ${bounds.max}, got ${
        formatValue(text)
      }`,
    );
  }

  function readBoolean(name: string, fallback: boolean): boolean {
    const text = readVariable(name);
    if (text === undefined) return fallback;
    const value = parseBoolean(text);
    if (value !== undefined) return value;
    throw new SettingError(
      `${name} must be "true" or "false", got ${formatValue(text)}`,
    );
  }

  function readHost(fallback: string): string {
    const text = readVariable("HOST") ?? fallback;
    // An IPv6 address may have the brackets of a URL.
    const address = /^\[([^[\]]+)\]$/.exec(text)?.[1] ?? text;
    if (ADDRESS.test(address)) return address;
    throw new SettingError(
      `HOST must be an address to listen on, got ${formatValue(text)}`,
    );
  }

  const { port, host, maxBodyBytes, bodyTimeoutMs, logRequests } =
    DEFAULT_SETTINGS;
  return {
    port: readInteger("PORT", port, PORT_BOUNDS),
    host: readHost(host),
    maxBodyBytes: readInteger("MAX_BODY_BYTES", maxBodyBytes, {
      min: 1,
      max: MAX_BODY_BYTES,
    }),
    bodyTimeoutMs: readInteger("BODY_TIMEOUT_MS", bodyTimeoutMs, {
      min: 1,
      max: MAX_TIMER_MS,
    }),
    logRequests: readBoolean("LOG_REQUESTS", logRequests),
  };
}

/** The variable that switches Deno's OpenTelemetry on. */
const TELEMETRY_VARIABLE = "OTEL_DENO";

/** The environment variables of the process. */
export class Environment {
  /** Names of the variables that `read()` was asked for and had no permission to read. */
  readonly unreadable: string[] = [];

  /**
   * Whether OpenTelemetry may be on, which takes log lines from the console: whether
   * its variable is set, or cannot be read.
   */
  get mayHaveTelemetry(): boolean {
    return this.read(TELEMETRY_VARIABLE) !== undefined ||
      this.unreadable.includes(TELEMETRY_VARIABLE);
  }

  /**
   * Returns a variable, or `undefined` if the process has no permission to read it.
   *
   * @throws {SettingError} if its value is not UTF-8.
   */
  read(name: string): string | undefined {
    try {
      return Deno.env.get(name);
    } catch (error) {
      if (error instanceof Deno.errors.InvalidData) {
        throw new SettingError(`${name} must be UTF-8 text`);
      }
      if (!(error instanceof Deno.errors.NotCapable)) throw error;
      this.unreadable.push(name);
      return undefined;
    }
  }
}
