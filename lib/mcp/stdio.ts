/**
 * The Model Context Protocol (MCP) over standard input and output, with one message per
 * line. Importing this module loads the official package, which takes time, so import it
 * only when it is needed.
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
import type { Fields } from "../http/fields.ts";
import { logError } from "../log.ts";
import {
  createErrorResponse,
  createInternalError,
  describeLimit,
  type ErrorResponse,
  INVALID_REQUEST,
  MessageError,
  type MessageId,
} from "./errors.ts";
import { readLines } from "./lines.ts";
import { wordError } from "./envelope.ts";
import { createLimitError, type Message, parseMessage } from "./message.ts";
import { createToolServer, type Toolbox } from "./server.ts";

/**
 * Longest line that is kept in memory, in bytes, inclusive: 64 MiB. A message of more than
 * `maxMessageBytes` is rejected, but its line is kept up to this length, because the error
 * response needs the identifier in it.
 */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * Largest total length of the responses that the client has not read yet, in UTF-16 code
 * units. Above it, no further messages are read from the input.
 */
const MAX_UNREAD_LENGTH = 16 * 1024 * 1024;

const utf8Encoder = new TextEncoder();

/** The two streams of a session, and the largest size of a message. */
export interface StdioOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Largest message, in bytes without its line feed, inclusive. */
  readonly maxMessageBytes: number;
}

/** Serves one client until `input` ends and every call received is answered. */
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
 * Reads messages from the input, and writes responses to the output. The transport of the
 * official MCP package is not used: it does not answer invalid lines, replaces bytes that
 * are not UTF-8, and drops unfinished calls when the input ends.
 */
class StdioTransport implements Transport {
  // The MCP package sets the handlers `onclose`, `onerror` and `onmessage`.
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioOptions;
  readonly #output: WritableStreamDefaultWriter<string>;
  /** Settles when the output has been closed or has failed. */
  readonly #written: Promise<void>;
  readonly #disconnected = new AbortController();
  /** The requests that are not answered yet, by their identifiers. */
  readonly #pending = new Map<MessageId, Message>();
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
      { highWaterMark: MAX_UNREAD_LENGTH, size: ({ length }) => length },
    );
    this.#written = lines.readable.pipeTo(options.output);
    // A failed output means that the client has disconnected.
    this.#written.catch((reason) => this.#disconnected.abort(reason));
    this.#output = lines.writable.getWriter();
  }

  /** Resolves when the input has ended and every response is written, or writing has failed. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /**
   * Returns the arguments of the tool call with the given message identifier; `undefined`
   * if the call has none, or has been answered.
   */
  getArguments(id: MessageId): Fields | undefined {
    return this.#pending.get(id)?.args;
  }

  start(): Promise<void> {
    this.#serve().finally(this.#finished.resolve);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage | ErrorResponse): Promise<void> {
    if ("method" in message) return await this.#write(message);
    const id = message.id ?? null;
    const request = this.#pending.get(id);
    this.#settle(id);
    await this.#write(
      "error" in message && request !== undefined
        ? { ...message, error: wordError(message.error, request.envelope) }
        : message,
    );
  }

  #write(message: object): Promise<void> {
    return this.#output.write(JSON.stringify(message));
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
        this.#writeError(error);
      }
    }
  }

  #receive(line: Uint8Array | undefined): void {
    const { maxMessageBytes } = this.#options;
    if (line === undefined) {
      throw new MessageError(INVALID_REQUEST, describeLimit(maxMessageBytes));
    }
    if (line.byteLength > maxMessageBytes) {
      const error = createLimitError(line, maxMessageBytes);
      if (error !== undefined) throw error;
      return;
    }
    if (isBlank(line)) return;
    const received = parseMessage(line);
    if (received === undefined) return;
    const { envelope, id } = received;
    const message = parseEnvelope(envelope, id);
    if (isJSONRPCRequest(message)) {
      if (this.#pending.has(id)) {
        // An earlier request with the same identifier is not answered yet. This error is
        // sent without the identifier, or the client would take it for the answer to the
        // earlier request.
        throw new MessageError(
          INVALID_REQUEST,
          "a request must not have the identifier of one that is not answered yet",
        );
      }
      this.#pending.set(id, received);
    } else if (
      isJSONRPCNotification(message) &&
      message.method === "notifications/cancelled"
    ) {
      this.#settle(message.params?.["requestId"] as MessageId);
    }
    this.onmessage?.(message);
  }

  /** Writes the error response to a message that is invalid or caused an unexpected error. */
  #writeError(error: unknown): void {
    const response = error instanceof MessageError
      ? createErrorResponse(error.id, error)
      : createInternalError(error, null);
    // A failed write needs no handling here: when the output fails, the handler of
    // `#written` in the constructor ends the session.
    this.#write(response).catch(() => {});
  }

  /** Removes a request from `#pending`, because it is answered or cancelled. */
  #settle(id: MessageId): void {
    this.#pending.delete(id);
    if (this.#hasEnded && this.#pending.size === 0) this.#answered.resolve();
  }
}

/** Whether a line consists of JSON white space only, or is empty. */
function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

function parseEnvelope(envelope: Fields, id: MessageId): JSONRPCMessage {
  try {
    return parseJSONRPCMessage(envelope);
  } catch {
    throw new MessageError(
      INVALID_REQUEST,
      "a message must be a request or a notification of JSON-RPC 2.0",
      id,
    );
  }
}
