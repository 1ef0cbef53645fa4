/** Raw HTTP/1.1 over a TCP connection. */

import { Buffer } from "node:buffer";

/** A response as it was received; each UTF-16 code unit is one byte. */
interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A TCP connection to which a test writes raw requests. */
export class RawConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  #received = "";
  /** Length of `#received` from which on a response may be complete. */
  #minLength = 0;

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

  /** Sends bytes, or a string as Latin-1. */
  async send(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
    for (let sent = 0; sent < bytes.byteLength;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }

  /** Receives one response. */
  async receive(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#takeAnswer();
      if (answer !== undefined) return answer;
      if (!await this.#receiveMore()) {
        throw new Error(`the connection ended after: ${this.#received}`);
      }
    }
  }

  /** Waits for more data; returns true if the server closes the connection instead. */
  async isClosed(): Promise<boolean> {
    return !await this.#receiveMore() && this.#received === "";
  }

  /** Closes the connection for writing. */
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
    const buffer = Buffer.allocUnsafe(65_536);
    const count = await this.#connection.read(buffer).catch((error) => {
      // A reset ends the connection; bytes received earlier are kept.
      if (error instanceof Deno.errors.ConnectionReset) return null;
      // Windows reports a reset as this error.
      if (error instanceof Deno.errors.ConnectionAborted) return null;
      throw error;
    });
    if (count === null) return false;
    this.#received += buffer.toString("latin1", 0, count);
    return true;
  }

  #takeAnswer(): RawAnswer | undefined {
    if (this.#received.length < this.#minLength) return undefined;
    const end = this.#received.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const head = this.#received.slice(0, end);
    const isChunked = /^transfer-encoding: chunked$/im.test(head);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    // A search in an incomplete text would copy all of it each time.
    this.#minLength = isChunked ? 0 : end + 4 + length;
    if (this.#received.length < this.#minLength) return undefined;
    const taken = isChunked
      ? joinChunks(this.#received, end + 4)
      : { body: this.#received.slice(end + 4, this.#minLength), length };
    if (taken === undefined) return undefined;
    const { body } = taken;
    this.#minLength = 0;
    this.#received = this.#received.slice(end + 4 + taken.length);
    return { status: Number(head.split(" ")[1]), head, body };
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** Joins the chunks from an offset on; `undefined` if some are missing. */
function joinChunks(
  text: string,
  start: number,
): { body: string; length: number } | undefined {
  let body = "";
  for (let offset = start;;) {
    const lineEnd = text.indexOf("\r\n", offset);
    if (lineEnd === -1) return undefined;
    const size = parseInt(text.slice(offset, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (text.length < end + 2) return undefined;
    if (size === 0) return { body, length: end + 2 - start };
    body += text.slice(lineEnd + 2, end);
    offset = end + 2;
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
