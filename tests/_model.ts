/** A reference model of the service, independent of its code. */

import { assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** The parts of a request that determine its response. */
export interface Sent {
  readonly method: string;
  /** The path, after the normalization of URLs. */
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array;
}

type Result = Readonly<Record<string, unknown>>;

/** The status of an error, the body of a 200, or a check of a random body. */
export type Expected = number | Result | ((result: Result) => void);

const KIB = 1024;
const BOOLEAN = /^(?:true|1|yes|on|false|0|no|off)$/i;
const OFF = /^(?:false|0|no|off)$/i;

/** The paths, each with its method, and its parameters or fields. */
const ENDPOINTS: Readonly<Record<string, readonly [string, string]>> = {
  "/api/base64": ["POST", "action input variant"],
  "/api/hash": ["POST", "algorithm input"],
  "/api/json": ["POST", "action input indent"],
  "/api/uuid": ["GET", "count"],
  "/api/password": [
    "GET",
    "count length uppercase lowercase numbers symbols ambiguous",
  ],
  "/healthz": ["GET", ""],
};

/** Predicts the response to a request. */
export function predict({ method, path, query, body }: Sent): Expected {
  if (method === "OPTIONS") return 204;
  const single = path.replaceAll(/\/+/g, "/");
  const endpoint = single.length > 1 ? single.replace(/\/$/, "") : single;
  if (!Object.hasOwn(ENDPOINTS, endpoint)) return 404;
  const [allowed, known] = ENDPOINTS[endpoint]!;
  const areKnown = (names: readonly string[]) =>
    names.every((name) => known.split(" ").includes(name));
  const isHead = method === "HEAD" && allowed === "GET";
  if (method !== allowed && !isHead) return 405;
  const parameters = new URLSearchParams(query);
  if (endpoint === "/healthz") return { status: "ok" };
  if (allowed === "GET") {
    if (!areKnown([...parameters.keys()])) return 400;
    return endpoint === "/api/uuid"
      ? predictUuids(parameters)
      : predictPassword(parameters);
  }
  if (parameters.size > 0) return 400;
  const fields = parse(decode(body)?.replace(/^\ufeff/, ""));
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return 400;
  }
  const isMd5 = "algorithm" in fields && fields.algorithm === "md5";
  if (endpoint === "/api/hash" && isMd5) return 501;
  if (!areKnown(Object.keys(fields))) return 400;
  if (endpoint === "/api/hash") return predictHash(fields as Result);
  if (endpoint === "/api/base64") return predictBase64(fields as Result);
  return predictJson(fields as Result);
}

/** Checks the body of a 200 against the prediction. */
export function checkResult(expected: Expected, result: Result): void {
  if (typeof expected === "function") expected(result);
  else assertEquals(result, expected as Result);
}

/** Whether an optional parameter is an integer from 1 to a maximum. */
function isInteger(query: URLSearchParams, name: string, max: number): boolean {
  const [text, ...others] = query.getAll(name);
  return others.length === 0 &&
    (text === undefined || /^[1-9]\d*$/.test(text) && Number(text) <= max);
}

function predictUuids(query: URLSearchParams): Expected {
  if (!isInteger(query, "count", 100)) return 400;
  return checkCount("uuid", query);
}

/** Returns a check of a random result: the expected number of strings, whatever they are. */
function checkCount(name: string, query: URLSearchParams): Expected {
  return (result) => {
    const count = query.get("count");
    const values = result[count === null ? name : `${name}s`];
    assertEquals([values].flat().length, Number(count ?? 1));
    assertEquals(typeof [values].flat()[0], "string");
  };
}

function predictPassword(query: URLSearchParams): Expected {
  const isBoolean = (name: string) => {
    const [text, ...others] = query.getAll(name);
    return others.length === 0 && (text === undefined || BOOLEAN.test(text));
  };
  const classes = ["uppercase", "lowercase", "numbers", "symbols"];
  const isOff = (name: string) => OFF.test(query.get(name) ?? "");
  if (
    !isInteger(query, "length", 128) || !isInteger(query, "count", 100) ||
    ![...classes, "ambiguous"].every(isBoolean) || classes.every(isOff)
  ) return 400;
  return checkCount("password", query);
}

function predictHash({ algorithm, input }: Result): Expected {
  const isKnown = ["sha1", "sha256", "sha512"].includes(algorithm as string);
  if (!isKnown || typeof input !== "string" || !input.isWellFormed()) {
    return 400;
  }
  const result = createHash(algorithm as string).update(input).digest("hex");
  return { result, algorithm };
}

function predictBase64({ action, input, ...options }: Result) {
  const variant = options["variant"] ?? "standard";
  const isValid = ["encode", "decode"].includes(action as string) &&
    ["standard", "url"].includes(variant as string);
  if (!isValid || typeof input !== "string") return 400;
  if (action === "decode") {
    const result = decodeBase64(input);
    return result === undefined ? 400 : { result };
  }
  if (!input.isWellFormed()) return 400;
  const encoding = variant === "url" ? "base64url" : "base64";
  return { result: Buffer.from(input).toString(encoding) };
}

function decodeBase64(input: string): string | undefined {
  if (/[-_]/.test(input) && /[+/]/.test(input)) return undefined;
  try {
    const standard = input.replaceAll("-", "+").replaceAll("_", "/");
    return decode(Buffer.from(atob(standard), "latin1"));
  } catch {
    return undefined;
  }
}

function predictJson({ action, input, ...options }: Result): Expected {
  const indent = options["indent"] ?? 2;
  const isIndent = indent === 2 || indent === 4;
  if (!isIndent || typeof input !== "string") return 400;
  const valid = parse(input) !== undefined;
  if (action === "validate") {
    if (valid) return { result: "valid JSON", valid };
    return ({ result, valid }) => {
      assertMatch(String(result), / at line \d+, column \d+$/);
      assertEquals(valid, false);
    };
  }
  if (!valid || action !== "format" && action !== "minify") return 400;
  const result = format(input, action === "minify" ? 0 : indent);
  return result === undefined ? 400 : { result, valid };
}

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g;

/**
 * Formats valid JSON, or minifies it if the indent is 0. Returns `undefined` if the result is
 * too large.
 */
function format(input: string, indent: number): string | undefined {
  const parts: string[] = [];
  const maxBytes = Math.min(
    8_192 * KIB,
    512 * KIB + 24 * Buffer.byteLength(input),
  );
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
    const part = space + token + (indent > 0 && token === ":" ? " " : "");
    parts.push(part);
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes) return undefined;
    if (token === "[" || token === "{") depth += 1;
    previous = token;
  }
  return parts.join("");
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const options = { fatal: true, ignoreBOM: true };
    return new TextDecoder("utf-8", options).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Matches a string in JSON, and the colon after it if it is a name. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * Parses JSON, or returns `undefined` if it is invalid. Unescapes names first, because
 * `JSON.parse()` can replace an escaped name with a name from an earlier document.
 */
function parse(text: string | undefined): unknown {
  try {
    JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
  const unescaped = text!.replaceAll(STRINGS, (string, colon?: string) => {
    if (colon === undefined) return string;
    const name = string.slice(0, -colon.length);
    return JSON.stringify(JSON.parse(name)) + colon;
  });
  return JSON.parse(unescaped);
}
