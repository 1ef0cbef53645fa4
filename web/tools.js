/// <reference path="./types.d.ts" />

/**
 * Descriptions of the five tools. The fields of a tool determine its form, its
 * options in the address and the calls of its operation. `calls()` tells how
 * often the operation is called, and `read()` reads the outcome from the
 * results.
 * @module
 */

/**
 * A JSON Web Token, perhaps after `Authorization:` and `Bearer`. The groups are
 * the header and the payload of the token. The expression takes linear time: it
 * is anchored, and no repeated part matches the character after it.
 */
const TOKEN = new RegExp(
  String.raw`^\s*(?:authorization:\s*)?(?:bearer\s+)?` +
    String.raw`(eyJ[\w-]{8,})\.([\w-]{2,})(?:\.[\w-]*)?\s*$`,
  "i",
);

/**
 * Returns header and payload of a JSON Web Token, still in Base64. Returns
 * undefined for other texts.
 * @param {string} text
 */
export function splitToken(text) {
  return TOKEN.exec(text)?.slice(1);
}

const SAME_JSON =
  "Only white space changes: numbers, escapes and order stay as they are.";

const EXAMPLE = '{"name":"widget","price":12.50,"id":12345678901234567890,\n' +
  '"tags":["new","sale"],"sold out":false,"notes":null}';

/** @type {Readonly<Record<string, Tool>>} */
export const TOOLS = {
  base64: {
    title: "Base64",
    view: "text",
    fileName: ({ action }) =>
      action === "decode" ? "decoded.txt" : "encoded.txt",
    empty: {
      encode: {
        about: "Base64 appears here as you type.",
        example: "Hello, wörld! 👋",
      },
      decode: {
        about: "The decoded text appears here as you type.",
        example: "SGVsbG8sIHfDtnJsZCEg8J+Riw==",
      },
    },
    fields: {
      action: {
        label: "Action",
        value: "encode",
        choices: { encode: "Encode", decode: "Decode" },
      },
      variant: {
        label: "Alphabet",
        value: "standard",
        choices: { standard: "Standard", url: "URL-safe" },
        action: "encode",
      },
    },
    takesFiles: ({ action }) => action === "encode",
    calls({ input = "", action }) {
      const parts = action === "decode" ? splitToken(input) : undefined;
      return parts?.map((input) => ({ input })) ?? [{}];
    },
    sample(values) {
      return this.calls?.(values).at(-1) ?? {};
    },
    read(results) {
      const [{ result: content } = {}] = results;
      if (content instanceof Uint8Array) return { bytes: content };
      const parts = results.map(({ result }) => String(result));
      const result = parts.join("\n");
      if (parts.length > 1) return { result, parts };
      return result ? { result } : { result, note: "This decodes to nothing." };
    },
  },
  hash: {
    title: "Hash",
    view: "digests",
    about: "Digests of the UTF-8 text or of a file.",
    fileName: () => "digest.txt",
    fields: {
      algorithm: {
        label: "Algorithm",
        value: "sha256",
        choices: { sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" },
      },
    },
    takesFiles: () => true,
    calls() {
      const { choices = {} } = this.fields.algorithm ?? {};
      return Object.keys(choices).map((algorithm) => ({ algorithm }));
    },
    read(results, { algorithm = "" }) {
      const digests = Object.fromEntries(
        results.map(({ algorithm, result }) => [algorithm, String(result)]),
      );
      const result = digests[algorithm] ?? "";
      const spoken = `SHA-${algorithm.slice(3)}: ${result}`;
      return { result, digests, spoken };
    },
  },
  uuid: {
    title: "UUID",
    view: "lines",
    noun: "UUID",
    about: "Version 4: 122 random bits.",
    fileName: ({ count }) => count === "1" ? "uuid.txt" : "uuids.txt",
    fields: { count: { label: "How many", value: "1", range: [1, 100] } },
    read([{ uuids = [] } = {}]) {
      const result = uuids.join("\n");
      const spoken = uuids.length === 1 ? result : `${uuids.length} UUIDs`;
      return { result, spoken };
    },
  },
  password: {
    title: "Password",
    view: "lines",
    noun: "password",
    about: "Rated by the number of possible passwords.",
    fileName: () => "password.txt",
    fields: {
      length: {
        label: "Length",
        value: "16",
        range: [1, 128],
        hasSlider: true,
      },
      count: { label: "How many", value: "1", range: [1, 100] },
      uppercase: { label: "A–Z", value: "true" },
      lowercase: { label: "a–z", value: "true" },
      numbers: { label: "0–9", value: "true" },
      symbols: { label: "Symbols", value: "true" },
      ambiguous: { label: "Allow look-alikes (0O1Il5S)", value: "true" },
    },
    isValid: ({ uppercase, lowercase, numbers, symbols }) =>
      [uppercase, lowercase, numbers, symbols].includes("true"),
    read([{ passwords = [], strength = "" } = {}]) {
      const result = passwords.join("\n");
      const words = passwords.length > 1
        ? `${passwords.length} passwords`
        : result;
      return { result, strength, spoken: `${words} (${strength})` };
    },
  },
  json: {
    title: "JSON",
    view: "text",
    fileName: ({ action }) =>
      action === "minify" ? "minified.json" : "formatted.json",
    empty: {
      format: { about: SAME_JSON, example: EXAMPLE },
      minify: { about: SAME_JSON, example: EXAMPLE },
      validate: {
        about: "Whether the text is valid JSON, and where it is not.",
        example: EXAMPLE,
      },
    },
    fields: {
      action: {
        label: "Action",
        value: "format",
        choices: { format: "Format", minify: "Minify", validate: "Validate" },
      },
      indent: {
        label: "Indent",
        value: "2",
        choices: { 2: "2 spaces", 4: "4 spaces" },
        action: "format",
      },
    },
    read([{ result = "", valid } = {}], { action }) {
      if (action !== "validate") return { result: String(result) };
      if (valid === true) {
        const note = "This is valid JSON.";
        return { result: "", note, spoken: note };
      }
      return {
        result: "",
        note: "This is not valid JSON.",
        wrong: `Not valid JSON: ${result}`,
        isInvalidJson: true,
      };
    },
  },
};
