/** What servers and clusters take from the runtime, told by a test what to do. */

import { replace } from "../_replace.ts";

/** A listener of `Deno.serve`, with what it was given. */
export class FakeListener {
  readonly options: Deno.ServeTcpOptions;
  /** Answers a request as if it had come over the network. */
  readonly answer: (
    request: Request,
    info?: Deno.ServeHandlerInfo,
  ) => Response | Promise<Response>;
  readonly addr: { readonly port: number };
  /** Ends the listener, or lets it fail. */
  readonly end = Promise.withResolvers<void>();
  readonly finished = this.end.promise;
  /** Ends the shutdown, or lets it fail. */
  readonly departure = Promise.withResolvers<void>();
  isShuttingDown = false;

  constructor(options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) {
    this.options = options;
    this.answer = handler as FakeListener["answer"];
    this.addr = { port: options.port || 40_000 };
  }

  shutdown(): Promise<void> {
    this.isShuttingDown = true;
    return this.departure.promise;
  }
}

/** The listeners that were started since `Deno.serve` was replaced. */
export interface FakeServe extends Disposable {
  readonly all: FakeListener[];
  /** What the next call throws. */
  nextError: unknown;
}

/** Replaces `Deno.serve` until the scope is left. Nothing really listens. */
export function replaceServe(): FakeServe {
  const all: FakeListener[] = [];
  const fake: FakeServe = {
    all,
    nextError: undefined,
    ...replace(Deno, { serve: serve as unknown as typeof Deno.serve }),
  };
  function serve(options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) {
    const { nextError } = fake;
    fake.nextError = undefined;
    if (nextError !== undefined) throw nextError;
    const listener = new FakeListener(options, handler);
    all.push(listener);
    return listener;
  }
  return fake;
}

/** A worker that says what the test lets it say. */
export class FakeWorker extends EventTarget {
  readonly module: string;
  readonly options: WorkerOptions;
  /** What it was told. */
  readonly orders: unknown[] = [];

  constructor(module: string, options: WorkerOptions) {
    super();
    this.module = module;
    this.options = options;
  }

  /** Replaces `Worker` until the scope is left, and keeps those that are made. */
  static install(): Disposable & { readonly all: readonly FakeWorker[] } {
    const all: FakeWorker[] = [];
    class KeptWorker extends FakeWorker {
      constructor(module: string, options: WorkerOptions) {
        super(module, options);
        all.push(this);
      }
    }
    const worker = KeptWorker as unknown as typeof Worker;
    return { all, ...replace(globalThis, { Worker: worker }) };
  }

  postMessage(order: unknown): void {
    this.orders.push(order);
  }

  say(data: string): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}
