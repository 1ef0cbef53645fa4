/** What messages that wait hold of the memory there is. */

import { assert, assertEquals } from "@std/assert";
import { HttpError } from "../../lib/http/errors.ts";
import { Memory, SMALL_BYTES, type Transfer } from "../../lib/http/memory.ts";
import { holdMeanwhile } from "../../lib/mcp/hold.ts";
import { stopClock } from "../_clock.ts";

const LARGE_BYTES = SMALL_BYTES + 1;

/** Somebody else who wants room. */
const OTHER: Transfer = { startTime: 0, movedBytes: Infinity, giveUp() {} };

Deno.test("a message that is small waits where there is no room at all", async () => {
  const memory = new Memory(0);
  const work = () => Promise.resolve("done");
  assertEquals(await holdMeanwhile(memory, SMALL_BYTES, work), "done");
  assertEquals(await holdMeanwhile(memory, 0, work), "done");
});

Deno.test("a message that is larger takes its length twice, or is refused before its turn", async () => {
  const work = () => Promise.resolve("done");
  const enough = new Memory(2 * LARGE_BYTES);
  assertEquals(await holdMeanwhile(enough, LARGE_BYTES, work), "done");
  let hasWorked = false;
  const error = await holdMeanwhile(
    new Memory(2 * LARGE_BYTES - 1),
    LARGE_BYTES,
    () => {
      hasWorked = true;
      return work();
    },
  ).catch((error) => error);
  assert(error instanceof HttpError && !hasWorked);
  const { status, message, headers } = error;
  assertEquals({ status, message, headers }, {
    status: 503,
    message: "too many large calls are being answered, please try again",
    headers: { "retry-after": "1" },
  });
});

Deno.test("a message is held as long as it takes, and forgotten whatever comes of it", async (t) => {
  const reason = new Error("it failed");
  for (const fails of [false, true]) {
    await t.step(fails ? "a failure" : "an answer", async () => {
      using clock = stopClock();
      const memory = new Memory(2 * LARGE_BYTES);
      const work = Promise.withResolvers<string>();
      const answer = holdMeanwhile(memory, LARGE_BYTES, () => work.promise);
      // It has arrived: however long the answer takes, the client is not slow.
      await clock.pass(3_600_000);
      assert(!memory.hold(OTHER, 1));
      if (fails) work.reject(reason);
      else work.resolve("done");
      assertEquals(
        await answer.catch((error) => error),
        fails ? reason : "done",
      );
      assert(memory.hold(OTHER, 2 * LARGE_BYTES));
    });
  }
});
