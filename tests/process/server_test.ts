/** The requests for which a stopping server waits. */

import { assert, assertEquals } from "@std/assert";
import { Server } from "../../lib/process/server.ts";
import { replace } from "../_replace.ts";
import { waitFor } from "../_server.ts";

/** Interval of the checks for idle clients, in milliseconds. */
const IDLE_CHECK_MS = 20;

/** A server whose checks for idle clients are run by the test, and whose long timers never fire. */
function startServer() {
  const { setTimeout } = globalThis;
  const checks: (() => void)[] = [];
  let requests = 0;
  let hasStopped = false;
  const resource = replace(globalThis, {
    setTimeout: ((callback: () => void, milliseconds = 0) => {
      if (milliseconds === IDLE_CHECK_MS) checks.push(callback);
      else if (milliseconds < 1_000) return setTimeout(callback, milliseconds);
      return 0;
    }) as typeof setTimeout,
  });
  const server = new Server();
  const port = server.listen(async () => {
    requests += 1;
    return await Promise.resolve(new Response());
  }, { port: 0, host: "127.0.0.1", onListen() {} });
  async function check(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      await waitFor(() => checks.length > 0 || hasStopped);
      checks.shift()?.();
    }
  }
  return {
    /** Runs a number of checks. */
    check,
    stop: () => server.stop().finally(() => hasStopped = true),
    hasStopped: () => hasStopped,
    /** Sends a request, and waits until the server has it. */
    async request(): Promise<{ readonly response: Promise<Response> }> {
      const before = requests;
      const response = fetch(`http://127.0.0.1:${port}/`);
      await waitFor(() => requests > before || hasStopped);
      assert(!hasStopped, "the server has stopped");
      return { response };
    },
    ...resource,
  };
}

async function assertAnswered(response: Promise<Response>): Promise<void> {
  const { status, body } = await response;
  await body?.cancel();
  assertEquals(status, 200);
}

Deno.test("a server whose requests are all answered does not wait for any when it stops", async () => {
  using server = startServer();
  const { response } = await server.request();
  await assertAnswered(response);
  server.stop();
  await server.check(10);
  // Turns of the event loop, instead of a test that never ends.
  for (let turn = 0; turn < 400 && !server.hasStopped(); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert(server.hasStopped(), "it waits");
});

Deno.test("a request during the shutdown keeps the listener open for ten more checks", async () => {
  using server = startServer();
  const stopped = server.stop();
  await server.check(9);
  const first = await server.request();
  await server.check(10);
  const second = await server.request();
  await server.check(11);
  await Promise.all([
    assertAnswered(first.response),
    assertAnswered(second.response),
    stopped,
  ]);
});
