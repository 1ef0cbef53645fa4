/** A reference model of the operations, independent of the service. */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** A GET or POST to one of the endpoints. */
interface Sent {
  readonly endpoint: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}

type Result = Readonly<Record<string, unknown>>;

const MAX_RESULT_BYTES = 8 * 1024 * 1024;
const BOOLEAN = /^(?:true|1|yes|on|false|0|no|off)$/i;
const OFF = /^(?:false|0|no|off)$/i;
const UUID =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const CLASSES = {
  uppercase: /[A-Z]/,
  lowercase: /[a-z]/,
  numbers: /[0-9]/,
  symbols: /[^A-Za-z0-9]/,
};

/** Returns the status of the response to a request. */
export function predict({ endpoint, query, body }: Sent): number {
  if (endpoint === "/healthz") return 200;
  if (endpoint === "/api/uuid") {
    return isInteger(query, "count", 100) ? 200 : 400;
  }
  if (endpoint === "/api/password") return isPasswordQuery(query) ? 200 : 400;
  const fields = parse(decode(body));
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return 400;
  }
  const { action, algorithm, input, indent, variant } = fields as Result;
  if (endpoint === "/api/hash") {
    if (algorithm === "md5") return 501;
    return /^sha(?:1|256|512)$/.test(toText(algorithm)) && isUtf8(input)
      ? 200
      : 400;
  }
  if (endpoint === "/api/base64") {
    const isVariant = [undefined, "standard", "url"].includes(
      variant as string,
    );
    const isValid = action === "encode"
      ? isUtf8(input)
      : action === "decode" && decodeBase64(input) !== undefined;
    return isVariant && isValid ? 200 : 400;
  }
  const isIndent = [undefined, 2, 4].includes(indent as number);
  if (!isIndent || typeof input !== "string") return 400;
  if (action === "validate") return 200;
  if (action !== "format" && action !== "minify") return 400;
  if (parse(input) === undefined) return 400;
  const text = rewrite(input, action === "minify" ? 0 : Number(indent ?? 2));
  return text === undefined ? 400 : 200;
}

/** Checks the result of a response with status 200. */
export function checkResult(
  { endpoint, query, body }: Sent,
  result: Result,
): void {
  if (endpoint === "/healthz") return assertEquals(result, { status: "ok" });
  if (endpoint === "/api/uuid") {
    const { uuid, uuids = [uuid] } = result as Record<string, string[]>;
    assertEquals(uuids.length, Number(query.get("count") ?? 1));
    return assert(uuids.every((uuid) => UUID.test(String(uuid))));
  }
  if (endpoint === "/api/password") {
    return checkPassword(query, String(result["password"]));
  }
  const { action, algorithm, input, indent, variant } = JSON.parse(
    decode(body)!,
  );
  if (endpoint === "/api/hash") {
    const digest = createHash(algorithm).update(input).digest("hex");
    return assertEquals(result, { result: digest, algorithm });
  }
  if (endpoint === "/api/json") {
    const valid = parse(input) !== undefined;
    assertEquals(result["valid"], valid);
    const isRight = action === "validate"
      ? valid === (result["result"] === "valid JSON")
      : result["result"] ===
        rewrite(input, action === "minify" ? 0 : indent ?? 2);
    return assert(isRight, String(result["result"]).slice(0, 1_000));
  }
  const encoding = variant === "url" ? "base64url" : "base64";
  assertEquals(result, {
    result: action === "encode"
      ? Buffer.from(input).toString(encoding)
      : decodeBase64(input),
  });
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isUtf8(value: unknown): boolean {
  return typeof value === "string" && value.isWellFormed();
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const options = { fatal: true, ignoreBOM: true };
    return new TextDecoder("utf-8", options).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Parses a JSON text; `undefined` if it is not valid. */
function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}

function decodeBase64(input: unknown): string | undefined {
  if (typeof input !== "string" || /[-_]/.test(input) && /[+/]/.test(input)) {
    return undefined;
  }
  try {
    const standard = input.replaceAll("-", "+").replaceAll("_", "/");
    return decode(Buffer.from(atob(standard), "latin1"));
  } catch {
    return undefined;
  }
}

/** Whether an optional parameter is an integer from 1 to a maximum. */
function isInteger(query: URLSearchParams, name: string, max: number): boolean {
  const [text, ...others] = query.getAll(name);
  return others.length === 0 &&
    (text === undefined || /^[1-9]\d*$/.test(text) && Number(text) <= max);
}

function isPasswordQuery(query: URLSearchParams): boolean {
  const isBoolean = (name: string) => {
    const [text, ...others] = query.getAll(name);
    return others.length === 0 && (text === undefined || BOOLEAN.test(text));
  };
  const names = Object.keys(CLASSES);
  return isInteger(query, "length", 128) &&
    [...names, "ambiguous"].every(isBoolean) &&
    names.some((name) => !OFF.test(query.get(name) ?? ""));
}

function checkPassword(query: URLSearchParams, password: string): void {
  const isOff = (name: string) => OFF.test(query.get(name) ?? "");
  assertEquals(password.length, Number(query.get("length") ?? 16));
  const { length } = Object.keys(CLASSES).filter((name) => !isOff(name));
  for (const [name, pattern] of Object.entries(CLASSES)) {
    if (isOff(name)) assert(!pattern.test(password), name);
    else if (password.length >= length) assert(pattern.test(password), name);
  }
  if (isOff("ambiguous")) assert(!/[0O1Il5S]/.test(password));
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * Formats a valid JSON text, or minifies it by an indent of 0. Returns `undefined` if
 * the result is too large.
 */
function rewrite(input: string, indent: number): string | undefined {
  const pieces: string[] = [];
  let bytes = 0;
  let depth = 0;
  let previous = "";
  for (const [token] of input.matchAll(TOKENS)) {
    const isClosing = token === "]" || token === "}";
    if (isClosing) depth -= 1;
    const isEmpty = isClosing && /^[[{]$/.test(previous);
    const isItem = /^[[{,]$/.test(previous) || isClosing;
    const space = indent > 0 && isItem && !isEmpty
      ? `\n${" ".repeat(depth * indent)}`
      : "";
    const piece = space + token + (indent > 0 && token === ":" ? " " : "");
    pieces.push(piece);
    bytes += Buffer.byteLength(piece);
    if (bytes > MAX_RESULT_BYTES) return undefined;
    if (token === "[" || token === "{") depth += 1;
    previous = token;
  }
  return pieces.join("");
}
