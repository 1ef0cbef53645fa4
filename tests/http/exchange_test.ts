/** Large requests of several clients, in process, while the time stands still. */

import { assert, assertEquals } from "@std/assert";
import { Connections } from "../../lib/http/connections.ts";
import { Exchange } from "../../lib/http/exchange.ts";
import { createLoad } from "../../lib/load/load.ts";
import { createHandler } from "../../routes/mod.ts";
import { captureLog, replace } from "../_replace.ts";

const MIB = 1024 * 1024;

const HASH = JSON.stringify({ algorithm: "sha1", input: "a" });

/** A body of 1 MiB, of which the last byte comes later. */
class Upload {
  readonly #last = Promise.withResolvers<void>();
  readonly request: Request;

  constructor(headers: HeadersInit) {
    const last = this.#last.promise;
    const body = new ReadableStream({
      type: "bytes",
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(HASH.padEnd(MIB - 1)));
        await last;
        controller.enqueue(new TextEncoder().encode(" "));
        controller.close();
      },
    });
    this.request = new Request("http://h/api/hash", {
      method: "POST",
      headers,
      body,
    });
  }

  finish(): void {
    this.#last.resolve();
  }
}

/** A thread whose bodies have 6 MiB and whose results 8 MiB, and its clients. */
class Scene implements Disposable {
  readonly handler = createHandler({ threads: 64 });
  now = 1_000;
  readonly #time = replace(performance, { now: () => this.now });

  /** Sends a request over a connection, which a port of the client identifies. */
  send(request: Request, port: number): Answer {
    const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port };
    return new Answer(this.handler(request, { remoteAddr }));
  }

  /** Starts uploads over connections of their own, until there is no room for more. */
  async fill(): Promise<Upload[]> {
    const uploads = Array.from({ length: 6 }, () => new Upload({ host: "h" }));
    for (const [i, { request }] of uploads.entries()) this.send(request, i + 1);
    await settle();
    return uploads;
  }

  [Symbol.dispose](): void {
    this.#time[Symbol.dispose]();
  }
}

/** The status of a response; `undefined` until it comes. */
class Answer {
  status: number | undefined;

  constructor(response: Response | Promise<Response>) {
    Promise.resolve(response).then(({ status }) => this.status = status);
  }
}

/** Waits until all that can happen without further data has happened. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i += 1) {
    await new Promise((resolve) => setTimeout(resolve));
  }
}

Deno.test("a large body without room waits unread, and is answered when there is room", async () => {
  using scene = new Scene();
  const [first] = await scene.fill();
  const upload = new Upload({ host: "h" });
  upload.finish();
  const answer = scene.send(upload.request, 7);
  await settle();
  assertEquals(answer.status, undefined);
  first!.finish();
  await settle();
  assertEquals(answer.status, 200);
});

Deno.test("a large body without room that comes over HTTP/2 is read, and gets 503", async () => {
  using scene = new Scene();
  await scene.fill();
  const upload = new Upload({});
  const answer = scene.send(upload.request, 7);
  await settle();
  assertEquals(answer.status, undefined);
  upload.finish();
  await settle();
  assertEquals(answer.status, 503);
});

Deno.test("bodies with a Host that share a connection come over HTTP/2", async () => {
  using scene = new Scene();
  await scene.fill();
  const uploads = Array.from({ length: 3 }, () => new Upload({ host: "h" }));
  const answers = uploads.map(({ request }) => scene.send(request, 7));
  uploads.forEach((upload) => upload.finish());
  await settle();
  assertEquals(answers.map(({ status }) => status), [503, 503, 503]);
});

Deno.test("a small request on the connection of a body that waits is answered, and the body gets 503", async () => {
  using scene = new Scene();
  await scene.fill();
  const upload = new Upload({ host: "h" });
  const waiting = scene.send(upload.request, 7);
  upload.finish();
  await settle();
  assertEquals(waiting.status, undefined);
  const init = { method: "POST", body: HASH, headers: { host: "h" } };
  const small = scene.send(new Request("http://h/api/hash", init), 7);
  await settle();
  assertEquals([small.status, waiting.status], [200, 503]);
});

Deno.test("bodies that are late give their room back", async () => {
  using scene = new Scene();
  const late = Array.from({ length: 6 }, () => new Upload({ host: "h" }));
  const answers = late.map(({ request }, i) => scene.send(request, i + 1));
  await settle();
  scene.now += 60_000;
  while (answers.some(({ status }) => status === undefined)) await settle();
  assertEquals(answers.map(({ status }) => status), Array(6).fill(408));
  const upload = new Upload({ host: "h" });
  upload.finish();
  const answer = scene.send(upload.request, 7);
  await settle();
  assertEquals(answer.status, 200);
});

Deno.test("an answer is computed once, although it waits for room", async () => {
  using _ = replace(performance, { now: () => 1_000 });
  const load = createLoad(
    { maxBodyBytes: MIB, bodyTimeoutMs: 10_000 },
    { threads: 64, isStopping: () => false },
  );
  const shared = { load, connections: new Connections(), ownsRequests: false };
  let count = 0;
  const sending = Array.from({ length: 3 }, async () => {
    const request = new Request("http://h", { method: "POST", body: "{}" });
    const answer = await new Exchange(request, {}, shared).answer(() => {
      count += 1;
      return { text: "a".repeat(5 * MIB) };
    });
    assert(answer instanceof Response);
    return answer;
  });
  // One after the other, as each is read.
  for (const response of sending) {
    assertEquals((await (await response).json()).text.length, 5 * MIB);
  }
  assertEquals(count, 3);
});

Deno.test("a lack of memory while a body is received is a 500, a client that breaks off gets 400", async () => {
  using log = captureLog();
  const handler = createHandler();
  const broken = new ReadableStream({
    pull: (controller) => controller.error(new Error("reset by the client")),
  });
  const init = { method: "POST", body: broken };
  const { status: refused } = await handler(
    new Request("http://h/api/hash", init),
  );
  assertEquals(refused, 400);
  const { transfer } = ArrayBuffer.prototype;
  using _ = replace(ArrayBuffer.prototype, {
    transfer(this: ArrayBuffer, byteLength?: number) {
      if (byteLength !== MIB) return transfer.call(this, byteLength);
      throw new RangeError("Array buffer allocation failed");
    },
  });
  const upload = new Upload({});
  const { status } = await handler(upload.request);
  assertEquals([status, log.lines.length], [500, 1]);
});
