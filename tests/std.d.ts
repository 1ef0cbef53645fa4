/**
 * Types of the functions of Deno's standard library that only tests, benchmarks, and tools
 * use.
 */

declare module "@std/cli/parse-args" {
  export function parseArgs(
    args: string[],
    options: {
      string: readonly string[];
      boolean: readonly string[];
      negatable?: readonly string[];
      collect?: readonly string[];
      alias?: Readonly<Record<string, string>>;
      default?: Readonly<Record<string, unknown>>;
      unknown: (argument: string, name?: string) => unknown;
    },
  ): Record<string, unknown>;
}

declare module "@std/assert" {
  type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

  export function equal(a: unknown, b: unknown): boolean;
  export function assert(expr: unknown, msg?: string): asserts expr;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
  export function assertNotEquals<T>(
    actual: T,
    expected: T,
    msg?: string,
  ): void;
  export function assertMatch(
    actual: string,
    expected: RegExp,
    msg?: string,
  ): void;
  export function assertStringIncludes(
    actual: string,
    expected: string,
    msg?: string,
  ): void;
  export function assertThrows<E extends Error = Error>(
    fn: () => unknown,
    errorClass: ErrorClass<E>,
    msgIncludes?: string,
    msg?: string,
  ): E;
  export function assertRejects<E extends Error = Error>(
    fn: () => PromiseLike<unknown>,
    errorClass: ErrorClass<E>,
    msgIncludes?: string,
    msg?: string,
  ): Promise<E>;
}
