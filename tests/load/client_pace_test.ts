/** Which clients count as stalled, and which as fast, while other requests wait. */

import { assertEquals } from "@std/assert";
import { ClientPace } from "../../lib/load/client_pace.ts";

Deno.test("a client has stalled when no chunk has come for more than three checks, unless its body waits for memory", () => {
  const room = { checks: 0 };
  const pace = new ClientPace(room);
  /** Makes some checks, and returns whether the client has stalled after them. */
  function hasStalledAfter(checks: number): boolean {
    room.checks += checks;
    return pace.hasStalled;
  }
  assertEquals(hasStalledAfter(10), false);
  pace.noteActivity();
  assertEquals(hasStalledAfter(3), false);
  assertEquals(hasStalledAfter(1), true);
  pace.pause();
  assertEquals(hasStalledAfter(10), false);
  pace.noteActivity();
  assertEquals(hasStalledAfter(3), false);
  assertEquals(hasStalledAfter(1), true);
});

Deno.test("a client is fast that sends 64 KiB from one check to the next, on average since its first chunk", () => {
  const room = { checks: 5 };
  const pace = new ClientPace(room);
  pace.noteActivity();
  room.checks += 1;
  pace.noteActivity();
  room.checks += 1;
  assertEquals(pace.isFast(131_071), false);
  assertEquals(pace.isFast(131_072), true);
});
