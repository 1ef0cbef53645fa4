import { Turns } from "../../lib/http/turns.ts";

/** Turns that nobody gets until they are let go on. */
export class HeldTurns extends Turns {
  isHeld = false;
  readonly #end = Promise.withResolvers<void>();

  override take(): Promise<void> {
    return this.isHeld ? this.#end.promise : super.take();
  }

  goOn(): void {
    this.isHeld = false;
    this.#end.resolve();
  }
}
