import { assert, assertEquals, assertMatch } from "@std/assert";
import { loadOperation } from "../routes/operations.ts";
import { assets } from "../routes/web.ts";
import { createHandler } from "../routes/mod.ts";
import { TOOLS } from "../web/tools.js";
import { JSON_TYPE } from "./_client.ts";

const handler = createHandler();

const DOCUMENTS = [
  ["/", "text/html; charset=utf-8"],
  ...Object.keys(assets).map((path) => {
    const type = path.endsWith(".css") ? "text/css" : "text/javascript";
    return [`/${path}`, `${type}; charset=utf-8`] as const;
  }),
  ["/openapi.json", JSON_TYPE],
] as const;

async function get(
  path: string,
  headers: HeadersInit = {},
): Promise<Response> {
  return await handler(new Request(`http://localhost${path}`, { headers }));
}

Deno.test("the documents are served with their type, CORS and an ETag, or as known", async (t) => {
  for (const [path, type] of DOCUMENTS) {
    await t.step(path, async () => {
      const { status, headers, body } = await get(path);
      await body?.cancel();
      assertEquals(status, 200);
      assertEquals(headers.get("content-type"), type);
      assertEquals(headers.get("access-control-allow-origin"), "*");
      assertEquals(headers.get("x-content-type-options"), "nosniff");
      assertEquals(headers.get("cache-control"), "no-cache");
      const etag = headers.get("etag")!;
      assertMatch(etag, /^"[^"]+"$/);
      const again = await get(path, { "if-none-match": etag });
      assertEquals([again.status, again.body], [304, null]);
      assertEquals(again.headers.get("etag"), etag);
      const known = { method: "HEAD", headers: { "if-none-match": etag } };
      const head = await handler(new Request(`http://localhost${path}`, known));
      assertEquals([head.status, head.headers.get("content-length")], [
        304,
        null,
      ]);
    });
  }
});

Deno.test("the page may call nothing, and loads only from its own origin", async () => {
  const { headers, body } = await get("/");
  await body?.cancel();
  const policy = "default-src 'none'; connect-src 'none'; script-src 'self'; " +
    "style-src 'self'; worker-src 'self'; img-src data: blob:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  assertEquals(headers.get("content-security-policy"), policy);
  assertEquals(headers.get("referrer-policy"), "no-referrer");
  assertEquals(headers.get("cross-origin-opener-policy"), "same-origin");
  assertEquals(headers.get("x-frame-options"), "DENY");
  const worker = await get("/worker.js");
  await worker.body?.cancel();
  assertEquals(
    worker.headers.get("content-security-policy"),
    "default-src 'none'; connect-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  );
});

Deno.test("the page has at most 220 KB compressed and no address of another origin", async () => {
  let size = 0;
  for (const [path] of DOCUMENTS.slice(0, -1)) {
    const compressed = await get(path, { "accept-encoding": "gzip" });
    assertEquals(compressed.headers.get("content-encoding"), "gzip");
    size += (await compressed.bytes()).byteLength;
    const text = await (await get(path)).text();
    const addresses = text.match(/(?:https?:)?\/\/[a-z][\w.-]+\.[a-z]+/g) ?? [];
    // The name space of SVG is a name, and the other is in a licence.
    const names = ["http://www.w3.org", "https://www.npmjs.com"];
    assertEquals(
      addresses.filter((address) => !names.includes(address)),
      [],
      path,
    );
    assert(
      !/(?:src|href)="\//.test(text),
      "absolute paths break under a sub-path",
    );
  }
  assert(size <= 220_000, `${size} bytes`);
});

Deno.test("the page has the parameters of each operation, with their bounds, choices and defaults", async () => {
  for (const [name, { fields }] of Object.entries(TOOLS)) {
    const operation = await loadOperation(name);
    const { input: _, ...others } = operation!.parameters;
    const sent = Object.entries(fields).filter(([, { isOfPage }]) => !isOfPage);
    assertEquals(
      sent.map(([field]) => field).sort(),
      Object.keys(others).sort(),
    );
    for (const [field, { range, choices, value }] of sent) {
      const { schema, default: fallback } = others[field]!;
      const { minimum, maximum, enum: values = [] } = schema;
      assertEquals(
        range,
        minimum === undefined ? undefined : [minimum, maximum!],
      );
      assertEquals(Object.keys(choices ?? {}), values.map(String));
      if (fallback !== undefined) assertEquals(value, String(fallback));
    }
  }
});

Deno.test("every file of the page is served as it is", async () => {
  const names: string[] = [];
  for (const folder of ["", "vendor/"]) {
    for await (const { name } of Deno.readDir(`web/${folder}`)) {
      if (/\.(?:js|css)$/.test(name)) names.push(folder + name);
    }
  }
  assertEquals(names.toSorted(), Object.keys(assets).toSorted());
  for (const name of names) {
    const folder = name === "digest_notation.js" ? "lib/values" : "web";
    const source = await Deno.readTextFile(`${folder}/${name}`);
    assertEquals(await (await get(`/${name}`)).text(), source, name);
  }
});
