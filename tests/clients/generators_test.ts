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
  "@oazapfts/runtime@1.2.0",
  "@zodios/core@10.9.6",
  "axios@1.21.1",
  "oazapfts@7.5.0",
  "openapi-zod-client@1.18.3",
  "typescript@5.9.3",
  "zod@3.25.76",
];

/** A generator, and a program that uses its client. */
interface Generator {
  /** The folder of the client. */
  readonly folder: string;
  /** The command that writes the client, run beside `openapi.json`. */
  readonly command: string;
  /**
   * Sets `digest` to a hash, `count` to the length of a list of UUIDs, and `refusal` to the
   * error of a hash with md5. `base` is the base URL.
   */
  readonly program: string;
}

const GENERATORS: Readonly<Record<string, Generator>> = {
  oazapfts: {
    folder: "oazapfts",
    command: "oazapfts openapi.json oazapfts/api.ts",
    program: `
import * as api from "./api";
api.defaults.baseUrl = base;
const hash = await api.hashText({ algorithm: "sha1", input: "abc" });
if (hash.status === 200) digest = hash.data.result;
const uuids = await api.generateUuids({ count: 2 });
if (uuids.status === 200 && "uuids" in uuids.data) count = uuids.data.uuids.length;
const wrong = await api.hashText({ algorithm: "md5", input: "" });
if (wrong.status === 501) refusal = wrong.data.error;
`,
  },
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
const wrong = await hashText({ body: { algorithm: "md5", input: "" } });
refusal = wrong.error?.error;
`,
  },
  "openapi-zod-client": {
    folder: "zod",
    command: "openapi-zod-client openapi.json --output zod/api.ts",
    program: `
import { isErrorFromAlias } from "@zodios/core";
import { api as definition, createApiClient } from "./api";
const api = createApiClient(base);
digest = (await api.hashText({ algorithm: "sha1", input: "abc" })).result;
const uuids = await api.generateUuids({ queries: { count: 2 } });
if ("uuids" in uuids) count = uuids.uuids.length;
try {
  await api.hashText({ algorithm: "md5", input: "" });
} catch (error) {
  if (isErrorFromAlias(definition.api, "hashText", error)) refusal = error.response.data.error;
}
`,
  },
};

/** Checks the types of a program as in a new project for a bundler. */
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

/** Wraps the program of a generator. Its argument is the base URL, and it prints what it set. */
function wrap(program: string): string {
  return `declare const Deno: { readonly args: readonly [base: string] };
const [base] = Deno.args;
let digest: string | undefined;
let count: number | undefined;
let refusal: string | undefined;
${program}
console.log(JSON.stringify([digest, count, refusal]));
`;
}

/** Runs a program in the folder of the clients, and fails if it fails. */
async function runThere(command: string): Promise<string> {
  const env = { PATH: `node_modules/.bin:${Deno.env.get("PATH")}` };
  const words = ["sh", "-c", command];
  const { code, output, log } = await run(words, { cwd: FOLDER, env });
  assertEquals(code, 0, `${command}: ${output}${log}`);
  return output;
}

async function write(name: string, content: string): Promise<void> {
  await Deno.writeTextFile(`${FOLDER}/${name}`, content);
}

Deno.test("generated clients compile with strict types, and return results and errors, including with a base URL that ends in a slash", async (t) => {
  await Deno.mkdir(FOLDER, { recursive: true });
  const handler = createHandler();
  const response = await handler(new Request("http://h/openapi.json"));
  await write("openapi.json", await response.text());
  await write("package.json", '{"type": "module"}');
  await runThere(
    `npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps ${
      PACKAGES.join(" ")
    }`,
  );
  await using server = await startServer();
  for (
    const [name, { folder, command, program }] of Object.entries(GENERATORS)
  ) {
    await t.step(name, async () => {
      await Deno.mkdir(`${FOLDER}/${folder}`, { recursive: true });
      await runThere(command);
      const path = `${folder}/program.ts`;
      await write(path, wrap(program));
      await runThere(`${COMPILE} ${path}`);
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
