import { assertEquals, assertMatch } from "@std/assert";
import { call, createRequest, toFields } from "../../web/request.js";
import { TOOLS } from "../../web/tools.js";
import { createHandler } from "../../routes/mod.ts";

const PAGE = "https://host/under/?x#hash?sha512";

Deno.test("createRequest() puts fields into a body or a query, relative to the page", () => {
  const [json, uuid] = [TOOLS["json"]!, TOOLS["uuid"]!];
  const fields = toFields(json, { input: "1", action: "format", indent: "4" });
  assertEquals(createRequest("api/json", fields, PAGE), {
    method: "POST",
    url: "https://host/under/api/json",
    body: '{"input":"1","action":"format","indent":4}',
  });
  for (const [count, query] of [["1", ""], ["5", "?count=5"]] as const) {
    assertEquals(createRequest("api/uuid", toFields(uuid, { count }), PAGE), {
      method: "GET",
      url: `https://host/under/api/uuid${query}`,
    });
  }
});

/** Calls a server that answers as given. */
async function callServer(
  answer: (request: Request) => Response | Promise<Response>,
  name: string,
  values: Record<string, string>,
) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    answer,
  );
  const base = `http://127.0.0.1:${server.addr.port}/`;
  const { signal } = new AbortController();
  try {
    return await call(name, values, { base, limit: 1_000, signal });
  } finally {
    await server.shutdown();
  }
}

Deno.test("call() returns the service's results and errors", async (t) => {
  const rows: [string, string, string, Record<string, unknown>][] = [
    ["base64", "decode", "", { result: "" }],
    ["base64", "decode", " ", { note: "This decodes to nothing." }],
    ["base64", "decode", "eyJhbGci4..", {
      wrong: 'The input must be Base64 text, got "." at line 1, column 10.',
      offset: 9,
    }],
    ["base64", "decode", "eyJ4IjoxfSAg.eyJ5IjoyfQ.c2ln", {
      result: '{"x":1}  \n{"y":2}',
      parts: ['{"x":1}  ', '{"y":2}'],
    }],
    ["base64", "decode", "_-8", { bytes: Uint8Array.of(0xff, 0xef) }],
    ["json", "format", "[\r\nx]", {
      wrong:
        'Not valid JSON: expected a JSON value, got "x" at line 2, column 1.',
      offset: 3,
    }],
    ["json", "validate", "[1", { offset: 2 }],
  ];
  const handler = createHandler();
  for (const [name, action, input, expected] of rows) {
    await t.step(`${name} ${action} ${input}`, async () => {
      const outcome = await callServer(handler, name, { action, input });
      const part = Object.keys(expected).map((key) => [
        key,
        (outcome as Record<string, unknown>)[key],
      ]);
      assertEquals(Object.fromEntries(part), expected);
    });
  }
});

Deno.test("call() tells failures and other servers' answers apart", async (t) => {
  const busy = /^The service is busy \(status (429|503)\)\.$/;
  const foreign = /is not the service’s \(status (502|200)\)/;
  const rows: [number, string, RegExp][] = [
    [500, '{"error":"x"}', /^The service has failed \(status 500\): x\.$/],
    [503, '{"error":"x"}', busy],
    [429, "<p>", busy],
    [502, "<p>", foreign],
    [200, "<p>", foreign],
    [200, "null", foreign],
  ];
  for (const [status, body, words] of rows) {
    await t.step(`${status} ${body}`, async () => {
      const answer = () => new Response(body, { status });
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
