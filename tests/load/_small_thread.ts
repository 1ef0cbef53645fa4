/** A thread with little memory for large requests, and a wait for what it does. */

import { toResponse } from "../../lib/http/answer.ts";
import type { Admit, Compute, ServeInfo } from "../../lib/http/body.ts";
import { createSmallAdmission } from "../_thread.ts";
import { within } from "../_within.ts";

/** The answers of a thread whose results have 8 MiB, computed by functions. */
export class Thread {
  readonly #admit: Admit;

  constructor(isStopping: () => boolean = () => false) {
    this.#admit = createSmallAdmission({ isStopping });
  }

  async answer(
    compute: Compute,
    { size = 2, info = {} }: { size?: number; info?: ServeInfo } = {},
  ): Promise<Response> {
    const init = {
      method: "POST",
      headers: { host: "h" },
      body: " ".repeat(size),
    };
    const request = new Request("http://h", init);
    const answering = Promise.resolve(this.#admit(request, info, compute));
    return toResponse(await within(answering, "an answer"));
  }
}

/** Waits until all that can happen without further data has happened. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 50; i += 1) {
    await new Promise((resolve) => setTimeout(resolve));
  }
}
