/**
 * Clients that npm packages generate from the OpenAPI document: each is generated, compiled
 * with strict types, and called.
 */

import { assertEquals } from "@std/assert";
import { createHandler } from "../../routes/mod.ts";
import { run, runDeno, startServer } from "../_server.ts";

const FOLDER = "tests/.generated/clients";

/** npm packages: the generators, and what their clients import. */
const PACKAGES = [
  "@hey-api/openapi-ts@0.95.0",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
  "typescript@5.9.3",
];

/** A generator, and a program that uses its client. */
interface Generator {
  readonly folder: string;
  /** Writes the client into the folder, and runs next to `openapi.json`. */
  readonly command: string;
  /**
   * Sets `digest` to a hash, `count` to the length of a list of UUIDs, and `error` to the
   * error of a hash with md5. `base` is the base URL.
   */
  readonly program: string;
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  "@hey-api/openapi-ts": {
    folder: "hey",
    command: "openapi-ts --input openapi.json --output hey",
    program: `
import { client } from "./client.gen";
import { generateUuids, hashText } from "./sdk.gen";
client.setConfig({ baseUrl: base });
const hash = await hashText({ body: { algorithm: "sha1", input: "abc" } });
digest = hash.data?.result;
const uuids = await generateUuids({ query: { count: 2 } });
if (uuids.data && "uuids" in uuids.data) count = uuids.data.uuids.length;
const invalid = await hashText({ body: { algorithm: "md5", input: "" } });
error = invalid.error?.error;
`,
  },
  "openapi-typescript": {
    folder: "fetch",
    command: "openapi-typescript openapi.json --output fetch/api.ts",
    program: `
import createClient from "openapi-fetch";
import type { paths } from "./api";
const client = createClient<paths>({ baseUrl: base });
const hash = await client.POST("/api/hash", { body: { algorithm: "sha1", input: "abc" } });
digest = hash.data?.result;
const uuids = await client.GET("/api/uuid", { params: { query: { count: 2 } } });
if (uuids.data && "uuids" in uuids.data) count = uuids.data.uuids.length;
const invalid = await client.POST("/api/hash", { body: { algorithm: "md5", input: "" } });
error = invalid.error?.error;
`,
  },
};

/** Checks the types of a program with the settings of a new project for a bundler. */
const COMPILE =
  "tsc --noEmit --strict --skipLibCheck --target es2022 --lib es2022,dom,dom.iterable --module esnext --moduleResolution bundler";

/** Runs a program whose imports have no extensions, with the packages in the folder. */
const RUN =
  "run --quiet --no-check --no-lock --no-config --no-prompt --node-modules-dir=manual --unstable-sloppy-imports --allow-net=127.0.0.1 --allow-env --allow-read=.";

const EXPECTED = [
  "a9993e364706816aba3e25717850c26c9cd0d89d",
  2,
  '"algorithm" must be "sha1", "sha256" or "sha512", got "md5", which Web Crypto does not support',
];

/** Adds declarations to the program of a generator, and prints the variables that it sets. */
function wrap(program: string): string {
  return `declare const Deno: { readonly args: readonly [base: string] };
const [base] = Deno.args;
let digest: string | undefined;
let count: number | undefined;
let error: string | undefined;
${program}
console.log(JSON.stringify([digest, count, error]));
`;
}

/** Runs a command in the folder of the clients. */
async function runInFolder(command: string): Promise<void> {
  const env = { PATH: `node_modules/.bin:${Deno.env.get("PATH")}` };
  const words = ["sh", "-c", command];
  const { code, output, log } = await run(words, { cwd: FOLDER, env });
  assertEquals(code, 0, `${command}: ${output}${log}`);
}

async function write(name: string, content: string): Promise<void> {
  await Deno.writeTextFile(`${FOLDER}/${name}`, content);
}

Deno.test("generated clients compile with strict types, and return results and errors, even if their base URL ends in a slash", async (t) => {
  await Deno.mkdir(FOLDER, { recursive: true });
  const handler = createHandler();
  const response = await handler(new Request("http://h/openapi.json"));
  await write("openapi.json", await response.text());
  await write("package.json", '{"type": "module"}');
  await runInFolder(
    `npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps ${
      PACKAGES.join(" ")
    }`,
  );
  await using server = await startServer();
  for (const [name, generator] of Object.entries(GENERATORS)) {
    const { folder, command, program } = generator;
    await t.step(name, async () => {
      await Deno.mkdir(`${FOLDER}/${folder}`, { recursive: true });
      await runInFolder(command);
      const path = `${folder}/program.ts`;
      await write(path, wrap(program));
      await runInFolder(`${COMPILE} ${path}`);
      for (const base of [server.origin, `${server.origin}/`]) {
        const { code, output, log } = await runDeno(
          [...RUN.split(" "), path, base],
          { cwd: FOLDER },
        );
        assertEquals(code, 0, log);
        assertEquals(JSON.parse(output), EXPECTED, base);
      }
    });
  }
});
