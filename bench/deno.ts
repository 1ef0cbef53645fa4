/**
 * Checks which behaviors in docs/deno.md this version of Deno still has. The service works
 * around them. Requires Linux, curl, and Python.
 *
 * @module
 */

import { setImmediate, setTimeout as delay } from "node:timers/promises";
import { encodeBase64 } from "@std/encoding/base64";
import { print } from "../tools/print.ts";
import {
  exchange,
  RawConnection,
  run as runProcess,
} from "../tests/_server.ts";
import { median } from "./_measure.ts";

/** How long to wait before treating a promise as pending forever, in milliseconds. */
const PENDING_MS = 2_000;

/** Exit status of a script if Deno behaves as described. */
const STILL_SO = 7;

/** curl's exit status for an HTTP/2 stream error, such as a body in a response to HEAD. */
const STREAM_ERROR = 92;

/** The checks by their names in docs/deno.md. Each returns whether Deno behaves that way. */
export const CHECKS: Readonly<
  Record<string, () => boolean | Promise<boolean>>
> = {
  "HEAD over HTTP/2": sendsBodyToHead,
  "HTTP version": hidesHttpVersion,
  "body that has arrived": hasNoByteReader,
  "pending read": keepsConnectionOfPendingRead,
  "upgrade with a body": rejectsUpgradeWithBody,
  "rounds of the event loop": looksRarelyForData,
  "strings of digits": parsesDigitsSlowly,
  "escaped names": confusesEscapedNames,
  "slow Base64": encodesSlowlyByLibrary,
  "non-blocking pipes": failsOnFullPipe,
  "descriptors": losesListener,
};

export async function run(): Promise<void> {
  print(`Deno ${Deno.version.deno}`);
  for (const [name, check] of Object.entries(CHECKS)) {
    print(`${await check() ? "still so" : "changed "}  ${name}`);
  }
}

/** Serves on a free port until the returned object is disposed of. */
function serve(handler: Deno.ServeHandler<Deno.NetAddr>) {
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  return Deno.serve(options, handler);
}

/**
 * Sends a POST to a handler.
 *
 * @param remainder The last request headers and the body.
 */
async function post(
  remainder: string,
  handler: Deno.ServeHandler<Deno.NetAddr>,
) {
  await using server = serve(handler);
  return await exchange(
    server.addr,
    `POST / HTTP/1.1\r\nHost: a\r\n${remainder}`,
  );
}

async function sendsBodyToHead(): Promise<boolean> {
  await using server = serve(() => new Response("body"));
  const { port } = server.addr;
  const url = `http://127.0.0.1:${port}`;
  const options = ["--silent", "--head", "--http2-prior-knowledge"];
  return (await runProcess(["curl", ...options, url])).code === STREAM_ERROR;
}

async function hidesHttpVersion(): Promise<boolean> {
  let names: string[] = [];
  await post("Content-Length: 0\r\n\r\n", (_request, info) => {
    names = Object.keys(info);
    return new Response();
  });
  return !names.some((name) => /version|protocol|http/i.test(name));
}

async function hasNoByteReader(): Promise<boolean> {
  let isRejected = false;
  await post("Content-Length: 1\r\n\r\na", ({ body }) => {
    try {
      body!.getReader({ mode: "byob" });
    } catch {
      isRejected = true;
    }
    return new Response();
  });
  return isRejected;
}

async function keepsConnectionOfPendingRead(): Promise<boolean> {
  await using server = serve(({ body }) => {
    body!.getReader().read().catch(() => {});
    return new Response(null, { headers: { connection: "close" } });
  });
  using connection = await RawConnection.open(server.addr);
  await connection.send(
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
  );
  await connection.receive();
  return await isPending(connection.isClosed());
}

async function rejectsUpgradeWithBody(): Promise<boolean> {
  const { status } = await post(
    "Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 1\r\n\r\na",
    () => new Response(),
  );
  return status === 400;
}

/** Compares how long new connections wait for computations with short and long pauses. */
async function looksRarelyForData(): Promise<boolean> {
  const withShortPauses = await timeRequests(10);
  return withShortPauses > 2 * await timeRequests(150);
}

/**
 * Returns the median duration of a request on a new connection during computations of 5 ms
 * each, in milliseconds.
 *
 * @param iterations Event-loop iterations after each computation.
 */
async function timeRequests(iterations: number): Promise<number> {
  await using server = serve(() => new Response());
  const url = `http://127.0.0.1:${server.addr.port}`;
  const curl = `curl --silent --write-out "%{time_total} " ${url}`;
  let isDone = false;
  const requesting = runProcess([
    "sh",
    "-c",
    `for i in 1 2 3 4 5 6 7 8 9; do ${curl}; done`,
  ])
    .finally(() => isDone = true);
  while (!isDone) {
    const end = performance.now() + 5;
    while (performance.now() < end);
    for (let i = 0; i < iterations; i += 1) await setImmediate();
  }
  const { output } = await requesting;
  return 1_000 * median(output.trim().split(" ").map(Number));
}

/** Compares strings that collide in V8's hash table (CVE-2026-21717) with other strings. */
function parsesDigitsSlowly(): boolean {
  const timeStrings = (factor: number) => {
    const strings = Array.from(
      { length: 20_000 },
      (_, i) => `${factor * (62 + i)}`,
    );
    const text = JSON.stringify(strings);
    return time(() => JSON.parse(text));
  };
  return timeStrings(16_384) > 5 * timeStrings(16_385);
}

function confusesEscapedNames(): boolean {
  JSON.parse(String.raw`{"q":1,"\\":2}`);
  const value = JSON.parse(String.raw`{"q":1,"\u0061":2}`);
  return !Object.hasOwn(value, "a");
}

function encodesSlowlyByLibrary(): boolean {
  const bytes = crypto.getRandomValues(new Uint8Array(60_000));
  const libraryMs = time(() => encodeBase64(bytes));
  return libraryMs > 2 * time(() => bytes.toBase64());
}

function time(compute: () => unknown): number {
  const start = performance.now();
  compute();
  return performance.now() - start;
}

async function failsOnFullPipe(): Promise<boolean> {
  const script = `
    const bytes = new Uint8Array(1_000_000);
    try {
      for (let i = 0; i < 10; i += 1) await Deno.stdout.write(bytes);
    } catch (error) {
      Deno.exit(error instanceof Deno.errors.WouldBlock ? ${STILL_SO} : 0);
    }`;
  const python = `
import os, subprocess, sys
_, pipe = os.pipe()
os.set_blocking(pipe, False)
sys.exit(subprocess.call(sys.argv[1:], stdout=pipe))`;
  const deno = [Deno.execPath(), "eval", "--no-config", script];
  return (await runProcess(["python3", "-c", python, ...deno])).code ===
    STILL_SO;
}

async function losesListener(): Promise<boolean> {
  const script = `
    const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
    const server = Deno.serve(options, () => new Response());
    server.finished.catch(() => Deno.exit(${STILL_SO}));
    const connections = [];
    for (let i = 0; i < 200; i += 1) {
      await Deno.connect(server.addr).then(
        (connection) => connections.push(connection),
        () => {},
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    Deno.exit(0);`;
  const deno = [Deno.execPath(), "eval", "--no-config", script];
  const limited = ["sh", "-c", 'ulimit -n 60; exec "$@"', "sh", ...deno];
  return (await runProcess(limited)).code === STILL_SO;
}

/** Whether a promise doesn't settle within `PENDING_MS`. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const timeout = Symbol();
  return await Promise.race([promise, delay(PENDING_MS, timeout)]) === timeout;
}
