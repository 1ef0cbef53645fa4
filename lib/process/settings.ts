/** The command-line options of `serve` and `mcp`, and the service settings. */

import {
  createArgumentError,
  readCommandLine,
  type Syntax,
} from "./command_line.ts";
import { ExitError } from "./exit_error.ts";
import { formatValue } from "../format_value.ts";
import {
  type BodyLimits,
  DEFAULT_BODY_LIMITS,
  MAX_BODY_LIMITS,
} from "../http/body.ts";
import { InputError } from "../operation/input_error.ts";
import {
  boolean,
  integer,
  type Parameter,
  string,
} from "../operation/parameters.ts";

export interface Settings extends BodyLimits {
  /** TCP port from 0 to 65535. 0 chooses a free port. */
  readonly port: number;
  /** Host name or IP address to listen on, without brackets. */
  readonly host: string;
  /** Whether to log each request. */
  readonly logRequests: boolean;
}

export const SERVE = {
  options: ["port", "host"],
  flags: ["parallel", "help", "version"],
  help: `Serve Base64, hashes, UUIDs, passwords, and JSON formatting over HTTP

Usage: devutils [serve] [--port PORT] [--host ADDRESS] [--parallel]

  --port PORT      TCP port, or 0 for any free port  (PORT, default 8000)
  --host ADDRESS   Address to listen on              (HOST, default 0.0.0.0)
  --parallel       Serve on all CPU cores
  --version        Print the version
  -h, --help       Show this help

Other settings are environment variables: MAX_BODY_BYTES, BODY_TIMEOUT_MS,
LOG_REQUESTS.

Example: devutils serve --port 9000
`,
};

export const MCP: typeof SERVE = {
  options: [],
  flags: ["help", "version"],
  help: `Serve tools to a local AI agent (MCP) through standard input and output

Usage: devutils mcp

  --version        Print the version
  -h, --help       Show this help

The environment variable MAX_BODY_BYTES limits the size of a message (default
1048576).
`,
};

/** The options of `serve`. `mcp` supports only `help` and `version`. */
export interface Options {
  readonly port?: string;
  readonly host?: string;
  readonly parallel?: boolean;
  readonly help?: boolean;
  readonly version?: boolean;
}

/** @throws {ExitError} with status 2 for an invalid command line. */
export function readOptions(args: readonly string[], syntax: Syntax): Options {
  const { positionals: [excess], values } = readCommandLine(args, syntax);
  if (excess === undefined) return values;
  throw createArgumentError("unexpected argument", excess);
}

/**
 * Reads the settings. Command-line options override environment variables.
 *
 * @throws {ExitError} for an invalid option (status 2) or environment variable (status 1).
 */
export function readSettings(
  { port, host }: Pick<Options, "port" | "host">,
  readVariable: (name: string) => string | undefined,
): Settings {
  function read<Value>(
    name: string,
    parameter: Parameter<Value>,
    option?: string,
  ): Value {
    try {
      // Docker Compose passes an empty string for a variable that isn't set.
      const value = option ?? (readVariable(name) || undefined);
      return parameter.fromString(name, value);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const label = option === undefined ? name : `--${name.toLowerCase()}`;
      const message = error.describe(() => label);
      throw new ExitError(option === undefined ? 1 : 2, message);
    }
  }

  const limit = (name: keyof BodyLimits) =>
    integer({
      min: 1,
      max: MAX_BODY_LIMITS[name],
      default: DEFAULT_BODY_LIMITS[name],
    });
  return {
    port: read("PORT", integer({ min: 0, max: 65_535, default: 8000 }), port),
    host: read("HOST", ADDRESS, host),
    maxBodyBytes: read("MAX_BODY_BYTES", limit("maxBodyBytes")),
    bodyTimeoutMs: read("BODY_TIMEOUT_MS", limit("bodyTimeoutMs")),
    logRequests: read("LOG_REQUESTS", boolean({ default: false })),
  };
}

/**
 * A host name, or an IP address with or without brackets. Rejects whitespace and invisible
 * characters, which could forge log lines. The operating system rejects other invalid addresses.
 */
const ADDRESS: Parameter<string> = {
  ...string({ default: "0.0.0.0" }),
  fromString(name, value = "0.0.0.0") {
    const address = /^\[([^[\]]+)\]$/.exec(value)?.[1] ?? value;
    if (/^[^\s[\]\p{C}]+$/u.test(address)) return address;
    const got = formatValue(value);
    throw new InputError(name, `must be an address to listen on, got ${got}`);
  },
};

/**
 * Returns the value of an environment variable. If access is denied, adds its name to `denied`.
 *
 * @throws {ExitError} with status 1 if the value is not UTF-8.
 */
export function readVariable(
  name: string,
  denied: string[],
): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.InvalidData) {
      throw new ExitError(1, `${name} must be valid UTF-8`);
    }
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    denied.push(name);
  }
}
