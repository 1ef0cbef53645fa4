/** An HTTP/2 client on raw frames (RFC 9113), for behaviour that libraries do not allow. */

const PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/** Frame types (RFC 9113, section 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  resetStream: 3,
  settings: 4,
  ping: 6,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Frame flags (RFC 9113, section 6). */
export const FLAG = { ack: 1, endStream: 1, endHeaders: 4 } as const;

const SETTINGS_INITIAL_WINDOW_SIZE = 4;
const CANCEL = 8;

/** Largest payload of a frame, in bytes, unless the peer allows more. */
const MAX_FRAME_BYTES = 16_384;

const utf8Encoder = new TextEncoder();

/** Encodes a frame. */
export function frame(
  type: number,
  flags: number,
  { streamId = 0, payload = new Uint8Array() }: {
    readonly streamId?: number;
    readonly payload?: Uint8Array;
  } = {},
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(9 + payload.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.byteLength << 8 | type);
  view.setUint8(4, flags);
  view.setUint32(5, streamId);
  bytes.set(payload, 9);
  return bytes;
}

/** Encodes header fields as literals without indexing (RFC 7541, section 6.2.2). */
export function encodeFields(
  fields: readonly (readonly [name: string, value: string])[],
): Uint8Array<ArrayBuffer> {
  const parts = fields.map(([name, value]) => [
    0,
    ...encodeText(name),
    ...encodeText(value),
  ]);
  return Uint8Array.from(parts.flat());
}

/** Encodes a string literal without Huffman code (RFC 7541, section 5.2). */
function encodeText(text: string): number[] {
  const bytes = utf8Encoder.encode(text);
  const length: number[] = [];
  if (bytes.byteLength < 127) length.push(bytes.byteLength);
  else {
    length.push(127);
    let rest = bytes.byteLength - 127;
    for (; rest >= 128; rest >>= 7) length.push(rest & 127 | 128);
    length.push(rest);
  }
  return [...length, ...bytes];
}

/** Waits for a write; false if the connection was closed meanwhile. */
export async function ignoreClosed(writing: Promise<void>): Promise<boolean> {
  try {
    await writing;
    return true;
  } catch (error) {
    const isClosed = error instanceof Deno.errors.BrokenPipe ||
      error instanceof Deno.errors.ConnectionReset ||
      error instanceof Deno.errors.NotConnected ||
      error instanceof Deno.errors.BadResource ||
      error instanceof Deno.errors.Interrupted;
    if (!isClosed) throw error;
    return false;
  }
}

/** A received frame. */
export interface ReceivedFrame {
  readonly type: number;
  readonly flags: number;
  readonly streamId: number;
  readonly payload: Uint8Array<ArrayBuffer>;
  /** Length of the payload, in bytes. */
  readonly length: number;
  /** Whether it has the flag END_STREAM. */
  readonly isEnd: boolean;
}

/** A connection on which frames are sent and received one by one. */
export class Http2Client implements Disposable {
  readonly #connection: Deno.TcpConn;
  #streamId = -1;
  /** Received bytes that have not been parsed. */
  #received = new Uint8Array();

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Connects, with an initial window of some bytes for each stream. */
  static async open(
    port: number,
    { windowBytes }: { readonly windowBytes: number },
  ): Promise<Http2Client> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const client = new Http2Client(connection);
    const settings = new Uint8Array(6);
    const view = new DataView(settings.buffer);
    view.setUint16(0, SETTINGS_INITIAL_WINDOW_SIZE);
    view.setUint32(2, windowBytes);
    await client.send(
      utf8Encoder.encode(PREFACE),
      frame(FRAME.settings, 0, { payload: settings }),
    );
    return client;
  }

  /** Sends bytes; false if the server has closed the connection. */
  async send(...parts: readonly Uint8Array<ArrayBuffer>[]): Promise<boolean> {
    return await ignoreClosed((async () => {
      const bytes = await new Blob([...parts]).bytes();
      for (let sent = 0; sent < bytes.byteLength;) {
        sent += await this.#connection.write(bytes.subarray(sent));
      }
    })());
  }

  /** Encodes a request; with `claimedBytes` as its length the body is left unfinished. */
  request(
    path: string,
    { body, claimedBytes, fields = [] }: {
      readonly body?: string;
      readonly claimedBytes?: number;
      readonly fields?: readonly (readonly [string, string])[];
    } = {},
  ): Uint8Array<ArrayBuffer>[] {
    this.#streamId += 2;
    const streamId = this.#streamId;
    const hasBody = body !== undefined || claimedBytes !== undefined;
    const payload = encodeFields([
      [":method", hasBody ? "POST" : "GET"],
      [":scheme", "http"],
      [":authority", "localhost"],
      [":path", path],
      ...(claimedBytes === undefined
        ? []
        : [["content-length", String(claimedBytes)] as const]),
      ...fields,
    ]);
    const flags = FLAG.endHeaders | (hasBody ? 0 : FLAG.endStream);
    const frames = [frame(FRAME.headers, flags, { streamId, payload })];
    const bytes = utf8Encoder.encode(body);
    for (let start = 0; start < bytes.byteLength; start += MAX_FRAME_BYTES) {
      const payload = bytes.subarray(start, start + MAX_FRAME_BYTES);
      const isLast = start + MAX_FRAME_BYTES >= bytes.byteLength;
      const isEnd = isLast && claimedBytes === undefined;
      const flags = isEnd ? FLAG.endStream : 0;
      frames.push(frame(FRAME.data, flags, { streamId, payload }));
    }
    return frames;
  }

  /** Encodes the frame that resets the newest stream. */
  reset(): Uint8Array<ArrayBuffer> {
    const payload = Uint8Array.of(0, 0, 0, CANCEL);
    return frame(FRAME.resetStream, 0, { streamId: this.#streamId, payload });
  }

  /** Encodes the frames that enlarge the windows of the newest stream and of the connection. */
  openWindow(bytes: number): Uint8Array<ArrayBuffer>[] {
    const payload = new Uint8Array(4);
    new DataView(payload.buffer).setUint32(0, bytes);
    return [0, this.#streamId].map((streamId) =>
      frame(FRAME.windowUpdate, 0, { streamId, payload })
    );
  }

  /** Receives frames until one of them matches. */
  async receive(matches: (frame: ReceivedFrame) => boolean): Promise<void> {
    for (;;) {
      const frames = this.#received;
      const view = new DataView(frames.buffer, frames.byteOffset);
      const length = frames.length < 9 ? Infinity : view.getUint32(0) >> 8;
      if (frames.length >= 9 + length) {
        const [type, flags] = [frames[3]!, frames[4]!];
        this.#received = frames.subarray(9 + length);
        const isStream = type === FRAME.data || type === FRAME.headers;
        const isEnd = isStream && (flags & FLAG.endStream) !== 0;
        const streamId = view.getUint32(5);
        const payload = frames.subarray(9, 9 + length);
        if (matches({ type, flags, streamId, payload, length, isEnd })) return;
        continue;
      }
      const buffer = new Uint8Array(65_536);
      const count = await this.#connection.read(buffer);
      if (count === null) throw new Error("the connection ended");
      this.#received = await new Blob([frames, buffer.subarray(0, count)])
        .bytes();
    }
  }

  /** Reads and discards until the connection ends. Never rejects. */
  async drain(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    try {
      while (await this.#connection.read(buffer) !== null);
    } catch {
      // The server or this client has closed the connection.
    }
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
