/**
 * A worker that sends small requests one after the other, and notes the longest wait
 * for a response. It has a thread of its own, so that only the server can delay them.
 *
 * @module
 */

import { RawConnection } from "../tests/_connection.ts";
import { post } from "./_attacker.ts";

/** A message to the worker: the port to send to, or a request for the longest wait since the last one. */
export type WaitsCommand = { readonly port: number } | "take";

/** The global scope of a worker; TypeScript loads the types of the main thread. */
declare const self: {
  onmessage: (event: MessageEvent<WaitsCommand>) => void;
  postMessage(longestMs: number): void;
};

const REQUEST = post("/api/hash", '{"algorithm":"sha1","input":"abc"}');

let longestMs = 0;
/** Start of the request in progress. */
let start = performance.now();

async function sendAll(port: number): Promise<void> {
  const connection = await RawConnection.open({ port });
  for (;;) {
    start = performance.now();
    await connection.send(REQUEST);
    await connection.receive();
    longestMs = Math.max(longestMs, performance.now() - start);
  }
}

self.onmessage = ({ data: command }) => {
  if (command !== "take") return void sendAll(command.port);
  self.postMessage(Math.max(longestMs, performance.now() - start));
  longestMs = 0;
};
