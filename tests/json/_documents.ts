/** Valid and invalid JSON documents, by RFC 8259. */

/** Valid documents without whitespace between tokens. `JSON.parse()` reads them without loss. */
export const VALID = [
  // Literals and numbers (sections 3 and 6).
  ..."null false 0 -0 1 0.5 1.50 3.14159 1e1 1e+1 1e01 123e45".split(" "),
  // Strings (section 7).
  '""',
  '"😀"',
  '"\u2028\u2029"',
  '"\ufeff"',
  '"\u{10ffff}"',
  '"\\""',
  '"\\\\"',
  '"\\/"',
  '"\\b\\f\\n\\r\\t"',
  '"\\u0000"',
  '"\\u00e9"',
  '"\\uABCD\\uabcd"',
  '"\\ud83d\\ude00"',
  '"\\\\u0041"',
  '"\\\\\\""',
  '"{}[]:,"',
  `"${"x".repeat(40)}"`,
  `"${"x".repeat(40)}\\"${"x".repeat(40)}\\\\"`,
  `"${"é😀".repeat(40)}\\n"`,
  // Arrays (section 5).
  ...'[] [[]] [0,"a",null,true,[],{}] [[1],[2,[3,[4]]]]'.split(" "),
  // Objects (section 4).
  ...'{} {"":0} {"a":[{"b":[]}]} {"\\u0061":1} {":":":"} {"constructor":1}'
    .split(" "),
  '{"a":"x","b":[1,2],"c":{"d":-0.5e-5}}',
];

/** Valid documents with whitespace between their tokens (section 2). */
export const VALID_SPACED = [
  " null",
  "\r1\r",
  " \t\n\r0",
  "[\r\n]",
  " [ 1 , 2 ] ",
  "[\n1\n,\n2\n]",
  "{ }",
  '{ "a" : 1 }',
  '{\n"a"\n:\n1\n}',
  '[\n  1,\n  {\n    "a": []\n  }\n]',
  '\t{\t"a"\t:\t[\t]\t}\t',
  '{" a ":" : "}',
];

/** Valid documents whose handling RFC 8259 leaves open: all are copied unchanged. */
export const VALID_BY_DECISION = [
  // Section 6: numbers beyond the range or precision of a double.
  "1e400",
  "1E+999999999999",
  "12345678901234567890",
  "0.1000000000000000055511151231257827",
  "1" + "0".repeat(500),
  // Section 8.2: lone surrogates, escaped.
  '"\\ud800"',
  '"\\ud800\\ud800"',
  '"a\\udfff"',
  // Characters of one to four bytes in UTF-8.
  '"\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}x"',
  '{"\\ud800":1}',
  // Section 4: duplicate names, and names that are special in some languages.
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"__proto__":{"a":1}}',
  // Section 9: depth.
  "[".repeat(6_000) + "]".repeat(6_000),
  '{"a":'.repeat(6_000) + "1" + "}".repeat(6_000),
];

/** Invalid documents, each with the line and column of its first invalid character. */
export const INVALID:
  readonly (readonly [text: string, line: number, column: number])[] = [
    // Empty documents, and whitespace that JSON doesn't allow.
    ["", 1, 1],
    ["\r\n", 2, 1],
    ["\n\n ", 3, 2],
    [" \t\r\n", 2, 1],
    ["\u00a01", 1, 1],
    ["\0", 1, 1],
    ["[\f]", 1, 2],
    // A byte order mark (section 8.1).
    ["\ufeff1", 1, 1],
    ["{}\ufeff", 1, 3],
    // Long strings.
    [`"${"x".repeat(40)}`, 1, 42],
    [`"${"x".repeat(40)}\n"`, 1, 42],
    [`"${"x".repeat(40)}\0${"x".repeat(40)}"`, 1, 42],
    [`"${"x".repeat(40)}\\x"`, 1, 43],
    [`["${"x".repeat(40)}\\"]`, 1, 46],
    [`{"${"x".repeat(40)}"}`, 1, 44],
    // Literals.
    ["n", 1, 2],
    ["nulll", 1, 5],
    ["NaN", 1, 1],
    ["é", 1, 1],
    ["😀", 1, 1],
    ['{"a":fals}', 1, 10],
    // Numbers.
    ["-", 1, 2],
    ["+1", 1, 1],
    ["01", 1, 2],
    ["-01", 1, 3],
    [".5", 1, 1],
    ["1.", 1, 3],
    ["1e", 1, 3],
    ["1e+", 1, 4],
    ["\uff11", 1, 1],
    // Strings.
    ['"', 1, 2],
    ['"a\n"', 1, 3],
    ['"\u001f"', 1, 2],
    ['"\\', 1, 3],
    ['"\\"', 1, 4],
    ['"\\a"', 1, 3],
    ['"\\\n"', 1, 3],
    ['"\\😀"', 1, 3],
    ['"\\u"', 1, 4],
    ['"\\u004', 1, 7],
    ['"\\u00g0"', 1, 6],
    ['"\\ud83d\\u"', 1, 10],
    ['"\\u\uff11\uff11\uff11\uff11"', 1, 4],
    ['"😀\\x"', 1, 4],
    ['"😀\n"', 1, 3],
    ['["\\"]', 1, 6],
    // Arrays.
    ["[", 1, 2],
    ["]", 1, 1],
    ["[]]", 1, 3],
    ["[1,]", 1, 4],
    ["[1,,2]", 1, 4],
    ["[1 2]", 1, 4],
    ["[1}", 1, 3],
    ["[\r\n1,\r\n,]", 3, 1],
    ["[\r1\r2]", 3, 1],
    ["[😀]", 1, 2],
    ['["😀",]', 1, 6],
    // Objects.
    ["{", 1, 2],
    ["}", 1, 1],
    ["{1:2}", 1, 2],
    ['{"a"}', 1, 5],
    ['{"a":}', 1, 6],
    ['{"a":1', 1, 7],
    ['{"a":1,}', 1, 8],
    ['{"a":1]', 1, 7],
    ['{\n  "a": 1,\n  "b": 2,\n}', 4, 1],
    ['{"a":1,\n\t"b" 2}', 2, 6],
    ['{"😀":x}', 1, 6],
    // Comments.
    ["[1/**/]", 1, 3],
    // Depth does not hide an error.
    ["[".repeat(100_000), 1, 100_001],
    ['{"a":'.repeat(50_000), 1, 250_001],
    ["[".repeat(5_000) + "]".repeat(4_999), 1, 10_000],
    ["[".repeat(5_000) + "]".repeat(5_001), 1, 10_001],
    ["[".repeat(5_000) + "}", 1, 5_001],
  ];
