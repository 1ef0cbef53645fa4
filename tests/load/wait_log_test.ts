/** The log lines about large requests that wait or are refused. */

import { assert, assertEquals } from "@std/assert";
import { WaitLog } from "../../lib/load/wait_log.ts";
import { captureLog } from "../_replace.ts";
import { createLarge, createRoom, reserve } from "./_load.ts";

Deno.test("the log counts long waits and refusals, in one line for each interval", async () => {
  using log = captureLog();
  async function takeLine(): Promise<string> {
    // The interval is 20 ms.
    await new Promise((resolve) => setTimeout(resolve, 50));
    assertEquals(log.lines.map(([method]) => method), ["warn"]);
    const [[, line]] = log.lines.splice(0) as [[string, string]];
    return line.replace("large requests in the last minute: ", "");
  }
  const waitLog = new WaitLog(20);
  const room = createRoom(10, { waitLog });
  const [holder, late, other] = [createLarge(), createLarge(), createLarge()];
  assert(room.tryReserve(holder, 10));
  late.waitedMs = 10_000;
  await reserve([], room, { holder: late, amount: 10, name: "late" });
  assertEquals(
    await takeLine(),
    "0 waited longer than 3 s, 1 refused with 503",
  );
  other.waitedMs = 2_990;
  const waiting = reserve([], room, { holder: other, amount: 10, name: "" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  room.release(holder);
  await waiting;
  waitLog.noteWait(0, 3_000);
  waitLog.noteWait(0, 8_765);
  waitLog.noteWait(8_765, 9_876);
  assertEquals(
    await takeLine(),
    "2 waited longer than 3 s (9.9 s at most), 0 refused with 503",
  );
});
