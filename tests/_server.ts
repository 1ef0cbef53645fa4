/** Starts the service as a process, as `deno task start` does, and speaks HTTP to it. */

import { assert } from "@std/assert";
import config from "../deno.json" with { type: "json" };

/** A running service, which is killed when it is disposed of. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Such as `http://127.0.0.1:40000`. */
  readonly origin: string;
  kill(signal: Deno.Signal): void;
  /** Resolves when the process has ended. */
  readonly status: Promise<Deno.CommandStatus>;
  /** Returns everything that it has logged so far. */
  readonly log: () => string;
}

/** Registers a test that needs signals or a POSIX shell. */
export function testOnPosix(name: string, fn: () => Promise<void>): void {
  Deno.test({
    name: `${name} (needs POSIX)`,
    ignore: Deno.build.os === "windows",
    fn,
  });
}

/** Polls a condition that another process fulfils. */
export async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
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
 * Starts the service on a free port of the loopback interface; `maxFiles` limits
 * its file descriptors, which needs a POSIX shell.
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
 * Starts a server that logs the address on which it listens. With `isGroup` it
 * leads a process group, and signals go to the whole group.
 */
export async function startProcess(
  [command, ...args]: readonly string[],
  variables: Record<string, string> = {},
  { isGroup = false }: { readonly isGroup?: boolean } = {},
): Promise<ServerProcess> {
  const child = new Deno.Command(command!, {
    args,
    env: { NO_COLOR: "1", ...variables },
    stdout: "piped",
    stderr: "piped",
    detached: isGroup,
  }).spawn();
  function kill(signal: Deno.Signal): void {
    if (!isGroup) return child.kill(signal);
    new Deno.Command("sh", {
      args: ["-c", `kill -${signal.slice(3)} -${child.pid}`],
      stderr: "null",
    }).outputSync();
  }
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
  const port = await Promise.race([
    listening.promise,
    ended.then(() => Promise.reject(new Error(`the server ended: ${log}`))),
  ]);
  return {
    pid: child.pid,
    port,
    origin: `http://127.0.0.1:${port}`,
    kill,
    status: Promise.all([child.status, ended]).then(([status]) => status),
    log: () => log,
    async [Symbol.asyncDispose]() {
      try {
        kill("SIGKILL");
      } catch (error) {
        // It has ended by itself.
        if (!(error instanceof TypeError)) throw error;
      }
      await Promise.all([child.status, ended]);
    },
  };
}

/** A response as it was received. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A TCP connection on which a test writes HTTP/1.1 itself. */
export class RawConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  #received = "";

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(
    { port }: { readonly port: number },
  ): Promise<RawConnection> {
    return new RawConnection(
      await Deno.connect({ hostname: "127.0.0.1", port }),
    );
  }

  /** Sends a text in Latin-1. */
  async send(text: string): Promise<void> {
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    for (let sent = 0; sent < bytes.byteLength;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }

  /** Receives one response, whose length is its `Content-Length`. */
  async receive(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== undefined) return answer;
      if (!await this.#receiveMore()) {
        throw new Error(`the connection ended after: ${this.#received}`);
      }
    }
  }

  /** Waits for the next bytes: true if the server closes the connection instead. */
  async isClosed(): Promise<boolean> {
    return !await this.#receiveMore() && this.#received === "";
  }

  /** Closes this direction of the connection. */
  async finish(): Promise<void> {
    await this.#connection.closeWrite();
  }

  /** Receives all text until the server closes the connection. */
  async receiveText(): Promise<string> {
    while (await this.#receiveMore());
    return this.#received;
  }

  /** Receives all responses until the server closes the connection. */
  async receiveAll(): Promise<RawAnswer[]> {
    while (await this.#receiveMore());
    const answers: RawAnswer[] = [];
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer === undefined) return answers;
      answers.push(answer);
    }
  }

  async #receiveMore(): Promise<boolean> {
    const buffer = new Uint8Array(65_536);
    const count = await this.#connection.read(buffer).catch((error) => {
      // A reset ends the connection; the bytes before it are kept.
      if (error instanceof Deno.errors.ConnectionReset) return null;
      throw error;
    });
    if (count === null) return false;
    for (const byte of buffer.subarray(0, count)) {
      this.#received += String.fromCharCode(byte);
    }
    return true;
  }

  #takeAnswer(): RawAnswer | undefined {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const head = this.#received.slice(0, end);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const body = this.#received.slice(end + 4, end + 4 + length);
    if (body.length < length) return undefined;
    this.#received = this.#received.slice(end + 4 + length);
    return { status: Number(head.split(" ")[1]), head, body };
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** Sends a raw request on a new connection and receives the response. */
export async function exchange(
  server: { readonly port: number },
  request: string,
): Promise<RawAnswer> {
  using connection = await RawConnection.open(server);
  await connection.send(request);
  return await connection.receive();
}
