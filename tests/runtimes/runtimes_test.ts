/** Runs the bundles of `docs/library.md` in other runtimes, which npm downloads. */

import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { ENDPOINTS } from "../_endpoints.ts";
import { readExample } from "../_examples.ts";
import { postHead } from "../guarantees/_exchanges.ts";
import { RawConnection, run, runDeno, testOnPosix } from "../_server.ts";
import { fetchWithin, within } from "../_within.ts";

const FOLDER = "tests/.generated/runtimes";

/** npm packages, and the program that each contains. */
const RUNTIMES = {
  "Node 22": ["node@22.23.3", "node"],
  "Node 25": ["node@25.9.0", "node"],
  Bun: ["bun@1.4.5", "bun"],
} as const;

const WORKERD = "workerd@1.20261117.1";

/** The exports without a server, which run in every runtime. */
const PORTABLE = ["./json", "./base64", "./password"] as const;

/** Paths whose responses are compressed. */
const COMPRESSED = ["/openapi.json", "/", "/service_worker.js"];

/** Sends the requests to a handler, and prints the status of each response. */
const PROGRAM = `
import { createHandler } from "./mod.js";
const handler = createHandler();
for (const { path, fields, part } of ${JSON.stringify(ENDPOINTS)}) {
  const init = fields && { method: "POST", body: JSON.stringify(fields) };
  const response = await handler(new Request("http://localhost" + path, init));
  const text = await response.text();
  console.log(path, response.status, text.includes(part) ? "expected" : text);
}`;

const WORKER = `
import { createHandler } from "./mod.js";
const patient = createHandler();
const impatient = createHandler({ bodyTimeoutMs: 300, logRequests: true });
const choose = ({ headers }) => headers.has("late") ? impatient : patient;
export default { fetch: (request) => choose(request)(request) };`;

/** Bundles a module with the command of the documentation. */
async function bundle(path: string): Promise<void> {
  const docs = await Deno.readTextFile("docs/library.md");
  const [, line] = /^deno (bundle .+) routes\/mod\.ts$/m.exec(docs)!;
  const args = line!.replace(/--outdir=\S+/, `--outdir=${FOLDER}`).split(" ");
  const { code, log } = await runDeno([...args, path]);
  assertEquals(code, 0, log);
  await Deno.writeTextFile(`${FOLDER}/package.json`, '{"type":"module"}');
}

function npx([name, ...command]: readonly string[]): string[] {
  return ["npx", "--yes", `--package=${name}`, ...command];
}

for (const specifier of PORTABLE) {
  Deno.test(`the example of ${specifier} prints the documented output`, async (t) => {
    const path = config.exports[specifier].slice(2);
    await bundle(path);
    const name = path.replace(/^.*\//, "").replace(/\.ts$/, ".js");
    const { code, output } = readExample(path);
    assert(output !== "", "it shows an output");
    const script = code.replace(/"@devutils[^"]+"/, `"./${name}"`);
    await Deno.writeTextFile(`${FOLDER}/example.js`, script);
    for (const [title, runtime] of Object.entries(RUNTIMES)) {
      await t.step(title, async () => {
        const command = npx([...runtime, `${FOLDER}/example.js`]);
        const result = await run(command);
        assertEquals(result.output, output, result.log);
      });
    }
  });
}

Deno.test("the handler serves every operation, the page and agents", async (t) => {
  await bundle("routes/mod.ts");
  await Deno.writeTextFile(`${FOLDER}/requests.js`, PROGRAM);
  const lines = ENDPOINTS.map(({ path }) => `${path} 200 expected\n`).join("");
  for (const title of ["Node 25", "Bun"] as const) {
    await t.step(title, async () => {
      const command = npx([...RUNTIMES[title], `${FOLDER}/requests.js`]);
      const result = await run(command);
      assertEquals(result.output, lines, result.log);
    });
  }
});

/**
 * Sends requests while others stall. In workerd, timers belong to a request, but each request
 * must get a response.
 */
async function checkTogether(port: number): Promise<void> {
  const origin = `http://127.0.0.1:${port}`;
  const { path, fields, part } = ENDPOINTS[1]!;
  const body = JSON.stringify(fields);
  async function stall(i: number): Promise<void> {
    using connection = await RawConnection.open({ port });
    const head = postHead(path, i % 2 === 0 ? 100 : 100_000);
    await connection.send(head.replace("\r\n", "\r\nLate: 1\r\n"));
    assertEquals((await connection.receive()).status, 408);
  }
  async function ask(i: number): Promise<void> {
    const padded = body.padEnd(i % 2 === 0 ? 100 : 200_000);
    const init = { method: "POST", body: padded };
    const response = await fetchWithin(origin + path, init);
    assert((await response.text()).includes(part));
  }
  const indices = Array.from({ length: 20 }, (_, i) => i);
  await Promise.all([...indices.map(stall), ...indices.map(ask)]);
  await Promise.all(indices.map(ask));
}

testOnPosix(
  "the handler serves every operation, the page and agents in workerd, while other requests stall",
  async () => {
    await bundle("routes/mod.ts");
    await Deno.writeTextFile(`${FOLDER}/worker.js`, WORKER);
    const docs = await Deno.readTextFile("docs/library.md");
    const [, settings] = /^```capnp\n([^]+?)^```$/m.exec(docs)!;
    await Deno.writeTextFile(
      `${FOLDER}/workerd.capnp`,
      settings!.replace("*:8080", "127.0.0.1:0"),
    );
    // It writes the port of each socket to standard output.
    const serve = "workerd serve --control-fd=1 workerd.capnp".split(" ");
    const [program, ...args] = npx([WORKERD, ...serve]);
    const child = new Deno.Command(program!, {
      args,
      cwd: FOLDER,
      stdout: "piped",
      // A process group, since npm starts the server as a child.
      detached: true,
    }).spawn();
    const output = child.stdout.getReader();
    try {
      // npm can need to download it first.
      const limit = { limitMs: 300_000 };
      const { value } = await within(output.read(), "the port", limit);
      const { port } = JSON.parse(new TextDecoder().decode(value));
      for (const { path, fields, part } of ENDPOINTS) {
        const init = fields && { method: "POST", body: JSON.stringify(fields) };
        for (const headers of [{}, { late: "1" }]) {
          const url = `http://127.0.0.1:${port}${path}`;
          const response = await fetchWithin(url, { ...init, headers });
          const { status } = response;
          const text = await response.text();
          assert(status === 200 && text.includes(part), text);
          // The client has decompressed it.
          const coding = COMPRESSED.includes(path) ? "gzip" : null;
          const sent = response.headers.get("content-encoding");
          assertEquals([path, sent], [path, coding]);
        }
      }
      await checkTogether(port);
    } finally {
      Deno.kill(-child.pid, "SIGKILL");
      await child.status;
      await output.cancel();
    }
  },
);
