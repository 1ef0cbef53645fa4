/**
 * Types of the functions of Deno's standard library that the service, its tests, benchmarks
 * and tools use. The library comes from an npm package that has no types.
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

declare module "@std/encoding/base64" {
  export function encodeBase64(data: string | ArrayBuffer | Uint8Array): string;
  export function decodeBase64(b64: string): Uint8Array<ArrayBuffer>;
}

declare module "@std/encoding/base64url" {
  export function encodeBase64Url(
    data: string | ArrayBuffer | Uint8Array,
  ): string;
  export function decodeBase64Url(b64url: string): Uint8Array<ArrayBuffer>;
}

declare module "@std/http/negotiation" {
  export function acceptsEncodings(
    request: Pick<Request, "headers">,
    ...encodings: string[]
  ): string | undefined;
}

declare module "@std/http/etag" {
  export function eTag(entity: string): Promise<string>;
  export function ifNoneMatch(
    value: string | null,
    etag: string,
  ): boolean;
}

declare module "@std/assert" {
  type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

  export function assert(expr: unknown, msg?: string): asserts expr;
  export function equal(a: unknown, b: unknown): boolean;
  export function assertEquals<T>(actual: T, expected: T, msg?: string): void;
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

declare module "@std/streams/delimiter-stream" {
  export class DelimiterStream
    extends TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    constructor(delimiter: Uint8Array);
  }
}

declare module "@std/text" {
  export function closestString(
    givenWord: string,
    possibleWords: readonly string[],
  ): string;
  export function levenshteinDistance(str1: string, str2: string): number;
}
