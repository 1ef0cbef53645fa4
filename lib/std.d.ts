/** Types for Deno's standard library, whose npm package doesn't contain any. */

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
