/** Replaces properties of global objects during a test. */

/** Replaces properties of an object until the returned resource is disposed of. */
export function replace<Target extends object>(
  target: Target,
  members: Partial<Target>,
): Disposable {
  const before = Object.entries(members).map(([name]) =>
    [name, Object.getOwnPropertyDescriptor(target, name)] as const
  );
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, {
      value,
      configurable: true,
      writable: true,
    });
  }
  return {
    [Symbol.dispose]() {
      for (const [name, descriptor] of before) {
        if (descriptor) Object.defineProperty(target, name, descriptor);
        else Reflect.deleteProperty(target, name);
      }
    },
  };
}

/** Creates a POST whose headers throw an error when they are read. */
export function createFaulty(path: string, error: Error): Request {
  const init = { method: "POST", body: "{}" };
  const request = new Request(`http://localhost${path}`, init);
  return Object.defineProperty(request, "headers", {
    get() {
      throw error;
    },
  });
}

/** The console method that was called, and the logged line. */
type LogLine = readonly [method: string, text: string];

/** Collects log lines instead of printing them, until it is disposed of. */
export function captureLog(): Disposable & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const methods = ["debug", "error", "info", "log", "warn"].map((method) =>
    [method, (text: string) => lines.push([method, text])] as const
  );
  return { lines, ...replace(console, Object.fromEntries(methods)) };
}
