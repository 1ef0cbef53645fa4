/**
 * Parses the command line that starts the service. Its options override environment
 * variables.
 */

import { parseArgs } from "@std/cli/parse-args";
import { formatValue } from "../format_value.ts";
import { parseInteger } from "../scalars.ts";
import { suggest, TRY_HELP } from "../suggest.ts";
import { DEFAULT_SETTINGS, PORT_BOUNDS } from "./settings.ts";

/** The parsed command line; `undefined` stands for an option that is not given. */
interface Arguments {
  /** Whether to serve an agent over standard input and output, instead of clients over HTTP. */
  readonly mcp: boolean;
  readonly port: string | undefined;
  readonly host: string | undefined;
  readonly help: boolean;
  readonly version: boolean;
}

/** The error for a command line that does not parse. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The output of `--help`. */
export const HELP =
  `Base64, hashes, UUIDs, passwords and JSON over HTTP, or as tools for an agent

Usage: devutils [serve] [--port PORT] [--host ADDRESS]   serve over HTTP
       devutils mcp    serve tools to a local agent (MCP), over standard input
                       and output

  --port PORT      TCP port, 0 for any free one  (PORT, default ${DEFAULT_SETTINGS.port})
  --host ADDRESS   address to listen on          (HOST, default ${DEFAULT_SETTINGS.host})
  --version        print the version
  -h, --help       print this

Further settings are environment variables: MAX_BODY_BYTES, BODY_TIMEOUT_MS,
LOG_REQUESTS.

Example: devutils serve --port 9000
`;

/** Returns the arguments without the separator `--` at their start, which `deno task` passes on. */
export function skipSeparator(args: readonly string[]): readonly string[] {
  return args[0] === "--" ? args.slice(1) : args;
}

/** Whether the arguments are for an operation in the terminal, such as `hash`, not for serving. */
export function isCommand([first]: readonly string[]): boolean {
  if (first === undefined || first === "serve" || first === "mcp") return false;
  return !first.startsWith("-") || first === "--help" || first === "-h";
}

/** The options that an error message may suggest in place of an unknown argument. */
const OPTIONS = ["--port", "--host", "--help", "--version"];

/**
 * Reads the command line.
 *
 * @throws {UsageError} for an unknown argument, an option that is given twice, or
 * a value that does not parse.
 */
export function readArguments(args: readonly string[]): Arguments {
  const [first, ...others] = skipSeparator(args);
  const mcp = first === "mcp";
  const options = mcp || first === "serve" ? others : skipSeparator(args);
  const { port: ports, host: hosts, help, version } = parseArgs([...options], {
    string: ["port", "host"],
    collect: ["port", "host"],
    boolean: ["help", "version"],
    alias: { help: "h" },
    unknown(argument: string) {
      const hint = suggest(argument.split("=", 1)[0]!, OPTIONS) ?? TRY_HELP;
      throw new UsageError(
        `unknown argument ${formatValue(argument)}, ${hint}`,
      );
    },
  });
  if (mcp && ports.length + hosts.length > 0) {
    throw new UsageError("mcp does not listen: leave out --port and --host");
  }
  const port = readOnce("--port", ports);
  const host = readOnce("--host", hosts);
  if (port !== undefined && parseInteger(port, PORT_BOUNDS) === undefined) {
    const { min, max } = PORT_BOUNDS;
    throw new UsageError(
      `--port must be an integer from ${min} to ${max}, got ${
        formatValue(port || undefined)
      }`,
    );
  }
  if (host === "") {
    throw new UsageError("--host must be an address to listen on, got nothing");
  }
  return { mcp, port, host, help, version };
}

function readOnce(name: string, values: readonly string[]): string | undefined {
  if (values.length <= 1) return values[0];
  const list = values.map(formatValue).join(" and ");
  throw new UsageError(`${name} must be given once, got ${list}`);
}
