/**
 * Inputs of the operations with their answers or errors. They hold for every form in
 * which the operations are offered: over HTTP, as tools, as commands, as a library.
 *
 * @module
 */

import {
  INVALID,
  VALID,
  VALID_BY_DECISION,
  VALID_SPACED,
} from "./json/_texts.ts";

/** The fields of a body, or a query, and the answer or error; a pattern of its JSON text if it is random. */
export type Case = readonly [
  operation: string,
  sent: Readonly<Record<string, unknown>> | string,
  answer: object | RegExp,
];

const BASE64_VECTORS = [
  // RFC 4648, section 10.
  ["", ""],
  ["f", "Zg=="],
  ["fo", "Zm8="],
  ["foo", "Zm9v"],
  ["foob", "Zm9vYg=="],
  ["fooba", "Zm9vYmE="],
  ["foobar", "Zm9vYmFy"],
  // UTF-8.
  ["é", "w6k="],
  ["€", "4oKs"],
  ["😀", "8J+YgA=="],
  ["\uFEFFa", "77u/YQ=="],
  ["\uFEFF\uFFFD", "77u/77+9"],
  ["\0", "AA=="],
] as const;

/** Base64 texts in other notations than that of the encoder. */
const BASE64_NOTATIONS = [
  // No padding.
  ["Zm9vYg", "foob"],
  // White space, also inside the padding, and nothing else.
  ["Zm9v\r\nYmFy\n", "foobar"],
  [" \tZ\nm\f9\rv ", "foo"],
  ["Zg= =\n", "f"],
  [" \n", ""],
  // Trailing bits that are not zero.
  ["Zh==", "f"],
  ["Zm9", "fo"],
  // The URL-safe alphabet, also with padding.
  ["Pz8-Pn5-", "??>>~~"],
  ["Pz8_Pz8_", "??????"],
  ["8J-YgA==", "😀"],
] as const;

const FOREIGN = "must be Base64 text, got";
const PADDING =
  'must end in the padding that its length needs or in none, got "=" at offset';
const MIXED = "must not mix the standard and the URL-safe alphabet, got";
const SHORT = "must be whole Base64 text, got";
const NOT_UTF8 = "must encode UTF-8 text, got bytes that are not UTF-8 text";

const BASE64_ERRORS = [
  ["Zm9v!mFy", `${FOREIGN} "!" at offset 4`],
  // White space counts in the offset.
  ["Zm\n9v é", `${FOREIGN} "é" at offset 6`],
  ["Zm9v😀", `${FOREIGN} "😀" at offset 4`],
  ["_m9v😀", `${FOREIGN} "😀" at offset 4`],
  ["Zm9v\ud800", `${FOREIGN} U+D800 at offset 4`],
  ["Zm\v9v", `${FOREIGN} U+000B at offset 2`],
  ["\ufeffZg==", `${FOREIGN} U+FEFF at offset 0`],
  ["Zg=", `${PADDING} 2`],
  ["Zg===", `${PADDING} 2`],
  ["Zm9v=", `${PADDING} 4`],
  ["Zg==Zg==", `${PADDING} 2`],
  ["=", `${PADDING} 0`],
  ["====", `${PADDING} 0`],
  ["ab+_", `${MIXED} "_" at offset 3 after "+"`],
  ["-b/_", `${MIXED} "/" at offset 2 after "-"`],
  ["Z", `${SHORT} 1 character, which encodes no byte`],
  ["Zm9vY", `${SHORT} 5 characters, the last of which encodes no byte`],
  // 0xff, a continuation byte, an overlong form, an encoded surrogate, a character
  // cut short, and one above U+10FFFF.
  ["/w==", NOT_UTF8],
  ["gA==", NOT_UTF8],
  ["wIA=", NOT_UTF8],
  ["7aCA", NOT_UTF8],
  ["8J+Y", NOT_UTF8],
  ["9JCAgA==", NOT_UTF8],
] as const;

/** Texts that have no UTF-8 form. */
const SURROGATES = [
  ["a\udc00", "U+DC00 at offset 1"],
  ["😀\ud83d", "U+D83D at offset 2"],
  ["\ud83d😀\ud800", "U+D83D at offset 0"],
] as const;

const BASE64: readonly Case[] = [
  ...BASE64_VECTORS.flatMap(([text, encoded]): Case[] => [
    ["base64", { action: "encode", input: text }, { result: encoded }],
    ["base64", { action: "decode", input: encoded }, { result: text }],
  ]),
  ...BASE64_NOTATIONS.map((
    [input, result],
  ): Case => ["base64", { action: "decode", input }, { result }]),
  ...([["standard", "??>>~~", "Pz8+Pn5+"], ["url", "??>>~~", "Pz8-Pn5-"], [
    "url",
    "f",
    "Zg",
  ]] as const)
    .map((
      [variant, input, result],
    ): Case => ["base64", { action: "encode", input, variant }, { result }]),
  ...BASE64_ERRORS.map((
    [input, error],
  ): Case => ["base64", { action: "decode", input }, {
    error: `"input" ${error}`,
  }]),
  ...SURROGATES.map((
    [input, got],
  ): Case => ["base64", { action: "encode", input }, {
    error:
      `"input" must be text that UTF-8 can encode, got the lone surrogate ${got}`,
  }]),
  ...refuse("base64", { action: "encode", input: "" }, [
    [
      { action: undefined },
      '"action" must be "encode" or "decode", got nothing',
    ],
    [
      { action: "Encode" },
      '"action" must be "encode" or "decode", got "Encode"',
    ],
    [
      { action: ["encode"] },
      '"action" must be "encode" or "decode", got an array',
    ],
    [{ input: undefined }, '"input" must be a string, got nothing'],
    [{ action: "decode", input: 5 }, '"input" must be a string, got 5'],
    [{ variant: "URL" }, '"variant" must be "standard" or "url", got "URL"'],
    [
      { action: "decode", variant: 1 },
      '"variant" must be "standard" or "url", got 1',
    ],
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
  ...DIGESTS.map((
    [algorithm, input, result],
  ): Case => ["hash", { algorithm, input }, { result, algorithm }]),
  ...refuse("hash", { algorithm: "sha1", input: "" }, [
    [{ algorithm: undefined }, `${ALGORITHM} nothing`],
    [{ algorithm: "SHA256" }, `${ALGORITHM} "SHA256"`],
    [{ algorithm: "MD5" }, `${ALGORITHM} "MD5"`],
    [{ algorithm: "constructor" }, `${ALGORITHM} "constructor"`],
    [{ input: undefined }, '"input" must be a string, got nothing'],
    [{ input: false }, '"input" must be a string, got false'],
    [
      { input: "\udfff" },
      '"input" must be text that UTF-8 can encode, got the lone surrogate U+DFFF at offset 0',
    ],
  ]),
];

/** Version 4, variant 0b10 (RFC 9562, section 5.4). */
const UUID =
  '"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"';
const COUNT = '"count" must be an integer from 1 to 100, got';

const UUIDS: readonly Case[] = [
  ["uuid", "", RegExp(`^{"uuid":${UUID}}$`)],
  ...[1, 2, 50, 99, 100].map((
    count,
  ): Case => [
    "uuid",
    `count=${count}`,
    RegExp(`^{"uuids":\\[(?:${UUID},?){${count}}\\]}$`),
  ]),
  ["uuid", "count", { error: `${COUNT} ""` }],
  ["uuid", "count=1&count=1", {
    error: '"count" must be given at most once, got it 2 times',
  }],
  ...[
    "",
    "0",
    "101",
    "00",
    "01",
    "0100",
    "-5",
    "5x",
    "12abc",
    "5.0",
    "1e1",
    "0x5",
    "9".repeat(39),
  ]
    .map((
      text,
    ): Case => ["uuid", `count=${text}`, { error: `${COUNT} "${text}"` }]),
  ["uuid", "count=+5", { error: `${COUNT} " 5"` }],
  ["uuid", "count=5%0A", { error: `${COUNT} "5\\n"` }],
  // An Arabic digit, and bytes that are not UTF-8.
  ["uuid", "count=%D9%A5", { error: `${COUNT} "٥"` }],
  ["uuid", "count=5%FF", { error: `${COUNT} "5\ufffd"` }],
  ["uuid", `count=${"9".repeat(400)}`, {
    error: `${COUNT} "${"9".repeat(39)}…"`,
  }],
];

/** Queries of passwords, and the pattern of these. */
const PASSWORD_CHARACTERS = [
  [
    "",
    "(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[!-/:-@[-_{-~])[^\\s\"'`\\\\]{16}",
  ],
  ["length=1", "[^\\s\"'`\\\\]"],
  ["length=128", "[^\\s\"'`\\\\]{128}"],
  ...["false", "0", "no", "off", "FALSE", "No", "oFF"].map((off) =>
    [`uppercase=${off}&lowercase=${off}&symbols=${off}`, "[0-9]{16}"] as const
  ),
  ...["true", "1", "yes", "on", "TRUE", "Yes", "oN"].map((on) =>
    [
      `numbers=${on}&uppercase=false&lowercase=false&symbols=false`,
      "[0-9]{16}",
    ] as const
  ),
  [
    "ambiguous=false&uppercase=false&lowercase=false&symbols=false&length=128",
    "[2-46-9]{128}",
  ],
] as const;

const LETTERS = "lowercase=false&numbers=false&symbols=false";

/** Queries of passwords, and the strength of these. A letter has 4.70 bits, a digit 3.32, one of 22 letters 4.46. */
const STRENGTHS = [
  [`${LETTERS}&length=5`, "very-weak"], //                               23.5 bits
  [`${LETTERS}&length=6`, "weak"], //                                    28.2
  [`${LETTERS}&length=9`, "fair"], //                                    42.3
  [`${LETTERS}&length=15`, "fair"], //                                   70.5
  [`${LETTERS}&length=16`, "strong"], //                                 75.2
  [`${LETTERS}&length=16&ambiguous=false`, "fair"], //                   71.4
  [`${LETTERS}&length=22`, "very-strong"], //                           103.4
  ["uppercase=false&lowercase=false&symbols=false&length=12", "weak"], // 39.9
] as const;

const LENGTH = '"length" must be an integer from 1 to 128, got';
const SYMBOLS = '"symbols" must be "true" or "false", got';

const PASSWORDS: readonly Case[] = [
  ...PASSWORD_CHARACTERS.map((
    [query, pattern],
  ): Case => [
    "password",
    query,
    RegExp(`^{"password":"${pattern}","strength":"[a-z-]+"}$`),
  ]),
  ...STRENGTHS.map((
    [query, strength],
  ): Case => ["password", query, RegExp(`","strength":"${strength}"}$`)]),
  ["password", "length=0", { error: `${LENGTH} "0"` }],
  ["password", "length=129", { error: `${LENGTH} "129"` }],
  ["password", "length=", { error: `${LENGTH} ""` }],
  ...["", "y", "2", "constructor", " true"].map((
    text,
  ): Case => ["password", `symbols=${text}`, {
    error: `${SYMBOLS} "${text}"`,
  }]),
  ["password", "symbols=true&symbols=true", {
    error: '"symbols" must be given at most once, got it 2 times',
  }],
  [
    "password",
    "uppercase=false&lowercase=false&numbers=false&symbols=false",
    {
      error:
        'one of "uppercase", "lowercase", "numbers" and "symbols" must be true, got false for all',
    },
  ],
];

const FORMATTED = '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": null\n}';
const JSON_ACTION = '"action" must be "format", "minify" or "validate", got';
const INDENT = '"indent" must be 2 or 4, got';
const BRACKETS = "[".repeat(20_000) + "]".repeat(20_000);

const JSON_TEXTS: readonly Case[] = [
  ...([[undefined, FORMATTED], [2, FORMATTED], [
    4,
    FORMATTED.replaceAll("  ", "    "),
  ]] as const)
    .map((
      [indent, result],
    ): Case => ["json", {
      action: "format",
      input: '{"a":[1.0,{}],"b":null}',
      indent,
    }, { result, valid: true }]),
  ...[...VALID, ...VALID_BY_DECISION].map((
    input,
  ): Case => ["json", { action: "minify", input }, {
    result: input,
    valid: true,
  }]),
  ...VALID_SPACED.flatMap((input): Case[] => {
    const value = JSON.parse(input);
    return [
      ["json", { action: "minify", input }, {
        result: JSON.stringify(value),
        valid: true,
      }],
      ["json", { action: "format", input, indent: 4 }, {
        result: JSON.stringify(value, null, 4),
        valid: true,
      }],
      ["json", { action: "validate", input }, {
        result: "valid JSON",
        valid: true,
      }],
    ];
  }),
  ["json", { action: "minify", input: BRACKETS.replace("[]", "[ ]") }, {
    result: BRACKETS,
    valid: true,
  }],
  ...INVALID.flatMap(([input, line, column]): Case[] => {
    const position = `at line ${line}, column ${column}`;
    return [
      [
        "json",
        { action: "minify", input },
        RegExp(
          `^{"error":"\\\\"input\\\\" must be JSON: expected .+ ${position}"}$`,
        ),
      ],
      [
        "json",
        { action: "validate", input },
        RegExp(`^{"result":"expected .+ ${position}","valid":false}$`),
      ],
    ];
  }),
  ...refuse("json", { action: "format", input: "1" }, [
    [
      { input: "{'a': 1}" },
      `"input" must be JSON: expected a name in double quotes, got "'" at line 1, column 2`,
    ],
    [{ action: undefined }, `${JSON_ACTION} nothing`],
    [{ input: undefined }, '"input" must be a string, got nothing'],
    [{ input: { a: 1 } }, '"input" must be a string, got an object'],
    [{ indent: 3 }, `${INDENT} 3`],
    [{ indent: "2" }, `${INDENT} "2"`],
    [{ action: "minify", indent: 8 }, `${INDENT} 8`],
    [{ action: "validate", indent: 2.5 }, `${INDENT} 2.5`],
  ]),
];

/** Makes a case of each change of valid fields, and its error. */
function refuse(
  operation: string,
  valid: object,
  changes: readonly (readonly [change: object, error: string])[],
): Case[] {
  return changes.map((
    [change, error],
  ) => [operation, { ...valid, ...change }, { error }]);
}

/** All cases. */
export const CASES: readonly Case[] = [
  ...BASE64,
  ...HASH,
  ...UUIDS,
  ...PASSWORDS,
  ...JSON_TEXTS,
];
