import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  generatePassword,
  rateStrength,
} from "../../lib/password.ts";
import { call } from "../_client.ts";

Deno.test("GET /api/password draws every character of the enabled character sets, and no other", async (t) => {
  const classes = {
    uppercase: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    lowercase: "abcdefghijklmnopqrstuvwxyz",
    numbers: "0123456789",
    symbols: "!#$%&()*+,-./:;<=>?@[]^_{|}~",
  };
  for (const [enabled, characters] of Object.entries(classes)) {
    await t.step(enabled, async () => {
      const query = Object.keys(classes).filter((name) => name !== enabled)
        .map((name) => `${name}=false`).join("&");
      const unambiguous = characters.replaceAll(/[0O1Il5S]/g, "");
      assertEquals(await drawAlphabet(query), characters);
      assertEquals(await drawAlphabet(`${query}&ambiguous=0`), unambiguous);
    });
  }
});

/** Returns the different characters of 2,560: one of 28 is missing once in 10³⁸ runs. */
async function drawAlphabet(query: string): Promise<string> {
  let drawn = "";
  for (let i = 0; i < 20; i += 1) {
    const { body } = await call(`/api/password?${query}&length=128`);
    drawn += body!["password"];
  }
  return [...new Set(drawn)].sort().join("");
}

Deno.test("rateStrength() changes at 28, 40, 75 and 100 bits", () => {
  const bits = [0, 27.9, 28, 39.9, 40, 74.9, 75, 99.9, 100, 900];
  assertEquals(
    bits.map(rateStrength).join(" "),
    "very-weak very-weak weak weak fair fair strong strong very-strong very-strong",
  );
});

/** Character sets and lengths whose passwords can all be enumerated. */
const SMALL = [
  { classes: ["ab", "c"], length: 1 },
  { classes: ["ab", "c", "d"], length: 3 },
  { classes: ["ab", "cde"], length: 4 },
];

/** Enumerates the passwords of character sets and a length. */
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

Deno.test("computeEntropy() agrees with exact integers at small and large lengths", () => {
  const sizes = Object.values(CHARACTER_CLASSES).map(({ length }) => length);
  for (const length of [4, 5, 16, 64, 128]) {
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

for (const { classes, length } of SMALL) {
  Deno.test(`passwords of ${length} characters from ${classes} are equally likely, and computeEntropy() counts them`, () => {
    const words = enumerate(classes, length);
    const bits = computeEntropy(classes.map(({ length }) => length), length);
    assert(Math.abs(bits - Math.log2(words.length)) < 1e-9, `${bits} bits`);
    assertUniform(words, () => [generatePassword(classes, length)]);
  });
}

Deno.test("generatePassword() draws every character of a long alphabet equally often", () => {
  const alphabet = Object.values(CHARACTER_CLASSES).join("");
  assertUniform([...alphabet], () => generatePassword([alphabet], 100));
});

/**
 * Asserts with a chi-square test that all values are drawn equally often.
 * One in a million correct runs fails (quantile by Wilson and Hilferty).
 */
function assertUniform(
  values: readonly string[],
  draw: () => Iterable<string>,
): void {
  const expected = 100;
  const counts = new Map(values.map((value) => [value, 0]));
  for (let left = expected * values.length; left > 0;) {
    for (const value of draw()) {
      assert(counts.has(value), `${value} is not valid`);
      counts.set(value, counts.get(value)! + 1);
      left -= 1;
    }
  }
  let chiSquare = 0;
  for (const n of counts.values()) chiSquare += (n - expected) ** 2 / expected;
  const freedom = values.length - 1;
  const spread = 2 / (9 * freedom);
  const limit = freedom * (1 - spread + 4.753 * Math.sqrt(spread)) ** 3;
  assert(chiSquare < limit, `chi-square ${chiSquare}, limit ${limit}`);
}

Deno.test("generatePassword() rejects invalid character sets and lengths", () => {
  const rows = [
    [[], 1, "classes must contain"],
    [["a", ""], 1, "classes must contain"],
    [["a".repeat(128), "b".repeat(129)], 1, "classes must contain"],
    [["a"], -1, "length must be"],
    [["a"], 0.5, "length must be"],
    [["a"], Infinity, "length must be"],
  ] as const;
  for (const [classes, length, message] of rows) {
    assertThrows(() => generatePassword(classes, length), RangeError, message);
  }
  assertEquals(generatePassword(["a"], 0), "");
  const largest = ["a".repeat(128), "b".repeat(128)];
  assertEquals(generatePassword(largest, 3).length, 3);
  // Eight random letters would be all different once in 416 runs.
  const drawn = generatePassword([..."abcdefgh"], 8);
  assertEquals([...drawn].sort().join(""), "abcdefgh");
});
