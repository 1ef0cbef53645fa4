/** Runs programs, and the service with the command of `deno task start`. */

import { assert } from "@std/assert";
import config from "../deno.json" with { type: "json" };
import { within } from "./_within.ts";

export { exchange, RawConnection } from "./_connection.ts";

/** A running service; disposal kills its process. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Such as `http://127.0.0.1:40000`. */
  readonly origin: string;
  kill(signal: Deno.Signal): void;
  /** Resolves when the process has ended; rejects after a minute. */
  readonly status: Promise<Deno.CommandStatus>;
  /** Resources of a test that are disposed of with the server. */
  readonly scope: DisposableStack;
  /** Returns the log so far: standard output and standard error. */
  readonly log: () => string;
}

/** Runs steps that mostly wait at the same time. */
export async function runTogether(
  t: Deno.TestContext,
  steps: Readonly<Record<string, () => Promise<void>>>,
): Promise<void> {
  const concurrent = {
    sanitizeExit: false,
    sanitizeOps: false,
    sanitizeResources: false,
  };
  await Promise.all(
    Object.entries(steps).map(([name, fn]) =>
      t.step({ name, fn, ...concurrent })
    ),
  );
}

/** Registers a test whose steps run at the same time. */
export function testTogether(
  name: string,
  steps: Readonly<Record<string, () => Promise<void>>>,
  { ignore = false }: { readonly ignore?: boolean } = {},
): void {
  Deno.test({ name, ignore, fn: (t) => runTogether(t, steps) });
}

/** Registers a test of two servers at the same time, on one core and on all cores. */
export function testOnBoth(
  name: string,
  fn: (server: ServerProcess, isParallel: boolean) => Promise<void>,
  { ignore = false, variables = {}, ...options }: {
    readonly ignore?: boolean;
    readonly variables?: Record<string, string>;
    readonly maxFiles?: number;
  } = {},
): void {
  async function run(isParallel: boolean): Promise<void> {
    await using server = await startServer(variables, {
      isParallel,
      ...options,
    });
    await fn(server, isParallel);
  }
  testTogether(name, {
    "on one core": () => run(false),
    "on all cores": () => run(true),
  }, { ignore });
}

export const NEEDS_POSIX = { ignore: Deno.build.os === "windows" };

/** Registers a test that needs signals or a POSIX shell. */
export function testOnPosix(
  name: string,
  fn: (t: Deno.TestContext) => Promise<void>,
): void {
  Deno.test({ name: `${name} (needs POSIX)`, ...NEEDS_POSIX, fn });
}

/** Registers a test that needs Linux. */
export function testOnLinux(name: string, fn: () => Promise<void>): void {
  const ignore = Deno.build.os !== "linux";
  Deno.test({ name: `${name} (needs Linux)`, ignore, fn });
}

/** Longest run of a program, such as a compilation, in milliseconds. */
const MAX_RUN_MS = 300_000;

/** Starts a program with pipes. */
export function spawn(
  [command, ...args]: readonly string[],
  options: Deno.CommandOptions = {},
): Deno.ChildProcess {
  return new Deno.Command(command!, {
    ...options,
    args: [...args],
    env: { NO_COLOR: "1", ...options.env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a program to its end. */
export async function run(
  command: readonly string[],
  { input, ...options }: {
    readonly input?: BlobPart;
    readonly env?: Record<string, string>;
    readonly cwd?: string;
  } = {},
): Promise<{ code: number; output: string; log: string }> {
  const child = spawn(command, options);
  const writing = new Blob(input === undefined ? [] : [input]).stream()
    .pipeTo(child.stdin)
    // The program can end before it has read everything.
    .catch(() => {});
  const line = command.join(" ");
  const limit = { limitMs: MAX_RUN_MS };
  const { code, stdout, stderr } = await within(child.output(), line, limit)
    .catch((error) => {
      child.kill("SIGKILL");
      throw error;
    });
  await writing;
  const [output, log] = [stdout, stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  ) as [string, string];
  return { code, output, log };
}

/** Creates a folder in `tests/.generated/`; disposal removes it. */
export async function createFolder(): Promise<
  AsyncDisposable & { readonly path: string }
> {
  await Deno.mkdir("tests/.generated", { recursive: true });
  const path = await Deno.makeTempDir({ dir: "tests/.generated" });
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** Runs Deno to its end. */
export function runDeno(
  args: readonly string[],
  options: Parameters<typeof run>[1] = {},
): ReturnType<typeof run> {
  return run([Deno.execPath(), ...args], options);
}

/** Returns the version that a program prints; an empty string if it isn't installed or fails. */
export async function readVersion(
  command: string,
  option = "--version",
): Promise<string> {
  try {
    const { code, output, log } = await run([command, option]);
    // Windows has a `python3` that only prints how to install it.
    return code === 0 ? output + log : "";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Finds a free port of the loopback interface. */
function findFreePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/**
 * Starts a program that cannot choose a free port itself, or cannot report it. Tries another
 * port if the error, which contains the program's output, reports that the port is in use.
 */
export async function startOnFreePort<Value>(
  start: (port: number) => Promise<Value>,
): Promise<Value> {
  for (let attempt = 1;; attempt += 1) {
    try {
      return await start(findFreePort());
    } catch (error) {
      const isTaken = /address already in use|is in use|unable to listen/i
        .test(`${error}`);
      if (!isTaken || attempt === 5) throw error;
    }
  }
}

/** Splits a task's command into its arguments. */
export function readCommand(task: keyof typeof config.tasks): string[] {
  return config.tasks[task].command.replaceAll("'", "").split(" ");
}

/** Returns the arguments of `deno` in the task `start`, for a module. */
export function startArguments(module = "main.ts"): string[] {
  const [deno, ...args] = readCommand("start");
  assert(deno === "deno" && args.at(-1) === "main.ts");
  return [...args.slice(0, -1), module];
}

/**
 * Starts the service on a free port of the loopback interface. `maxFiles` limits the number
 * of file descriptors, and needs a POSIX shell.
 */
export function startServer(
  variables: Record<string, string> = {},
  { maxFiles, isParallel }: {
    readonly maxFiles?: number;
    readonly isParallel?: boolean;
  } = {},
): Promise<ServerProcess> {
  const args = isParallel
    ? readCommand("start:parallel").slice(1)
    : startArguments();
  const command = [Deno.execPath(), ...args];
  if (maxFiles !== undefined) {
    command.unshift("sh", "-c", `ulimit -n ${maxFiles} && exec "$@"`, "sh");
  }
  return startProcess(command, { HOST: "127.0.0.1", PORT: "0", ...variables });
}

/**
 * Starts a command, and waits until it logs its address. With `isGroup`, the command leads a
 * process group, and `kill()` signals the group.
 */
export async function startProcess(
  command: readonly string[],
  variables: Record<string, string> = {},
  { isGroup = false }: { readonly isGroup?: boolean } = {},
): Promise<ServerProcess> {
  const child = spawn(command, { env: variables, detached: isGroup });
  function kill(signal: Deno.Signal): void {
    if (!isGroup) return child.kill(signal);
    new Deno.Command("sh", {
      args: ["-c", `kill -${signal.slice(3)} -${child.pid}`],
      stderr: "null",
    }).outputSync();
  }
  const scope = new DisposableStack();
  let log = "";
  const listening = Promise.withResolvers<number>();
  const ended = Promise.all(
    [child.stdout, child.stderr].map((stream) =>
      stream.pipeThrough(new TextDecoderStream()).pipeTo(
        new WritableStream({
          write(text) {
            log += text;
            const match = /listening on \S+:(\d+)\b/i.exec(log);
            if (match) listening.resolve(Number(match[1]));
          },
        }),
      )
    ),
  );
  const exited = Promise.all([child.status, ended])
    .then(([status]) => status);
  async function end(): Promise<void> {
    try {
      kill("SIGKILL");
    } catch (error) {
      // The process has already ended.
      if (!(error instanceof TypeError)) throw error;
    }
    await exited;
  }
  const port = await within(
    Promise.race([
      listening.promise,
      ended.then(() => Promise.reject(new Error(`the server ended: ${log}`))),
    ]),
    () => `an address in the log: ${log}`,
  ).catch(async (error) => {
    await end();
    throw error;
  });
  return {
    pid: child.pid,
    port,
    origin: `http://127.0.0.1:${port}`,
    kill,
    get status() {
      return within(exited, () => `the end of the server: ${log}`);
    },
    scope,
    log: () => log,
    async [Symbol.asyncDispose]() {
      scope.dispose();
      await end();
    },
  };
}
