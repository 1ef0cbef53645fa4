/**
 * Inputs of the operations with their results or errors, the same in every interface: over
 * HTTP, as tools, as commands, and in the page.
 */

import { UUID } from "./_examples.ts";
import {
  INVALID,
  VALID,
  VALID_BY_DECISION,
  VALID_SPACED,
} from "./json/_documents.ts";

/**
 * The fields of a body, or a query, and the result or error. For random results, a pattern of
 * their JSON.
 */
export type Case = readonly [
  operation: string,
  sent: Readonly<Record<string, unknown>> | string,
  expected: object | RegExp,
];

/** Creates a case from each change to valid fields, and its error. */
function reject(
  operation: string,
  valid: object,
  changes: readonly (readonly [change: object, error: string])[],
): Case[] {
  return changes.map(([change, error]) => {
    return [operation, { ...valid, ...change }, { error }];
  });
}

const BASE64_VECTORS = [
  // RFC 4648, section 10.
  ["", ""],
  ["f", "Zg=="],
  ["foo", "Zm9v"],
  // UTF-8.
  ["😀", "8J+YgA=="],
  ["\uFEFF\uFFFD", "77u/77+9"],
  ["\0", "AA=="],
] as const;

/** Base64 in notations that the encoder does not produce. */
const BASE64_NOTATIONS = [
  // No padding.
  ["Zm9vYg", "foob"],
  // Whitespace, including inside the padding or without anything else.
  ["Zm9v\r\nYmFy\n", "foobar"],
  [" \tZ\nm\f9\rv ", "foo"],
  ["Zg= =\n", "f"],
  [" \n", ""],
  // Trailing bits that are not zero.
  ["Zh==", "f"],
  // The URL-safe alphabet, including with padding.
  ["Pz8_Pz8_", "??????"],
  ["8J-YgA==", "😀"],
] as const;

const FOREIGN = "must be Base64, got";
const PADDING =
  'must have correct padding or none, got an unexpected "=" at offset';
const MIXED = "must not mix the standard and the URL-safe alphabet, got";
const SHORT = "must be complete Base64, got";
const PEM =
  'must be Base64, got PEM: send only the lines between "-----BEGIN" and "-----END"';
const NOT_UTF8 =
  "must decode to UTF-8 text, got bytes that are not valid UTF-8";
const SURROGATE = '"input" must be well-formed Unicode, got the lone surrogate';
const TEXT = '"input" must be a string, got';

const BASE64_ERRORS = [
  ["Zm9v!mFy", `${FOREIGN} "!" at offset 4`],
  // The offset includes whitespace.
  ["Zm\n9v é", `${FOREIGN} "é" at offset 6`],
  ["Zm9v😀", `${FOREIGN} "😀" at offset 4`],
  ["Zm\v9v", `${FOREIGN} U+000B at offset 2`],
  ["\ufeffZg==", `${FOREIGN} U+FEFF at offset 0`],
  ["Zg=\n=\n!", `${FOREIGN} "!" at offset 6`],
  ["Zg==Zg==!", `${PADDING} 2`],
  ["Zg=", `${PADDING} 2`],
  ["Zm9v=", `${PADDING} 4`],
  ["=", `${PADDING} 0`],
  ["ab+_", `${MIXED} "_" after "+" at offset 3`],
  ["\n -----BEGIN RSA PRIVATE KEY-----\r\nMII+/w==\r\n", PEM],
  // All are digits of the URL-safe alphabet.
  ["-----BEGI", `${SHORT} 9 characters (a length that Base64 cannot have)`],
  ["-----BEGIN-----", NOT_UTF8],
  ["Z", `${SHORT} 1 character (a length that Base64 cannot have)`],
  // The byte 0xff, an encoded surrogate, and a truncated character.
  ["/w==", NOT_UTF8],
  ["7aCA", NOT_UTF8],
  ["8J+Y", NOT_UTF8],
] as const;

const ENCODED = [
  [null, "??>>~~", "Pz8+Pn5+"],
  ["standard", "??>>~~", "Pz8+Pn5+"],
  ["url", "??>>~~", "Pz8-Pn5-"],
  ["url", "f", "Zg"],
] as const;

const ACTION = '"action" must be "encode" or "decode", got';
const VARIANT = '"variant" must be "standard" or "url", got';

const BASE64: readonly Case[] = [
  ...BASE64_VECTORS.flatMap(([text, encoded]): Case[] => [
    ["base64", { action: "encode", input: text }, { result: encoded }],
    ["base64", { action: "decode", input: encoded }, { result: text }],
  ]),
  ...BASE64_NOTATIONS.map(([input, result]): Case => {
    return ["base64", { action: "decode", input }, { result }];
  }),
  ...ENCODED.map(([variant, input, result]): Case => {
    return ["base64", { action: "encode", input, variant }, { result }];
  }),
  ...reject(
    "base64",
    { action: "decode" },
    BASE64_ERRORS.map(([input, error]) => [{ input }, `"input" ${error}`]),
  ),
  ...reject("base64", { action: "encode", input: "" }, [
    [{ input: "😀\ud83d" }, `${SURROGATE} U+D83D at offset 2`],
    [{ input: "\ud83d😀\ud800" }, `${SURROGATE} U+D83D at offset 0`],
    [{ action: undefined }, `${ACTION} nothing`],
    [{ action: "Encode" }, `${ACTION} "Encode"`],
    [{ action: null }, `${ACTION} null`],
    [{ input: undefined }, `${TEXT} nothing`],
    [{ input: null }, `${TEXT} null`],
    [{ action: "decode", input: 5 }, `${TEXT} 5`],
    [{ variant: "URL" }, `${VARIANT} "URL"`],
    [{ action: "decode", variant: 1 }, `${VARIANT} 1`],
  ]),
];

/** The digests of "abc" that NIST publishes as examples (FIPS 180-4), and of nothing. */
const DIGESTS = [
  ["sha1", "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"],
  [
    "sha256",
    "abc",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  ],
  [
    "sha512",
    "abc",
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
  ],
  ["sha1", "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"],
  [
    "sha256",
    "",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ],
] as const;

const ALGORITHM = '"algorithm" must be "sha1", "sha256" or "sha512", got';

const HASH: readonly Case[] = [
  ...DIGESTS.map(([algorithm, input, result]): Case => {
    return ["hash", { algorithm, input }, { result, algorithm }];
  }),
  ...reject("hash", { algorithm: "sha1", input: "" }, [
    [{ algorithm: undefined }, `${ALGORITHM} nothing`],
    [{ algorithm: null }, `${ALGORITHM} null`],
    [{ algorithm: "SHA256" }, `${ALGORITHM} "SHA256"`],
    [{ algorithm: "constructor" }, `${ALGORITHM} "constructor"`],
    [{ input: undefined }, `${TEXT} nothing`],
    [{ input: false }, `${TEXT} false`],
    [{ input: "\udfff" }, `${SURROGATE} U+DFFF at offset 0`],
  ]),
];

const COUNT = '"count" must be an integer from 1 to 100, got';

/** Invalid values of `count`, as they are sent and as the error shows them. */
const INVALID_COUNTS = [
  ...["", "0", "101", "01", "-5", "12abc", "5.0", "1e1"].map((text) =>
    [text, `"${text}"`] as const
  ),
  ["+5", '" 5"'],
  ["5%0A", '"5\\n"'],
  // An Arabic digit, and bytes that are not UTF-8.
  ["%D9%A5", '"٥"'],
  ["5%FF", '"5\ufffd"'],
  ["9".repeat(400), `"${"9".repeat(39)}…"`],
] as const;

const UUIDS: readonly Case[] = [
  ["uuid", "", RegExp(`^{"uuid":"${UUID}"}$`)],
  ...[1, 2, 100].map((count): Case => {
    return [
      "uuid",
      `count=${count}`,
      RegExp(`^{"uuids":\\[(?:"${UUID}",?){${count}}\\]}$`),
    ];
  }),
  ...INVALID_COUNTS.map(([text, got]): Case => {
    return ["uuid", `count=${text}`, { error: `${COUNT} ${got}` }];
  }),
  ["uuid", "count", { error: `${COUNT} ""` }],
  ["uuid", "count=1&count=1", {
    error: '"count" must appear at most once, got 2 values',
  }],
];

const DIGITS = "uppercase=false&lowercase=false&symbols=false";

const EACH_CLASS = ["[A-Z]", "[a-z]", "[0-9]", '[^"A-Za-z0-9]']
  .map((characters) => `(?=[^"]*${characters})`).join("");

/** Queries for passwords, and patterns of the passwords. */
const PASSWORD_CHARACTERS = [
  ["", `${EACH_CLASS}[^\\s"'\`\\\\]{16}`],
  // Hardly any string of four random characters has one of each class.
  ["length=4", `${EACH_CLASS}[^\\s"'\`\\\\]{4}`],
  ["length=1", "[^\\s\"'`\\\\]"],
  ["length=128", "[^\\s\"'`\\\\]{128}"],
  ...["false", "0", "no", "oFF"].map((off) =>
    [`uppercase=${off}&lowercase=${off}&symbols=${off}`, "[0-9]{16}"] as const
  ),
  ...["true", "1", "yes", "oN"].map((on) =>
    [`numbers=${on}&${DIGITS}`, "[0-9]{16}"] as const
  ),
  [`ambiguous=false&${DIGITS}&length=128`, "[2-46-9]{128}"],
] as const;

const LETTERS = "lowercase=false&numbers=false&symbols=false";

/** Queries for passwords, and their strength. A letter has 4.70 bits, one of 22 letters 4.46. */
const STRENGTHS = [
  [`${LETTERS}&length=5`, "very-weak"], //              23.5 bits
  [`${LETTERS}&length=6`, "weak"], //                   28.2
  [`${LETTERS}&length=16`, "strong"], //                75.2
  [`${LETTERS}&length=16&ambiguous=false`, "fair"], //  71.4
  [`${LETTERS}&length=22`, "very-strong"], //          103.4
] as const;

const LENGTH = '"length" must be an integer from 1 to 128, got';
const NO_CLASS =
  'at least one of "uppercase", "lowercase", "numbers" or "symbols" must be true, got false for all';

const PASSWORDS: readonly Case[] = [
  ...PASSWORD_CHARACTERS.map(([query, pattern]): Case => {
    return [
      "password",
      query,
      RegExp(`^{"password":"${pattern}","strength":"[a-z-]+"}$`),
    ];
  }),
  ...STRENGTHS.map(([query, strength]): Case => {
    return ["password", query, RegExp(`","strength":"${strength}"}$`)];
  }),
  ...[1, 3, 100].map((count): Case => {
    const list = `(?:"[0-9]{12}",?){${count}}`;
    return [
      "password",
      `${DIGITS}&length=12&count=${count}`,
      RegExp(`^{"passwords":\\[${list}\\],"strength":"weak"}$`),
    ];
  }),
  ["password", "count=101", { error: `${COUNT} "101"` }],
  ...["0", "129", ""].map((text): Case => {
    return ["password", `length=${text}`, { error: `${LENGTH} "${text}"` }];
  }),
  ...["", "y", "constructor", " true"].map((text): Case => {
    return ["password", `symbols=${text}`, {
      error: `"symbols" must be true or false, got "${text}"`,
    }];
  }),
  ["password", "symbols=true&symbols=true", {
    error: '"symbols" must appear at most once, got 2 values',
  }],
  ["password", `${DIGITS}&numbers=false`, { error: NO_CLASS }],
];

const COMPACT = '{"a":[1.0,{}],"b":null}';
const FORMATTED = '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": null\n}';
const BRACKETS = "[".repeat(20_000) + "]".repeat(20_000);
const JSON_ACTION = '"action" must be "format", "minify" or "validate", got';
const INDENT = '"indent" must be 2 or 4, got';
const NO_NAME =
  `"input" must be JSON: expected a name in double quotes, got "'" at line 1, column 2`;

function createJson(
  action: string,
  input: string,
  result: string,
  indent?: number,
): Case {
  return ["json", { action, input, indent }, { result, valid: true }];
}

const JSON_TEXTS: readonly Case[] = [
  createJson("format", COMPACT, FORMATTED),
  createJson("format", COMPACT, FORMATTED, 2),
  createJson("format", COMPACT, FORMATTED.replaceAll("  ", "    "), 4),
  createJson("minify", BRACKETS.replace("[]", "[ ]"), BRACKETS),
  ...[...VALID, ...VALID_BY_DECISION].map((input) =>
    createJson("minify", input, input)
  ),
  ...VALID_SPACED.flatMap((input) => [
    createJson("minify", input, JSON.stringify(JSON.parse(input))),
    createJson("format", input, JSON.stringify(JSON.parse(input), null, 4), 4),
    createJson("validate", input, "valid JSON"),
  ]),
  ...INVALID.flatMap(([input, line, column]): Case[] => {
    const error = `expected .+ at line ${line}, column ${column}`;
    return [
      [
        "json",
        { action: "minify", input },
        RegExp(`^{"error":"\\\\"input\\\\" must be JSON: ${error}"}$`),
      ],
      [
        "json",
        { action: "validate", input },
        RegExp(`^{"result":"${error}","valid":false}$`),
      ],
    ];
  }),
  ...reject("json", { action: "format", input: "1" }, [
    [{ input: "{'a': 1}" }, NO_NAME],
    [{ action: undefined }, `${JSON_ACTION} nothing`],
    [{ input: { a: 1 } }, `${TEXT} an object`],
    [{ indent: 3 }, `${INDENT} 3`],
    [{ indent: "2" }, `${INDENT} "2"`],
    [{ action: "validate", indent: 2.5 }, `${INDENT} 2.5`],
  ]),
];

/** All cases. */
export const CASES: readonly Case[] = [
  ...BASE64,
  ...HASH,
  ...UUIDS,
  ...PASSWORDS,
  ...JSON_TEXTS,
];
