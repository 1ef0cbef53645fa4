/**
 * The memory that clients make the service hold: bodies that arrive and answers
 * that depart. It has one bound and one rule: who moves too slowly makes room for
 * the newcomer, who else is refused. Nobody waits.
 *
 * What is small (`SMALL_BYTES`) is neither counted nor refused. What is of middle
 * size (`MAX_AT_ONCE_BYTES`) moves in one go, which is cheap but cannot be given
 * up, while all that does so claims no more than 16 MiB. The rest moves piece by
 * piece, and is counted here.
 *
 * @module
 */

/** What has no more bytes is small. */
export const SMALL_BYTES = 32 * 1024;

/** What has no more bytes may move in one go. */
export const MAX_AT_ONCE_BYTES = 128 * 1024;

/** All that moves in one go at a time, in bytes. */
export const MAX_CLAIMED_BYTES = 16 * 1024 * 1024;

/** Whoever moves so many bytes a second since the start is never given up. */
export const MIN_BYTES_PER_SECOND = 64 * 1024;

/** Time in which nobody is too slow yet, in milliseconds. */
export const GRACE_MS = 1_000;

/** A body that arrives, or an answer that departs, piece by piece. */
export interface Transfer {
  /** When it began, in milliseconds of `performance.now()`. */
  readonly startTime: number;
  /**
   * How many bytes the client has sent, or may have taken: buffers on the way
   * count in its favour.
   */
  readonly movedBytes: number;
  /** Ends it before its time. */
  giveUp(): void;
}

/** Counts what is held, and makes room. */
export class Memory {
  readonly #maxBytes: number;
  /** What each transfer holds, in bytes, the oldest first. */
  readonly #held = new Map<Transfer, number>();
  #heldBytes = 0;
  #claimedBytes = 0;

  /** @param maxBytes All that transfers may hold at a time, inclusive. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Claims room for what moves in one go; whether there was any. */
  claim(bytes: number): boolean {
    const claimedBytes = this.#claimedBytes + bytes;
    if (bytes > MAX_AT_ONCE_BYTES || claimedBytes > MAX_CLAIMED_BYTES) {
      return false;
    }
    this.#claimedBytes = claimedBytes;
    return true;
  }

  /** Returns what `claim()` gave. */
  unclaim(bytes: number): void {
    this.#claimedBytes -= bytes;
  }

  /**
   * Sets how much a transfer holds from now on. Where that is too much in all,
   * those that are too slow are given up, the oldest first. Whether there was
   * room; if not, nothing has changed.
   */
  hold(transfer: Transfer, bytes: number): boolean {
    const more = bytes - (this.#held.get(transfer) ?? 0);
    if (!this.#giveUpSlow(this.#heldBytes + more - this.#maxBytes, transfer)) {
      return false;
    }
    this.#heldBytes += more;
    this.#held.set(transfer, bytes);
    return true;
  }

  /** Makes room as `hold()` does, and leaves it free; whether there is any. */
  makeRoom(bytes: number): boolean {
    return this.#giveUpSlow(this.#heldBytes + bytes - this.#maxBytes);
  }

  /** Forgets a transfer, which may have been forgotten already. */
  release(transfer: Transfer): void {
    this.#heldBytes -= this.#held.get(transfer) ?? 0;
    this.#held.delete(transfer);
  }

  /** Gives up others until so many bytes are free, or, if too few are slow, none. */
  #giveUpSlow(missingBytes: number, newcomer?: Transfer): boolean {
    const now = performance.now();
    const slow: Transfer[] = [];
    for (const [transfer, bytes] of this.#held) {
      if (missingBytes <= 0) break;
      if (transfer === newcomer || !isSlow(transfer, now)) continue;
      slow.push(transfer);
      missingBytes -= bytes;
    }
    if (missingBytes > 0) return false;
    for (const transfer of slow) {
      this.release(transfer);
      transfer.giveUp();
    }
    return true;
  }
}

function isSlow(transfer: Transfer, now: number): boolean {
  const seconds = (now - transfer.startTime - GRACE_MS) / 1_000;
  return transfer.movedBytes < MIN_BYTES_PER_SECOND * seconds;
}
