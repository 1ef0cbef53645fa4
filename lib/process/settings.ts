/** The settings of the service, which environment variables can change. */

import { formatValue } from "../format_value.ts";
import { type BodyLimits, DEFAULT_BODY_LIMITS } from "../load/load.ts";
import { type IntegerBounds, parseBoolean, parseInteger } from "../scalars.ts";

/** The settings of the service. */
export interface Settings extends BodyLimits {
  /** TCP port, 0 to 65535; 0 lets the system choose a free one. */
  readonly port: number;
  /** Address to listen on. */
  readonly host: string;
  /** Whether a line is logged for each request. */
  readonly logRequests: boolean;
}

/** The values of settings that neither the command line nor the environment gives. */
export const DEFAULT_SETTINGS: Settings = {
  port: 8000,
  host: "0.0.0.0",
  ...DEFAULT_BODY_LIMITS,
  logRequests: false,
};

/** The valid ports; 0 lets the system choose a free one. */
export const PORT_BOUNDS: IntegerBounds = { min: 0, max: 65_535 };

/** Largest value that the environment variable `MAX_BODY_BYTES` may have, inclusive: 16 MiB. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Largest value of the environment variable `BODY_TIMEOUT_MS`: the longest delay of a
 * timer, 2³¹ − 1 milliseconds (about 25 days).
 */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Matches every IP address and host name, and some other texts; the system rejects those
 * when the server listens.
 */
const ADDRESS = /^[^\s[\]\p{C}]+$/u;

/** The error for an environment variable whose value does not parse. */
export class SettingError extends Error {
  override name = "SettingError";
}

/**
 * Reads the settings.
 *
 * @param readVariable Returns the value of an environment variable; `undefined` if it is
 * not set.
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
    // An IPv6 address may be given in brackets, as in a URL.
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

/** The environment variable that switches Deno's OpenTelemetry on. */
const TELEMETRY_VARIABLE = "OTEL_DENO";

/** The environment variables of the process. */
export class Environment {
  /** Names of the variables that `read()` had no permission to read. */
  readonly unreadable: string[] = [];

  /**
   * Whether OpenTelemetry may be on: its variable is set or cannot be read. If so, the log
   * must be written with `console`, since OpenTelemetry exports only such lines.
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
