/** Compares tests/README.md, which lists the test of each promise, with the files. */

import { assertEquals } from "@std/assert";

/** Lists the files below a folder, by their paths in it. */
function listFiles(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? listFiles(`${folder}/${name}`).map((path) => `${name}/${path}`)
      : [name]
  );
}

const FILES = listFiles("tests").filter((path) => !path.startsWith("."));
const TESTS = FILES.filter((path) => path.endsWith("_test.ts"));

/** The files and folders in the second column of the table. */
const NAMED = (await Deno.readTextFile("tests/README.md")).split("\n")
  .flatMap((line) => [...line.split("|")[2]?.matchAll(/`([^`]+)`/g) ?? []])
  .map(([, path]) => path!);

function getFolder(path: string): string {
  return path.replace(/[^/]*$/, "");
}

Deno.test("tests/README.md names each test file, or its folder, next to a promise", () => {
  const missing = TESTS.filter((path) =>
    !NAMED.includes(path) && !NAMED.includes(getFolder(path))
  );
  assertEquals(missing, []);
});

Deno.test("each file and folder that tests/README.md names exists", () => {
  const folders = FILES.map(getFolder);
  const stale = NAMED.filter((path) =>
    !FILES.includes(path) && !folders.includes(path)
  );
  assertEquals(stale, []);
});
