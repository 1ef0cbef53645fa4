import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
  rateStrength,
} from "../lib/password.ts";
import { assertRefused, call } from "./_client.ts";

const PATH = "/api/password";

async function draw(query: string): Promise<string> {
  const { status, body } = await call(`${PATH}?${query}`);
  assertEquals(status, 200);
  assertEquals(Object.keys(body!), ["password", "strength"]);
  return body!["password"] as string;
}

Deno.test("GET /api/password answers 16 very strong characters of all classes", async () => {
  const { body } = await call(PATH);
  assertMatch(
    body!["password"] as string,
    /^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[!-/:-@[-_{-~])[^\s"'`\\]{16}$/,
  );
  assertEquals(body!["strength"], "very-strong");
});

Deno.test("GET /api/password keeps to length", async () => {
  for (const length of [1, 2, 3, 4, 5, 127, 128]) {
    assertEquals((await draw(`length=${length}`)).length, length);
  }
});

Deno.test("GET /api/password draws every character of the enabled classes and no other", async (t) => {
  const rows = [
    ["uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABCDEFGHJKLMNPQRTUVWXYZ"],
    ["lowercase", "abcdefghijklmnopqrstuvwxyz", "abcdefghijkmnopqrstuvwxyz"],
    ["numbers", "0123456789", "2346789"],
    ["symbols", "!#$%&()*+,-./:;<=>?@[]^_{|}~", "!#$%&()*+,-./:;<=>?@[]^_{|}~"],
  ] as const;
  const names = rows.map(([name]) => name);
  for (const [enabled, all, unambiguous] of rows) {
    const query = names.filter((name) => name !== enabled)
      .map((name) => `${name}=false`).join("&");
    await t.step(enabled, async () => {
      assertEquals(await drawAlphabet(query), all);
      assertEquals(await drawAlphabet(`${query}&ambiguous=false`), unambiguous);
    });
  }
});

/** The characters of 2,560 drawn: 28 are all seen but once in 10³⁸ runs. */
async function drawAlphabet(query: string): Promise<string> {
  let drawn = "";
  for (let i = 0; i < 20; i += 1) drawn += await draw(`${query}&length=128`);
  return [...new Set(drawn)].sort().join("");
}

Deno.test("GET /api/password gives each enabled class a character", async () => {
  for (let i = 0; i < 200; i += 1) {
    assertMatch(
      await draw("length=4"),
      /^(?=.*[A-Z])(?=.*[a-z])(?=.*[0-9])(?=.*[^A-Za-z0-9]).{4}$/,
    );
    assertMatch(
      await draw("length=2&uppercase=0&symbols=0"),
      /^([a-z][0-9]|[0-9][a-z])$/,
    );
  }
});

Deno.test("GET /api/password reads booleans in any case", async () => {
  for (const off of ["false", "0", "no", "off", "FALSE", "No", "oFF"]) {
    const query = `uppercase=${off}&lowercase=${off}&symbols=${off}`;
    assertMatch(await draw(query), /^[0-9]{16}$/);
  }
  for (const on of ["true", "1", "yes", "on", "TRUE", "Yes", "oN"]) {
    const query = `numbers=${on}&uppercase=0&lowercase=0&symbols=0`;
    assertMatch(await draw(query), /^[0-9]{16}$/);
  }
});

Deno.test("GET /api/password refuses wrong parameters", async (t) => {
  const length = '"length" must be an integer from 1 to 128, got ';
  const rows = [
    ["length 0", "length=0", `${length}"0"`],
    ["length 129", "length=129", `${length}"129"`],
    ["length not a number", "length=ten", `${length}"ten"`],
    ["length empty", "length=", `${length}""`],
    [
      "another word",
      "symbols=maybe",
      '"symbols" must be "true" or "false", got "maybe"',
    ],
    [
      "an empty boolean",
      "numbers=",
      '"numbers" must be "true" or "false", got ""',
    ],
    [
      "a space before the word",
      "ambiguous=%20true",
      '"ambiguous" must be "true" or "false", got " true"',
    ],
    [
      "a parameter twice",
      "symbols=true&symbols=true",
      '"symbols" must be given at most once, got it 2 times',
    ],
    [
      "all classes off",
      "uppercase=0&lowercase=0&numbers=0&symbols=0",
      'one of "uppercase", "lowercase", "numbers" and "symbols" must be true, got "false" for all',
    ],
  ] as const;
  for (const [name, query, error] of rows) {
    await t.step(name, async () => {
      assertRefused(await call(`${PATH}?${query}`), 400, error);
    });
  }
});

Deno.test("GET /api/password rates the entropy of its options", async (t) => {
  // Counted by hand: 26 letters, log2(26) = 4.70044; 10 digits, 3.32193.
  const letters = "lowercase=0&numbers=0&symbols=0";
  const digits = "uppercase=0&lowercase=0&symbols=0";
  const rows = [
    [`${letters}&length=1`, "very-weak"], //     4.70 bits
    [`${letters}&length=5`, "very-weak"], //    23.50
    [`${letters}&length=6`, "weak"], //         28.20
    [`${letters}&length=8`, "weak"], //         37.60
    [`${letters}&length=9`, "fair"], //         42.30
    [`${letters}&length=15`, "fair"], //        70.51
    [`${letters}&length=16`, "strong"], //      75.21
    [`${letters}&length=21`, "strong"], //      98.71
    [`${letters}&length=22`, "very-strong"], // 103.41
    [`${digits}&length=12`, "weak"], //         39.86
    [`${digits}&length=13`, "fair"], //         43.19
  ] as const;
  for (const [query, strength] of rows) {
    await t.step(`${query} is ${strength}`, async () => {
      const { body } = await call(`${PATH}?${query}`);
      assertEquals(body!["strength"], strength);
    });
  }
});

Deno.test("rateStrength() steps at 28, 40, 75 and 100 bits", () => {
  assertEquals(
    [0, 27.9, 28, 39.9, 40, 74.9, 75, 99.9, 100, 900].map(rateStrength),
    [
      "very-weak",
      "very-weak",
      "weak",
      "weak",
      "fair",
      "fair",
      "strong",
      "strong",
      "very-strong",
      "very-strong",
    ],
  );
});

Deno.test("computeEntropy() counts the passwords that small classes allow", async (t) => {
  const rows = [
    { classes: ["a"], length: 3 },
    { classes: ["ab", "c"], length: 1 },
    { classes: ["ab", "c"], length: 2 },
    { classes: ["ab", "cde"], length: 5 },
    { classes: ["ab", "c", "de"], length: 2 },
    { classes: ["ab", "c", "de"], length: 3 },
    { classes: ["ab", "c", "de", "f"], length: 4 },
    { classes: ["ab", "c", "de", "f"], length: 6 },
  ];
  for (const { classes, length } of rows) {
    await t.step(`${classes} of length ${length}`, () => {
      const count = enumerate(classes, length).length;
      const bits = computeEntropy(classes.map(({ length }) => length), length);
      assert(Math.abs(bits - Math.log2(count)) < 1e-9, `${bits} bits`);
    });
  }
});

/** Every password that the classes and the length allow, one by one. */
function enumerate(classes: readonly string[], length: number): string[] {
  let words = [""];
  for (let i = 0; i < length; i += 1) {
    words = words.flatMap((word) => [...classes.join("")].map((c) => word + c));
  }
  if (length < classes.length) return words;
  return words.filter((word) =>
    classes.every((characters) => [...characters].some((c) => word.includes(c)))
  );
}

Deno.test("computeEntropy() agrees with whole numbers at every length", () => {
  const sizes = Object.values(CHARACTER_CLASSES).map(({ length }) => length);
  for (let length = 4; length <= 128; length += 1) {
    let count = 0n;
    for (let subset = 0; subset < 16; subset += 1) {
      const left = sizes.filter((_size, i) => (subset & (1 << i)) === 0);
      const sign = (4 - left.length) % 2 === 0 ? 1n : -1n;
      count += sign * BigInt(left.reduce((a, b) => a + b, 0)) ** BigInt(length);
    }
    const shift = Math.max(0, count.toString(2).length - 53);
    const expected = Math.log2(Number(count >> BigInt(shift))) + shift;
    const bits = computeEntropy(sizes, length);
    assert(Math.abs(bits - expected) < 1e-9, `length ${length}: ${bits} bits`);
  }
});

Deno.test("generatePassword() draws every qualifying password equally often", async (t) => {
  // Chi-square with a false-alarm rate of about one in a million each: the
  // quantile by Wilson and Hilferty, z = 4.753.
  const rows = [
    { name: "one class", classes: ["abcdefg"], length: 2 },
    {
      name: "a guarantee that most words miss",
      classes: ["ab", "c", "d"],
      length: 3,
    },
    { name: "a longer word", classes: ["ab", "cde"], length: 4 },
    {
      name: "shorter than the classes",
      classes: ["ab", "cd", "ef"],
      length: 2,
    },
  ];
  for (const { name, classes, length } of rows) {
    await t.step(name, () => {
      const counts = new Map(
        enumerate(classes, length).map((word) => [word, 0]),
      );
      const expected = 200;
      for (let i = 0; i < expected * counts.size; i += 1) {
        const password = generatePassword(classes, length);
        assert(counts.has(password), `${password} does not qualify`);
        counts.set(password, counts.get(password)! + 1);
      }
      assertUniform([...counts.values()], expected);
    });
  }
});

Deno.test("generatePassword() refuses what it could never draw", async (t) => {
  const rows = [
    ["no class", [], 1, "classes must be"],
    ["an empty class", ["a", ""], 1, "classes must be"],
    ["257 characters", ["a".repeat(257)], 1, "classes must be"],
    ["a negative length", ["a"], -1, "length must be"],
    ["half a character", ["a"], 0.5, "length must be"],
    ["no end", ["a"], Infinity, "length must be"],
  ] as const;
  for (const [name, classes, length, message] of rows) {
    await t.step(name, () => {
      assertThrows(
        () => generatePassword(classes, length),
        RangeError,
        message,
      );
    });
  }
  assertEquals(generatePassword(["a"], 0), "");
  assertEquals(generatePassword(["a".repeat(256)], 1), "a");
});

Deno.test("generatePassword() draws every character of a long alphabet equally often", () => {
  const alphabet = Object.values(CHARACTER_CLASSES).join("");
  const counts = new Map([...alphabet].map((character) => [character, 0]));
  const expected = 2_000;
  for (let i = 0; i < expected * alphabet.length / 100; i += 1) {
    for (const character of generatePassword([alphabet], 100)) {
      counts.set(character, counts.get(character)! + 1);
    }
  }
  assertUniform([...counts.values()], expected);
});

function assertUniform(counts: readonly number[], expected: number): void {
  const chiSquare = counts.reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  const freedom = counts.length - 1;
  const spread = 2 / (9 * freedom);
  const limit = freedom * (1 - spread + 4.753 * Math.sqrt(spread)) ** 3;
  assert(chiSquare < limit, `chi-square ${chiSquare}, limit ${limit}`);
}

Deno.test("generatePassword() takes every random byte once and in order", () => {
  // 64 divides 256: no byte is rejected, and each is one character.
  const alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const original = crypto.getRandomValues;
  const drawn: number[] = [];
  function fill(bytes: Uint8Array): Uint8Array {
    for (let i = 0; i < bytes.length; i += 1) {
      bytes[i] = (i * 37 + (i >> 8) * 11 + drawn.length) % 256;
    }
    drawn.push(...bytes);
    return bytes;
  }
  crypto.getRandomValues = fill as typeof original;
  try {
    // Until what was in stock is used up.
    let first = "";
    while (drawn.length === 0) first = generatePassword([alphabet], 1);
    const stock = drawn.length;
    assertEquals(first, alphabet[drawn[0]! % 64]);
    let password = first;
    while (password.length < 3 * stock) {
      password += generatePassword([alphabet], 1);
    }
    assertEquals(drawn.length, 3 * stock);
    for (const [i, byte] of drawn.entries()) {
      if (password[i] !== alphabet[byte % 64]) {
        assertEquals(password[i], alphabet[byte % 64], `byte ${i}`);
      }
    }
  } finally {
    crypto.getRandomValues = original;
    // None of the bytes made up here may be left.
    generatePassword([alphabet], drawn.length);
  }
});
