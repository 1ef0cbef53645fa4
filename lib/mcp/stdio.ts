/**
 * The protocol over standard input and output: a message a line. To import this
 * module loads the official package.
 *
 * @module
 */

import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Fields } from "../http/input.ts";
import { logError } from "../log.ts";
import { runAtOnce } from "../work.ts";
import {
  createErrorResponse,
  createInternalError,
  type ErrorResponse,
  INVALID_REQUEST,
  type MessageId,
} from "./errors.ts";
import { readLines } from "./lines.ts";
import { MessageError, parseMessage, readMessageId } from "./message.ts";
import { createToolServer, type Toolbox } from "./server.ts";

/** Longest line of which the identifier is read, in bytes; a message has fewer. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Messages that may wait for the client to read them before more are taken, in bytes. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

const utf8Encoder = new TextEncoder();

/** The two streams of a session, and the limit of a message. */
export interface StdioOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Largest message, in bytes without its line feed, inclusive. */
  readonly maxMessageBytes: number;
}

/** Serves one local client until the input ends and every call is answered. */
export async function serveTools(
  toolbox: Toolbox,
  options: StdioOptions,
): Promise<void> {
  const transport = new StdioTransport(options);
  const { close } = serveStdio(
    () => createToolServer(toolbox, (id) => transport.getArguments(id)),
    { transport, maxSubscriptions: 0 },
  );
  await transport.finished;
  await close();
}

/**
 * A transport of its own, since that of the official package answers nothing to a
 * line that is no message, replaces bytes that are not UTF-8, and ends without
 * the answers to calls that are still running. Blank lines are skipped.
 */
class StdioTransport implements Transport {
  // The interface's names, which the package sets.
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioOptions;
  readonly #output: WritableStreamDefaultWriter<string>;
  readonly #written: Promise<void>;
  readonly #disconnected = new AbortController();
  /** The requests without a response so far, and the arguments of the calls. */
  readonly #pending = new Map<MessageId, Fields | undefined>();
  readonly #finished = Promise.withResolvers<void>();
  readonly #answered = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(options: StdioOptions) {
    this.#options = options;
    const lines = new TransformStream<string, Uint8Array>(
      {
        transform: (line, controller) =>
          controller.enqueue(utf8Encoder.encode(`${line}\n`)),
      },
      { highWaterMark: MAX_WAITING_BYTES, size: ({ length }) => length },
    );
    this.#written = lines.readable.pipeTo(options.output);
    // A client that does not read any more has disconnected.
    this.#written.catch((reason) => this.#disconnected.abort(reason));
    this.#output = lines.writable.getWriter();
  }

  /** Resolves when the input has ended and every answer is written, or none can be. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** The arguments of a call that has no response yet. */
  getArguments(id: MessageId): Fields | undefined {
    return this.#pending.get(id);
  }

  start(): Promise<void> {
    this.#serve().finally(this.#finished.resolve);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage | ErrorResponse): Promise<void> {
    if (!("method" in message)) this.#settle(message.id ?? null);
    await this.#output.write(JSON.stringify(message));
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }

  async #serve(): Promise<void> {
    const { signal } = this.#disconnected;
    await this.#receiveAll(signal).catch((error) => {
      if (!signal.aborted) logError("the input failed", error);
    });
    this.#hasEnded = true;
    if (this.#pending.size > 0) await this.#answered.promise;
    await this.#output.close().catch(() => {});
    await this.#written.catch(() => {});
  }

  async #receiveAll(signal: AbortSignal): Promise<void> {
    const input = this.#options.input
      .pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal });
    for await (const line of readLines(input, MAX_LINE_BYTES)) {
      await this.#output.ready;
      try {
        this.#receive(line);
      } catch (error) {
        this.#refuse(error);
      }
    }
  }

  #receive(line: Uint8Array | undefined): void {
    const { maxMessageBytes } = this.#options;
    if (line === undefined || line.byteLength > maxMessageBytes) {
      throw new MessageError(
        INVALID_REQUEST,
        `a message must have at most ${maxMessageBytes} bytes`,
        // Without it the client would wait until its own time is up.
        line === undefined ? null : readMessageId(line),
      );
    }
    if (isBlank(line)) return;
    const { envelope, args, id } = runAtOnce(parseMessage(line));
    const message = parseEnvelope(envelope, id);
    if (isJSONRPCRequest(message)) {
      if (this.#pending.has(id)) {
        // Without the identifier: it would pass for the answer to the other.
        throw new MessageError(
          INVALID_REQUEST,
          "a request must not have the identifier of one that is not answered yet",
        );
      }
      this.#pending.set(id, args);
    } else if (
      isJSONRPCNotification(message) &&
      message.method === "notifications/cancelled"
    ) {
      this.#settle(message.params?.["requestId"] as MessageId);
    }
    this.onmessage?.(message);
  }

  /** Answers a line that is no message, or one with which the service fails. */
  #refuse(error: unknown): void {
    const response = error instanceof MessageError
      ? createErrorResponse(error.id, error)
      : createInternalError(error, null);
    // Where it cannot be written, the session ends.
    this.#output.write(JSON.stringify(response)).catch(() => {});
  }

  /** Forgets a request that is answered, or never will be. */
  #settle(id: MessageId): void {
    this.#pending.delete(id);
    if (this.#hasEnded && this.#pending.size === 0) this.#answered.resolve();
  }
}

/** White space of JSON, and nothing else. */
function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parseEnvelope(envelope: Fields, id: MessageId): JSONRPCMessage {
  try {
    return parseJSONRPCMessage(envelope);
  } catch {
    throw new MessageError(
      INVALID_REQUEST,
      "a message must be a request, a notification or a response of JSON-RPC 2.0",
      id,
    );
  }
}
