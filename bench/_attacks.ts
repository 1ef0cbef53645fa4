/** Measures small requests, small tool calls, and large requests during attacks. */

import { RawConnection } from "../tests/_connection.ts";
import { printRow, readProcess, runWrk } from "./_measure.ts";
import { callTool, post } from "./_operations.ts";
import { isChosen, startService } from "./_servers.ts";
import type { Options } from "./main.ts";

/** Uses one connection of an attacker. Repeats until the attack is over. */
type Attack = (
  connection: RawConnection,
  over: Promise<unknown>,
) => Promise<unknown>;

const OTHERS = [post("hash", 1), callTool(post("hash", 1)), post("hash", 700)];

const HEADER = ["p50,ms", "p95,ms", "max,ms", "responses/s", "failed"];

const delay = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Returns a POST request. If `length` exceeds the body, the server waits for more. */
function request(path: string, body: string, length = body.length): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** Sends part of a request, and waits until the server closes the connection. */
function stall(part: string): Attack {
  return async (connection, over) => {
    await connection.send(part);
    await Promise.race([over, connection.isClosed()]);
  };
}

/** Sends a complete request, and reads the response. */
function repeat(complete: string): Attack {
  return async (connection) => {
    await connection.send(complete);
    await connection.receive();
  };
}

/** Sends a body at 1 KB/s. */
async function trickle(connection: RawConnection): Promise<void> {
  await connection.send(request("/api/hash", " ", 1e6));
  for (;;) {
    await delay(100);
    await connection.send(" ".repeat(100));
  }
}

const ENCODE = JSON.stringify(post("encode", 750).fields);
const HASH = JSON.stringify(post("hash", 1_000).fields);
const DUPLICATES = `{${'"input":"\\n",'.repeat(8e4)}"algorithm":"sha1"}`;
const ARRAYS = JSON.stringify({
  action: "format",
  input: `[${"[1],".repeat(25e4)}1]`,
});
const CHUNKED = "POST /api/hash HTTP/1.1\r\nHost: h\r\n" +
  `Transfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(1e5)}0\r\n\r\n`;

const ATTACKS: Readonly<Record<string, Attack>> = {
  "nothing": (_, over) => over,
  "a body that stalls at once": stall(request("/api/hash", "", 1e6)),
  "a body of 131 KB, one byte sent": stall(request("/api/hash", " ", 131e3)),
  "a body of 1 MB, 150 KB sent": stall(
    request("/api/hash", " ".repeat(150e3), 1e6),
  ),
  "a body at 1 KB/s": trickle,
  async "an unread response of 1 MB"(connection, over) {
    await connection.send(request("/api/base64", ENCODE));
    await over;
  },
  "hashes of 1 MB": repeat(request("/api/hash", HASH)),
  "100,000 chunks": repeat(CHUNKED),
  "a field sent 80,000 times": repeat(request("/api/hash", DUPLICATES)),
  "JSON that grows fivefold": repeat(request("/api/json", ARRAYS)),
};

/**
 * Runs each chosen attack on a new server. Prints the server's peak memory, and the latencies,
 * responses per second, and failures of the other clients.
 */
export async function measureAttacks(options: Options): Promise<void> {
  const clients = Number(options.clients?.[0] ?? 400);
  const seconds = Number(options.seconds ?? 8);
  for (const [name, attack] of Object.entries(ATTACKS)) {
    if (!isChosen(options)({ name })) continue;
    await using server = await startService({ parallel: options.parallel });
    let isOver = false;
    const over = delay((seconds + 1) * 1_000).then(() => isOver = true);
    const attacking = Promise.allSettled(
      Array.from({ length: clients }, async () => {
        while (!isOver) {
          using connection = await RawConnection.open(server);
          // The server can close the connection.
          await attack(connection, over).catch(() => {});
        }
      }),
    );
    await delay(500);
    const loads = await Promise.all(
      OTHERS.map((operation) =>
        runWrk(server, operation, { seconds, clients: 1 })
      ),
    );
    const peak = readProcess(server).peakMiB.toFixed(0);
    printRow(`${clients} clients, ${name}: ${peak} MiB`, HEADER);
    for (const [i, load] of loads.entries()) {
      const { p50, p95, max, perSecond, failed } = load;
      printRow(`  ${OTHERS[i]!.name}`, [p50, p95, max, perSecond, failed], 1);
    }
    await over;
    server.kill("SIGKILL");
    await attacking;
  }
}
