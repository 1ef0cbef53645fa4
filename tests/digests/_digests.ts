/** Digests of a right and of a wrong file, for the tests of their notations. */

import { createHash } from "node:crypto";
import { findDigest } from "../../lib/digests/choice.ts";

/** The digests of "abc" (FIPS 180-4, examples), and those of other algorithms. */
export const SHA1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
export const SHA256 =
  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
export const SHA512 =
  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a" +
  "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
export const MD5 = "900150983cd24fb0d6963f7d28e17f72";
export const SHA3 =
  "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532";

export const SHA1_BASE64 = "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=";
export const SHA256_BASE64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
export const SHA512_BASE64 =
  "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4q" +
  "mslPpUyknw==";
export const SHA384_BASE64 =
  "ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn";

export const UPPER = SHA256.toUpperCase();
export const DASHES = UPPER.replaceAll(/..(?!$)/g, "$&-");
export const COLONS = UPPER.replaceAll(/..(?!$)/g, "$&:");

/** The digests of a wrong file, whose name and list are made to let it pass. */
export const EVIL = ["sha1", "sha256", "sha512"].map((algorithm) =>
  createHash(algorithm).update("evil").digest("hex")
) as [string, string, string];
export const EVIL_BASE64 = EVIL.map((hex) =>
  Uint8Array.fromHex(hex).toBase64()
);
export const [, EVIL_SHA256, EVIL_SHA512] = EVIL;

/** Writes a digest as GnuPG does. */
export function writeGroups(hex: string) {
  const length = hex.length === 40 ? 4 : 8;
  const groups = hex.toUpperCase().match(RegExp(`.{${length}}`, "g"))!;
  return groups.join(" ");
}

/** Returns the algorithm and the digest that a text has for a file, or the refusal. */
export function find(text: string, file?: string) {
  const found = findDigest(text, file);
  return "rule" in found ? found : `${found.algorithm} ${found.hex}`;
}
