/** The operations of the benchmark, each with a check of its response. */

import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import { CHARACTER_CLASSES } from "../lib/password.ts";

/** A request that is sent repeatedly. */
export interface Operation {
  readonly name: string;
  /** The argument that starts `servers/baseline.ts` with this operation. */
  readonly baseline: string;
  readonly path: string;
  /** The members of a POST's JSON body; a request without them is a GET. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Whether a parsed response body is correct. */
  isRight(answer: Readonly<Record<string, unknown>>): boolean;
}

/** Returns English text of a length in characters. */
function createText(length: number): string {
  return "The quick brown fox jumps over the lazy dog. "
    .repeat(Math.ceil(length / 45)).slice(0, length);
}

/** Returns a compact JSON text of records, of roughly a length in characters. */
export function createRecords(length: number): string {
  const records = [];
  for (let size = 0, id = 0; size < length; id += 1) {
    const record = {
      id,
      name: `Person ${id}`,
      email: `person.${id}@example.org`,
      isActive: id % 3 === 0,
      score: id * 1.25,
      tags: ["alpha", "beta", "gamma"],
      address: { street: `${id} Long Street`, city: "Ghent", zip: null },
      note: 'Zoë said "yes"\nand left',
    };
    records.push(record);
    size += JSON.stringify(record).length + 1;
  }
  return JSON.stringify(records);
}

const UUID =
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ALPHABET = Object.values(CHARACTER_CLASSES).join("");

function isUuid(value: unknown): boolean {
  return typeof value === "string" && UUID.test(value);
}

function toBase64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function postResult(
  name: string,
  baseline: string,
  request: Pick<Operation, "path" | "fields">,
  expected: string,
): Operation {
  return {
    name,
    baseline,
    ...request,
    status: 200,
    isRight: ({ result }) => result === expected,
  };
}

function format(name: string, length: number): Operation {
  const input = createRecords(length);
  return postResult(
    name,
    "format",
    { path: "/api/json", fields: { action: "format", input } },
    JSON.stringify(JSON.parse(input), null, 2),
  );
}

function hash(name: string, length: number): Operation {
  const input = createText(length);
  return postResult(
    name,
    "hash",
    { path: "/api/hash", fields: { algorithm: "sha256", input } },
    createHash("sha256").update(input).digest("hex"),
  );
}

function encode(name: string, length: number): Operation {
  const input = createText(length);
  return postResult(
    name,
    "encode",
    { path: "/api/base64", fields: { action: "encode", input } },
    toBase64(input),
  );
}

/** @param length Length of the decoded text. */
function decode(name: string, length: number): Operation {
  const text = createText(length);
  return postResult(
    name,
    "decode",
    {
      path: "/api/base64",
      fields: { action: "decode", input: toBase64(text) },
    },
    text,
  );
}

/** Every operation of `docs/speed.md`, in the order of its tables. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: "UUID",
    baseline: "uuid",
    path: "/api/uuid",
    status: 200,
    isRight: ({ uuid }) => isUuid(uuid),
  },
  {
    name: "100 UUIDs",
    baseline: "100 uuids",
    path: "/api/uuid?count=100",
    status: 200,
    isRight: ({ uuids }) =>
      Array.isArray(uuids) && uuids.length === 100 && uuids.every(isUuid),
  },
  {
    name: "password",
    baseline: "password",
    path: "/api/password",
    status: 200,
    isRight: ({ password, strength }) =>
      typeof password === "string" && password.length === 16 &&
      [...password].every((character) => ALPHABET.includes(character)) &&
      strength === "very-strong",
  },
  hash("SHA-256 of 1 KB", 1024),
  encode("Base64 of 1 KB", 1024),
  decode("Base64 decode to 1 KB", 1024),
  encode("Base64 of 64 KB", 65_536),
  format("JSON of 10 KB", 10_000),
  format("JSON of 500 KB", 500_000),
  {
    name: "400",
    baseline: "400",
    path: "/api/uuid?count=x",
    status: 400,
    isRight: ({ error }) => typeof error === "string",
  },
  {
    name: "404",
    baseline: "404",
    path: "/nowhere",
    status: 404,
    isRight: ({ error }) => typeof error === "string",
  },
];

/** Sizes of large inputs, in KB of 1,000 bytes. */
const SIZES = [16, 64, 256, 700];

/** Operations on large inputs, which the chart leaves out. */
export const LARGE_OPERATIONS: readonly Operation[] = SIZES.flatMap((size) => [
  hash(`SHA-256 of ${size} KB`, size * 1_000),
  encode(`Base64 encode of ${size} KB`, size * 1_000),
  decode(`Base64 decode of ${size} KB`, size * 750),
  format(`JSON format of ${size} KB`, size * 750),
]);
