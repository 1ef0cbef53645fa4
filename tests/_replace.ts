/** Stands in for what a module takes from the runtime. */

/** Replaces members of an object until the scope is left. */
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

/** A line of the log, and the method of the console that wrote it. */
export type LogLine = readonly [method: string, text: string];

/** Keeps what is logged from the console, until the scope is left. */
export function captureLog(): Disposable & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const methods = ["debug", "error", "info", "log", "warn"].map((method) =>
    [method, (text: string) => lines.push([method, text])] as const
  );
  return { lines, ...replace(console, Object.fromEntries(methods)) };
}
