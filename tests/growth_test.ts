import { assert } from "@std/assert";
import { createHandler } from "../routes/mod.ts";
import { replace } from "./_replace.ts";

/** Factor between the two sizes, and the largest one between their times; quadratic is 256. */
const SIZE_FACTOR = 16;
const MAX_TIME_FACTOR = 64;

/** Number of requests of each size. The fastest counts, as others may have been interrupted. */
const RUNS = 15;

const handler = createHandler();

let rows = 0;

/** Returns strings of digits that have the same hash in tables, and did not occur before. */
function createColliding(size: number): string[] {
  rows += 1;
  return Array.from({ length: size }, (_, i) => `${16_384 * (i + 62) + rows}`);
}

/** Makes a request whose one part is larger in proportion to the size. */
type CreateRequest = (size: number) => Request;

const REQUESTS: Readonly<
  Record<string, readonly [size: number, CreateRequest]>
> = {
  "names of parameters that collide": [1_000, (size) => {
    const names = createColliding(size);
    return new Request(`http://localhost/api/uuid?${names.join("&")}`);
  }],
  "parameters of one name": [
    1_000,
    (size) =>
      new Request(`http://localhost/api/password?${"length=&".repeat(size)}`),
  ],
  "white space in If-None-Match": [250, (size) => {
    const headers = { "if-none-match": `a${" ".repeat(size)}b` };
    return new Request("http://localhost/", { headers });
  }],
  "names in Content-Encoding": [500, (size) => {
    const headers = { "content-encoding": "identity,".repeat(size) };
    return post("{}", headers);
  }],
  "codings in Accept-Encoding": [250, (size) => {
    const headers = { "accept-encoding": "a;q=0.5,".repeat(size) };
    return new Request("http://localhost/", { headers });
  }],
  "names of members that collide": [500, (size) => {
    const names = createColliding(size);
    return post(`{${names.map((name) => `"${name}":0`)}}`);
  }],
  "equal members": [
    5_000,
    (size) => post(`{${repeat(String.raw`"input":"\""`, size)}}`),
  ],
  "nested arrays": [10_000, (size) => post(`{"a":${"[".repeat(size)}`)],
  "escapes in a body": [
    20_000,
    (size) => post(`{"input":"${"\\n".repeat(size)}","algorithm":"md5"}`),
  ],
};

function repeat(item: string, count: number): string {
  return Array<string>(count).fill(item).join();
}

function post(body: string, headers: HeadersInit = {}): Request {
  return new Request("http://localhost/api/hash", {
    method: "POST",
    body,
    headers,
  });
}

async function measureFastest(size: number, create: CreateRequest) {
  let fastest = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const request = create(size);
    const start = performance.now();
    const response = await handler(request);
    await response.bytes();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

Deno.test("the time for a request grows in proportion to its size", async (t) => {
  for (const [name, [size, create]] of Object.entries(REQUESTS)) {
    await t.step(name, async () => {
      const small = await measureFastest(size, create);
      const large = await measureFastest(SIZE_FACTOR * size, create);
      const factor = large / small;
      assert(factor <= MAX_TIME_FACTOR, `${factor} times the time`);
    });
  }
});

Deno.test("no strings that collide reach JSON.parse(), which would add them to V8's table", async (t) => {
  const { parse } = JSON;
  using _parse = replace(JSON, {
    parse(text: string) {
      assert(!/"(\d|\\u003\d){7,}"/.test(text), text.slice(0, 80));
      return parse(text);
    },
  });
  for (const size of [1, 100, 2_000, 20_000]) {
    const strings = JSON.stringify(createColliding(size));
    const names = `{${createColliding(size).map((name) => `"${name}":0`)}}`;
    const ping = `{"jsonrpc":"2.0","id":1,"method":"ping","params":`;
    const bodies = {
      "/api/hash": [
        strings,
        names,
        strings.replaceAll('"1', '"\\u0031'),
        `{"algorithm":"sha1","input":"\\u0031638400","x":${strings}}`,
      ],
      "/mcp": [strings, `${ping}{"a":${strings}}}`, `${ping}{"a":${names}}}`],
    };
    for (const [path, texts] of Object.entries(bodies)) {
      await t.step(`${path}, ${size}`, async () => {
        for (const body of texts) {
          const init = { method: "POST", body };
          const url = `http://localhost${path}`;
          const response = await handler(new Request(url, init));
          assert([200, 400].includes(response.status));
          await response.bytes();
        }
      });
    }
  }
});
