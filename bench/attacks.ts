/**
 * Small requests, small calls and large requests of one client each while others attack:
 * median, 95th percentile and longest latency in milliseconds, failures, and the peak of
 * the resident size.
 *
 * @module
 */

import { RawConnection } from "../tests/_connection.ts";
import { printRow, quantile, readProcess } from "./_measure.ts";
import { callTool, post } from "./_operations.ts";
import { Probe } from "./_probe.ts";
import { isChosen, startService } from "./_servers.ts";
import type { Options } from "./main.ts";

/** What an attacker does with a connection, again and again until the attack is over. */
type Attack = (connection: RawConnection, over: Promise<unknown>) => unknown;

const PROBED = [post("hash", 1), callTool(post("hash", 1)), post("hash", 700)];

const delay = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A POST; if its length is larger than the body, the server waits for the rest. */
function request(path: string, body: string, length = body.length): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** Sends a part of a request, and waits until the server gives up. */
function stall(part: string): Attack {
  return async (connection, over) => {
    await connection.send(part);
    await Promise.race([over, connection.isClosed()]);
  };
}

/** Sends requests whose answers are not read. */
function neglect(text: string): Attack {
  return async (connection, over) => {
    await connection.send(text);
    await over;
  };
}

/** Sends a request and reads the answer. */
function exchange(text: string): Attack {
  return async (connection) => {
    await connection.send(text);
    await connection.receive();
  };
}

/** Sends 1 KB of a body each second. */
async function trickle(connection: RawConnection): Promise<void> {
  await connection.send(request("/api/hash", " ", 1e6));
  for (;;) {
    await delay(100);
    await connection.send(" ".repeat(100));
  }
}

/** Its result has almost 8 MiB, the largest. */
const DEEP = `{"action":"format","input":"${"[".repeat(2_046)}${
  "]".repeat(2_046)
}"}`;
const HASH = JSON.stringify(post("hash", 1_000).fields);
const GET = "GET /api/uuid?count=100 HTTP/1.1\r\nHost: h\r\n\r\n";
const CHUNKED = "POST /api/hash HTTP/1.1\r\nHost: h\r\n" +
  `Transfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(1e5)}0\r\n\r\n`;

const ATTACKS: Readonly<Record<string, Attack>> = {
  "nothing": (_, over) => over,
  "half a head": stall("GET / HTTP/1.1\r\n"),
  "a body that stalls at once": stall(request("/api/hash", "", 1e6)),
  "a body, 40 KB": stall(request("/api/hash", " ".repeat(40e3), 1e6)),
  "a body, 150 KB": stall(request("/api/hash", " ".repeat(150e3), 1e6)),
  "a body at 1 KB/s": trickle,
  "an unread result of 8 MiB": neglect(request("/api/json", DEEP)),
  "100 unread answers": neglect(GET.repeat(100)),
  "hashes of 1 MB": exchange(request("/api/hash", HASH)),
  "100,000 chunks": exchange(CHUNKED),
};

/** Runs the chosen attacks, each on a fresh server. */
export async function run(options: Options): Promise<void> {
  const [clients, seconds] = [
    options.clients?.[0] ?? 400,
    options.seconds ?? 8,
  ];
  for (const [name, attack] of Object.entries(ATTACKS)) {
    if (!isChosen(options)({ name })) continue;
    await using server = await startService({ parallel: options.parallel });
    using probe = new Probe(server.origin, PROBED);
    await delay(1_000);
    await probe.take();
    let isOver = false;
    const over = delay(Number(seconds) * 1_000).then(() => isOver = true);
    const attackers = Array.from({ length: Number(clients) }, async () => {
      while (!isOver) {
        using connection = await RawConnection.open(server);
        // The server may close a connection.
        await Promise.resolve(attack(connection, over)).catch(() => {});
      }
    });
    await over;
    const header = ["median", "95 %", "longest", "failed"];
    const peak = readProcess(server).peakMiB.toFixed(0);
    printRow(`${clients} × ${name}, peak ${peak} MiB`, header);
    for (const [i, { latencies, failed }] of (await probe.take()).entries()) {
      const figures = [0.5, 0.95, 1].map((share) => quantile(latencies, share));
      printRow(`  ${PROBED[i]!.name}`, [...figures, `${failed}`], 1);
    }
    server.kill("SIGKILL");
    await Promise.allSettled(attackers);
  }
}
