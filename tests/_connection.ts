/** An HTTP/1.1 client that sends exactly the bytes that a test gives it. */

/** A response, with one UTF-16 code unit for each byte received. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A TCP connection for raw HTTP/1.1. */
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

  /** Sends bytes, or a text in Latin-1. */
  async send(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? toBytes(data) : data;
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
    const buffer = new Uint8Array(32_768);
    const count = await this.#connection.read(buffer).catch((error) => {
      // A reset ends the connection; the bytes before it are kept.
      if (error instanceof Deno.errors.ConnectionReset) return null;
      // Windows reports a reset with this error.
      if (error instanceof Deno.errors.ConnectionAborted) return null;
      throw error;
    });
    if (count === null) return false;
    this.#received += String.fromCharCode(...buffer.subarray(0, count));
    return true;
  }

  #takeAnswer(): RawAnswer | undefined {
    const end = this.#received.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const head = this.#received.slice(0, end);
    const isChunked = /^transfer-encoding: chunked$/im.test(head);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const taken = isChunked
      ? joinChunks(this.#received, end + 4)
      : { body: this.#received.slice(end + 4, end + 4 + length), length };
    if (taken === undefined || taken.body.length < length) return undefined;
    const { body } = taken;
    this.#received = this.#received.slice(end + 4 + taken.length);
    return { status: Number(head.split(" ")[1]), head, body };
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** Joins the chunks from an offset to one body; `undefined` if some are missing. */
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

function toBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return bytes;
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
