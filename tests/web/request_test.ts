import { assertEquals, assertMatch } from "@std/assert";
import { call, createRequest, toFields } from "../../web/request.js";
import { TOOLS } from "../../web/tools.js";
import { createHandler } from "../../routes/mod.ts";

const PAGE = "https://host/under/?x#hash?sha512";

Deno.test("createRequest() resolves against the page, and puts fields where they belong", () => {
  assertEquals(createRequest("api/hash", { input: "a", indent: 4 }, PAGE), {
    method: "POST",
    url: "https://host/under/api/hash",
    body: '{"input":"a","indent":4}',
  });
  assertEquals(createRequest("api/uuid", { count: 2 }, PAGE), {
    method: "GET",
    url: "https://host/under/api/uuid?count=2",
  });
});

Deno.test("toFields() has all fields in a body, and those that differ in a query", () => {
  assertEquals(
    toFields(TOOLS["json"]!, { input: "1", action: "format", indent: "4" }),
    { input: "1", action: "format", indent: 4 },
  );
  assertEquals(toFields(TOOLS["uuid"]!, { count: "1" }), {});
  assertEquals(toFields(TOOLS["uuid"]!, { count: "5" }), { count: "5" });
});

Deno.test("the code sample of a token decodes its payload", () => {
  const values = { action: "decode", input: "eyJ4IjoxfSAg.eyJ5IjoyfQ.c2ln" };
  assertEquals(TOOLS["base64"]!.sample!(values), { input: "eyJ5IjoyfQ" });
  assertEquals(TOOLS["base64"]!.sample!({ ...values, action: "encode" }), {});
});

/** Calls a server that answers as given. */
async function callServer(
  answer: (request: Request) => Response | Promise<Response>,
  name: string,
  values: Record<string, string>,
  limit = 1_000,
) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    answer,
  );
  const base = `http://127.0.0.1:${server.addr.port}/`;
  const { signal } = new AbortController();
  try {
    return await call(name, values, { base, limit, signal });
  } finally {
    await server.shutdown();
  }
}

Deno.test("call() returns the service's results and errors", async (t) => {
  const sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
  const rows: [string, Record<string, string>, Record<string, unknown>][] = [
    ["base64", { action: "encode", input: "é" }, { result: "w6k=" }],
    ["base64", { action: "decode", input: "" }, { result: "" }],
    ["base64", { action: "decode", input: " " }, {
      result: "",
      note: "This decodes to nothing.",
    }],
    ["base64", { action: "decode", input: "eyJhbGci4.." }, {
      wrong: 'The input must be Base64 text, got "." at line 1, column 10.',
      offset: 9,
    }],
    ["base64", { action: "decode", input: "eyJ4IjoxfSAg.eyJ5IjoyfQ.c2ln" }, {
      result: '{"x":1}  \n{"y":2}',
      parts: ['{"x":1}  ', '{"y":2}'],
    }],
    ["base64", { action: "decode", input: "_-8" }, {
      wrong:
        "This decodes to 2 bytes, not to UTF-8 text. The service returns text only; this page has decoded the bytes.",
      bytes: Uint8Array.of(0xff, 0xef),
    }],
    ["hash", { algorithm: "sha1", input: "abc" }, {
      result: sha1,
      spoken: `SHA-1: ${sha1}`,
    }],
    ["json", { action: "format", input: "[\r\nx]" }, {
      wrong:
        'Not valid JSON: expected a JSON value, got "x" at line 2, column 1.',
      offset: 3,
    }],
    ["json", { action: "validate", input: "[1" }, { offset: 2 }],
    ["uuid", { count: "101" }, {
      wrong: 'The count must be an integer from 1 to 100, got "101".',
    }],
    ["password", {
      uppercase: "false",
      lowercase: "false",
      numbers: "false",
      symbols: "false",
    }, { wrong: "Choose at least one kind of character." }],
  ];
  const handler = createHandler();
  for (const [name, values, expected] of rows) {
    await t.step(`${name} ${JSON.stringify(values)}`, async () => {
      const outcome = await callServer(handler, name, values);
      const part = Object.keys(expected).map((key) => [
        key,
        (outcome as Record<string, unknown>)[key],
      ]);
      assertEquals(Object.fromEntries(part), expected);
    });
  }
});

Deno.test("call() names what is too large, and does not send it", async () => {
  const answer = () => Response.json({ result: "sent" });
  const rows: [string, RegExp][] = [
    ["x".repeat(1_200), /has 1,200 bytes.*most 1,000 bytes a request\.$/],
    ['"'.repeat(600), /has 600 bytes.*this one would have 1,2\d\d bytes/],
  ];
  for (const [input, words] of rows) {
    const values = { action: "encode", input };
    const { wrong } = await callServer(answer, "base64", values);
    assertMatch(wrong!, words);
  }
});

Deno.test("call() tells failures and other servers' answers apart", async (t) => {
  const rows: [string, () => Response, RegExp][] = [
    [
      "busy",
      () => Response.json({ error: "x" }, { status: 503 }),
      /^The service is busy \(status 503\)\.$/,
    ],
    [
      "failed",
      () => Response.json({ error: "internal error" }, { status: 500 }),
      /^The service has failed \(status 500\): internal error\.$/,
    ],
    [
      "busy without words",
      () => new Response("<p>", { status: 429 }),
      /^The service is busy \(status 429\)\.$/,
    ],
    ["foreign", () => new Response("<p>", { status: 404 }), /\(status 404\)/],
    ["a proxy", () => new Response("<p>", { status: 502 }), /\(status 502\)/],
    [
      "a page",
      () => new Response("<p>"),
      /is not the service’s \(status 200\)/,
    ],
    ["null", () => Response.json(null), /is not the service’s \(status 200\)/],
  ];
  for (const [name, answer, words] of rows) {
    await t.step(name, async () => {
      const { failure } = await callServer(answer, "uuid", { count: "1" });
      assertMatch(failure!, words);
    });
  }
  for (const name of Object.keys(TOOLS)) {
    await t.step(`${name} of another server`, async () => {
      const answer = () => Response.json({ result: 5, uuid: 5, password: 5 });
      const { failure } = await callServer(answer, name, { input: "x" });
      assertMatch(failure!, /is not the service’s/);
    });
  }
});

Deno.test("call() says whether it was cancelled or has found no server", async () => {
  const base = "http://127.0.0.1:1/";
  const options = { base, limit: 1_000, signal: AbortSignal.abort() };
  assertEquals(await call("uuid", { count: "1" }, options), {
    failure: "The call was cancelled.",
  });
  const { signal } = new AbortController();
  assertEquals(await call("uuid", { count: "1" }, { ...options, signal }), {
    failure: "The service cannot be reached.",
  });
});
