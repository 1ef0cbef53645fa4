/** Raw HTTP/1.1 over a TCP connection. */

import { Buffer } from "node:buffer";
import { within } from "./_within.ts";

/** A response as it was received; each UTF-16 code unit is one byte. */
export interface RawResponse {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** A TCP connection for raw requests. */
export class RawConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  #received = "";

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(
    { port }: { readonly port: number },
  ): Promise<RawConnection> {
    const connecting = Deno.connect({ hostname: "127.0.0.1", port });
    return new RawConnection(
      await within(connecting, `a connection to port ${port}`),
    );
  }

  /** Sends bytes, or a string as Latin-1. */
  async send(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
    for (let sent = 0; sent < bytes.byteLength;) {
      sent += await within(
        this.#connection.write(bytes.subarray(sent)),
        `the server to receive ${bytes.byteLength} bytes, after ${sent}`,
      );
    }
  }

  /** Receives one response. */
  async receive(): Promise<RawResponse> {
    const head = await this.#takeTo("\r\n\r\n");
    const status = Number(head.split(" ")[1]);
    let body = "";
    if (/^transfer-encoding: chunked$/im.test(head)) {
      for (let size = Infinity; size > 0;) {
        size = parseInt(await this.#takeTo("\r\n"), 16);
        body += await this.take(size);
        await this.take(2);
      }
    } else {
      const length = /^content-length: (\d+)$/im.exec(head)?.[1];
      body = await this.take(Number(length ?? 0));
    }
    return { status, head, body };
  }

  /** Receives a number of bytes. */
  async take(length: number): Promise<string> {
    while (this.#received.length < length) await this.#needMore();
    const text = this.#received.slice(0, length);
    this.#received = this.#received.slice(length);
    return text;
  }

  /** Waits for more data; returns true if the server closes the connection instead. */
  async isClosed(): Promise<boolean> {
    return !await this.#receiveMore() && this.#received === "";
  }

  /** Receives all text until the server closes the connection. */
  async receiveText(): Promise<string> {
    while (await this.#receiveMore());
    return this.#received;
  }

  /** Returns the received text before a delimiter, and removes both. */
  async #takeTo(delimiter: string): Promise<string> {
    let end: number;
    while ((end = this.#received.indexOf(delimiter)) === -1) {
      await this.#needMore();
    }
    const text = await this.take(end + delimiter.length);
    return text.slice(0, end);
  }

  async #needMore(): Promise<void> {
    if (await this.#receiveMore()) return;
    throw new Error(`the connection ended after: ${this.#received}`);
  }

  async #receiveMore(): Promise<boolean> {
    const buffer = Buffer.allocUnsafe(65_536);
    const reading = this.#connection.read(buffer).catch((error) => {
      // A reset ends the connection; bytes received earlier are kept.
      if (error instanceof Deno.errors.ConnectionReset) return null;
      // Windows reports a reset as this error.
      if (error instanceof Deno.errors.ConnectionAborted) return null;
      throw error;
    });
    const count = await within(
      reading,
      () => `data on a connection, after: ${this.#received.slice(-200)}`,
    );
    if (count === null) return false;
    this.#received += buffer.toString("latin1", 0, count);
    return true;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** Waits for a write, which can fail because the server has closed the connection. */
export async function ignoreClosed(writing: Promise<void>): Promise<void> {
  await writing.catch((error) => {
    const isClosed = error instanceof Deno.errors.BrokenPipe ||
      error instanceof Deno.errors.ConnectionReset ||
      error instanceof Deno.errors.ConnectionAborted;
    if (!isClosed) throw error;
  });
}

/** Sends a raw request on a new connection and receives the response. */
export async function exchange(
  server: { readonly port: number },
  request: string,
): Promise<RawResponse> {
  using connection = await RawConnection.open(server);
  await connection.send(request);
  return await connection.receive();
}
