/**
 * Tells how fast a client sends its body while other requests wait. Time is measured in
 * checks of the waiting requests (`Room.checks`, one every 25 ms while requests wait), not
 * in milliseconds: a busy service may read a chunk late, but reads it before the next
 * check.
 */

import { PAGE_BYTES } from "./pages.ts";
import type { Room } from "./room.ts";

/** Largest number of consecutive checks without a new chunk, after which the client counts as stalled. */
const STANDING_CHECKS = 3;

/** The pace at which the client of a body sends. */
export class ClientPace {
  readonly #room: Pick<Room, "checks">;
  /**
   * Number of checks when the last chunk came, or when the body last stopped waiting for
   * memory; `Infinity` while the client is not measured.
   */
  #active = Infinity;
  /** Number of checks when the reading of the body began; `Infinity` before. */
  #start = Infinity;

  /** @param room The limit for which requests wait. */
  constructor(room: Pick<Room, "checks">) {
    this.#room = room;
  }

  /** Notes that a chunk has come, or that the reading begins or continues. */
  noteActivity(): void {
    this.#active = this.#room.checks;
    this.#start = Math.min(this.#start, this.#active);
  }

  /** Notes that the body is not read any more until `noteActivity()`, so that its client does not count as stalled. */
  pause(): void {
    this.#active = Infinity;
  }

  /** Whether the client has sent nothing for more than three checks. */
  get hasStalled(): boolean {
    return this.#room.checks - this.#active > STANDING_CHECKS;
  }

  /** Whether the client has sent, on average, at least 64 KiB from one check to the next. */
  isFast(movedBytes: number): boolean {
    return movedBytes >= (this.#room.checks - this.#start) * PAGE_BYTES;
  }
}
