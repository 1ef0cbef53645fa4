/**
 * The commands, each with the fields and the answer of an endpoint. Their input may be
 * larger than a request body, and `base64` and `hash` accept bytes that are not text.
 *
 * @module
 */

import { Base64Error, decodeForgivingBase64, encodeBase64 } from "../base64.ts";
import { computeDigest } from "../digest.ts";
import { ExitError } from "../exit_error.ts";
import { formatValue } from "../format_value.ts";
import {
  findJsonError,
  formatJson,
  JsonSizeError,
  JsonTextError,
  minifyJson,
} from "../json/mod.ts";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
  rateStrength,
  removeLookAlikes,
} from "../password.ts";
import { readArguments, readChoice, readInteger } from "./arguments.ts";

/** Chunks of standard input. */
type Input = AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * The members of the endpoint's JSON object. The first one is the result; its value is
 * bytes instead of a text for `base64 decode` without `--json`.
 */
type Answer = Readonly<Record<string, unknown>>;

/** @throws {ExitError} with status 2 for a wrong argument, else 1 for a wrong input. */
type Command = (
  args: readonly string[],
  input: Input,
) => Answer | Promise<Answer>;

/** Largest input that is held in memory, and largest result of `json`, in bytes, inclusive: 250 MB. */
const MAX_BYTES = 250_000_000;

export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  Object.entries<Command>({ base64, hash, uuid, password, json }),
);

async function base64(args: readonly string[], input: Input): Promise<Answer> {
  const given = readArguments(args, 1, { options: ["variant"] });
  const { words, options: { variant: name = "standard" } } = given;
  const action = readChoice("ACTION", words[0], ["encode", "decode"]);
  const variant = readChoice("--variant", name, ["standard", "url"]);
  const bytes = await readAll(input);
  if (action === "encode") return { result: encodeBase64(bytes, variant) };
  try {
    // `ignoreBOM` means that a byte order mark is kept: it is no Base64.
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
    const result = decodeForgivingBase64(decoder.decode(bytes));
    const rule = "must encode UTF-8 text, got bytes that are not UTF-8 text";
    return { result: given.json ? decodeUtf8(result, rule) : result };
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    throw new ExitError(1, `standard input ${error.message}`);
  }
}

async function hash(args: readonly string[], input: Input): Promise<Answer> {
  const { words, options } = readArguments(args, 1, { options: ["check"] });
  const names = ["sha1", "sha256", "sha512"] as const;
  const algorithm = readChoice("ALGORITHM", words[0], names);
  const expected = options["check"]?.toLowerCase();
  if (expected !== undefined && !/^[\da-f]{40,128}$/.test(expected)) {
    const got = formatValue(expected);
    throw new ExitError(2, `--check must be a result, got ${got}`);
  }
  const result = await computeDigest(algorithm, input);
  if (expected === undefined || expected === result) {
    return { result, algorithm };
  }
  throw new ExitError(1, `the result is not the one of --check, but ${result}`);
}

function uuid(args: readonly string[]): Answer {
  const { options: { count } } = readArguments(args, 0, { options: ["count"] });
  if (count === undefined) return { uuid: crypto.randomUUID() };
  const length = readInteger("--count", count, { min: 1, max: 100 });
  return { uuids: Array.from({ length }, () => crypto.randomUUID()) };
}

function password(args: readonly string[]): Answer {
  const { options: { length: text = "16" }, switches } = readArguments(
    args,
    0,
    {
      options: ["length"],
      switches: [...Object.keys(CHARACTER_CLASSES), "ambiguous"],
    },
  );
  const length = readInteger("--length", text, { min: 1, max: 128 });
  const enabled = Object.entries(CHARACTER_CLASSES)
    .filter(([name]) => switches[name])
    .map(([_name, characters]) => characters);
  if (enabled.length === 0) {
    const message =
      "one of --uppercase, --lowercase, --numbers and --symbols must be true, got false for all";
    throw new ExitError(2, message);
  }
  const classes = switches["ambiguous"]
    ? enabled
    : enabled.map(removeLookAlikes);
  const bits = computeEntropy(classes.map(({ length }) => length), length);
  return {
    password: generatePassword(classes, length),
    strength: rateStrength(bits),
  };
}

async function json(args: readonly string[], input: Input): Promise<Answer> {
  const { words, options } = readArguments(args, 1, { options: ["indent"] });
  const names = ["format", "minify", "validate"] as const;
  const action = readChoice("ACTION", words[0], names);
  const { indent: width = "2" } = options;
  const indent = readChoice("--indent", width, [2, 4]);
  const text = decodeUtf8(await readAll(input), "must be UTF-8");
  if (action === "validate") {
    const error = findJsonError(text);
    return { result: error ?? "valid JSON", valid: error === undefined };
  }
  try {
    const result = action === "minify"
      ? minifyJson(text)
      : formatJson(text, { indent, maxBytes: MAX_BYTES });
    return { result, valid: true };
  } catch (error) {
    if (error instanceof JsonSizeError) throw new ExitError(1, error.message);
    if (!(error instanceof JsonTextError)) throw error;
    throw new ExitError(1, `standard input must be JSON: ${error.message}`);
  }
}

async function readAll(input: Input): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let byteLength = 0;
  for await (const chunk of input) {
    byteLength += chunk.byteLength;
    if (byteLength > MAX_BYTES) {
      const limit = `${MAX_BYTES} bytes`;
      throw new ExitError(1, `standard input must be at most ${limit}`);
    }
    chunks.push(chunk);
  }
  return await new Blob(chunks).bytes();
}

/** @throws {ExitError} with the rule for the input if the bytes are not UTF-8. */
function decodeUtf8(bytes: Uint8Array, rule: string): string {
  try {
    const options = { fatal: true, ignoreBOM: true };
    return new TextDecoder("utf-8", options).decode(bytes);
  } catch {
    throw new ExitError(1, `standard input ${rule}`);
  }
}
