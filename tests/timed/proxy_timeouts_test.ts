/** The timeouts of nginx and Caddy with the files of docs/deploy/, ten times as short. */

import { assert, assertEquals } from "@std/assert";
import { exchange, RawConnection } from "../_server.ts";
import { ask, postHead } from "../guarantees/_exchanges.ts";
import {
  assertProxyError,
  type Proxy,
  startCaddy,
  startNginx,
  testProxy,
  UNREACHABLE,
} from "../process/_proxy.ts";
import { within } from "../_within.ts";

const HEALTH_CHECK = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";

/** Waits longer than a shortened timeout, but not as long as the defaults of a proxy. */
function soon<Value>(waiting: Promise<Value>): Promise<Value> {
  return within(waiting, "the proxy's timeout", { limitMs: 9_000 });
}

/** Asserts that a proxy closes connections, and responds for a service that doesn't. */
async function assertTimeouts(
  proxy: Proxy,
  assertBodyTimeout: (connection: RawConnection) => Promise<void>,
): Promise<void> {
  using idle = await RawConnection.open(proxy);
  assertEquals(await ask(idle, HEALTH_CHECK), 200);
  using silent = await RawConnection.open(proxy);
  using head = await RawConnection.open(proxy);
  await head.send("GET / HTTP/1.1\r\nHost: h\r\n");
  using body = await RawConnection.open(proxy);
  await body.send(`${postHead("/api/hash", 100)}{`);
  assert(await soon(silent.isClosed()));
  assert(await soon(head.isClosed()));
  await soon(assertBodyTimeout(body));
  proxy.service.kill("SIGSTOP");
  const response = await soon(exchange(proxy, HEALTH_CHECK));
  await assertProxyError(response, UNREACHABLE);
  assert(await soon(idle.isClosed()));
}

await testProxy(
  "nginx",
  "keeps slow clients away from the service, and closes idle connections",
  async () => {
    await using nginx = await startNginx({ divisor: 10 });
    await assertTimeouts(nginx, async (body) => {
      assert(await body.isClosed());
      assert(!nginx.service.log().includes("/api/hash"));
    });
  },
);

await testProxy(
  "Caddy",
  "passes the 408 for a slow body, and closes idle connections",
  async () => {
    const variables = { BODY_TIMEOUT_MS: "1000" };
    await using caddy = await startCaddy({ divisor: 10, variables });
    await assertTimeouts(caddy, async (body) => {
      assertEquals((await body.receive()).status, 408);
    });
  },
);
