/** The promises of docs/operations.md on Caddy with docs/deploy/Caddyfile, but certificates. */

import { assertEquals } from "@std/assert";
import {
  exchange,
  RawConnection,
  readVersion,
  runTogether,
} from "../_server.ts";
import { ask, postHead } from "../guarantees/_exchanges.ts";
import {
  adapt,
  assertClosed,
  assertProxyError,
  createCommonSteps,
  type Proxy,
  readRecipe,
  shortenTimes,
  soon,
  startProxy,
  stopService,
  testLargeResult,
  testPath,
  UNREACHABLE,
} from "./_proxy.ts";

const CONFIGURATION = await Deno.readTextFile("docs/deploy/Caddyfile");

const DIVISOR = 10;

/** @param changes Replaces parts of the documented file. */
function startCaddy(changes: Record<string, string> = {}): Promise<Proxy> {
  return startProxy({
    command: ["caddy", "run", "--config", "Caddyfile"],
    files: (ports) => ({
      Caddyfile: shortenTimes(
        adapt(adapt(CONFIGURATION, changes), {
          "\tservers {": "\tadmin off\n\tservers {",
          "example.com {": `:${ports.proxy} {\n\tbind 127.0.0.1`,
          "reverse_proxy 127.0.0.1:8000":
            `reverse_proxy 127.0.0.1:${ports.service}`,
          // Longer than a busy test takes to send a head.
          "read_header 5s": "read_header 1500ms",
          // Much later than the end of a head, so that a busy test sees which comes first.
          "read_body 30s": "read_body 10000ms",
        }),
        DIVISOR,
      ),
    }),
    variables: { BODY_TIMEOUT_MS: String(10_000 / DIVISOR) },
  });
}

const HEALTH = "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";

const isInstalled = await readVersion("caddy", "version") !== "";

Deno.test({
  name: "the configuration for Caddy keeps its promises (needs Caddy)",
  ignore: !isInstalled,
  async fn(t) {
    await using caddy = await startCaddy();
    using idle = await RawConnection.open(caddy);
    assertEquals(await ask(idle, HEALTH), 200);

    await runTogether(t, {
      ...createCommonSteps(caddy),

      async "half a head is cut off before half a body gets the service's 408"() {
        const events: string[] = [];
        using body = await RawConnection.open(caddy);
        await body.send(`${postHead("/api/hash", 100)}{`);
        const answered = body.receive().then((answer) => {
          events.push("the answer");
          return answer;
        });
        using head = await RawConnection.open(caddy);
        await head.send("GET / HTTP/1.1\r\n");
        const closed = head.isClosed().then(() => events.push("the end"));
        const [answer] = await soon(Promise.all([answered, closed]));
        assertEquals(events, ["the end", "the answer"]);
        assertEquals(answer.status, 408);
        assertEquals(Object.keys(JSON.parse(answer.body)), ["error"]);
      },

      async "a head of more than 64 KB gets 431"() {
        const field = `X: ${"x".repeat(9_000)}\r\n`;
        const head = HEALTH.replace("\r\n\r\n", `\r\n${field.repeat(8)}\r\n`);
        using connection = await RawConnection.open(caddy);
        await connection.send(head);
        const response = await connection.receiveText();
        assertEquals(response.split(" ")[1], "431");
      },
    });
    await t.step(
      "a result of 8 MiB passes whole, compressed if the client asks for it",
      () => testLargeResult(caddy),
    );
    await t.step("a service that does not answer gives 503", async () => {
      caddy.service.kill("SIGSTOP");
      const answer = await soon(exchange(caddy, HEALTH));
      await assertProxyError(answer, UNREACHABLE);
      caddy.service.kill("SIGCONT");
    });
    await t.step("a service that stops answers 503 itself", async () => {
      await stopService(caddy);
      await caddy.service.status;
    });
    await t.step("a service that is gone gives 503", async () => {
      await assertProxyError(await exchange(caddy, HEALTH), UNREACHABLE);
    });
    await t.step("an idle connection is closed", () => assertClosed(idle));
  },
});

Deno.test({
  name: "the recipe for Caddy serves under a path (needs Caddy)",
  ignore: !isInstalled,
  async fn() {
    const { block } = await readRecipe("caddyfile");
    await using caddy = await startCaddy({ "\timport devutils\n": block });
    await testPath(caddy);
  },
});
