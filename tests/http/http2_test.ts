/** What one HTTP/2 connection with closed windows can do, over a real socket. */

import { assert, assertEquals } from "@std/assert";
import { answerWritten } from "../../lib/http/answer.ts";
import { Memory } from "../../lib/http/memory.ts";
import { Turns } from "../../lib/http/turns.ts";
import { stopClock } from "../_clock.ts";
import { FRAME, Http2Client } from "../_http2.ts";

/** Room for one answer of several megabytes, which holds one. */
const MAX_HELD_BYTES = 1_200_000;

/** Answers on a free port with 4 MB, piece by piece. */
function serve(memory: Memory): Deno.HttpServer<Deno.NetAddr> {
  const turns = new Turns();
  return Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    (_request, info) =>
      answerWritten(function* (output) {
        for (let i = 0; i < 4_000; i += 1) {
          output.write("x".repeat(1_000));
          if (output.isFull) yield;
        }
      }, { sourceBytes: 0, delivery: { memory, turns, info } })
        .catch(({ status }) => new Response(null, { status })),
  );
}

async function ask(server: Deno.HttpServer<Deno.NetAddr>): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${server.addr.port}/`);
  const { byteLength } = await response.bytes();
  return response.ok ? byteLength : response.status;
}

Deno.test("an HTTP/2 stream that takes nothing makes room for others, and ends", async () => {
  await using server = serve(new Memory(MAX_HELD_BYTES));
  using client = await Http2Client.open(server.addr.port, { windowBytes: 0 });
  await client.send(...client.request("/"));
  await client.receive(({ type }) => type === FRAME.headers);
  {
    using clock = stopClock();
    assertEquals(await ask(server), 503);
    // More than the pieces on their way would take at 64 KiB a second.
    await clock.pass(60_000);
    assertEquals(await ask(server), 4_000_000);
  }
  // What was on its way is let go, and then the stream ends short.
  await client.send(...client.openWindow(4_000_000));
  let received = 0;
  await client.receive(({ type, length, isEnd }) => {
    if (type === FRAME.data) received += length;
    return isEnd || type === FRAME.resetStream;
  });
  assert(received < 1_000_000, `${received} bytes`);
});

Deno.test("an HTTP/2 connection that closes gives back what its streams held", async () => {
  await using server = serve(new Memory(MAX_HELD_BYTES));
  for (let round = 0; round < 3; round += 1) {
    {
      using client = await Http2Client.open(server.addr.port, {
        windowBytes: 0,
      });
      await client.send(...client.request("/"));
      await client.receive(({ type }) => type === FRAME.headers);
      assertEquals(await ask(server), 503);
    }
    // The server hears of it a little later.
    while (await ask(server) === 503);
    assertEquals(await ask(server), 4_000_000);
  }
});

Deno.test("an HTTP/2 stream that is reset gives back what it held", async () => {
  await using server = serve(new Memory(MAX_HELD_BYTES));
  using client = await Http2Client.open(server.addr.port, { windowBytes: 0 });
  await client.send(...client.request("/"));
  await client.receive(({ type }) => type === FRAME.headers);
  assertEquals(await ask(server), 503);
  await client.send(client.reset());
  while (await ask(server) === 503);
  assertEquals(await ask(server), 4_000_000);
});
