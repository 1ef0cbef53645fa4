import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import type { Context } from "../../lib/http/router.ts";
import { createStaticHandler } from "../../lib/http/static.ts";

const TEXT = "<p>héllo</p>\n".repeat(1_000);

const answer = createStaticHandler(TEXT, { "content-type": "text/html" });

function get(headers: Record<string, string>): Promise<Response> {
  const request = new Request("http://localhost/", { headers });
  // The handler reads nothing of the context.
  return Promise.resolve(answer(request, {} as Context));
}

async function decompress(response: Response): Promise<string> {
  const stream = response.body!.pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}

Deno.test("a static text is compressed for clients that accept gzip", async (t) => {
  const accepting = [
    "gzip",
    "GZIP",
    "br, gzip",
    "br,gzip;q=0.5",
    "br , gzip ; q=1.0 , *;q=0",
    "gzip;q=0.001",
    "gzip\t,br",
    "*",
    "identity;q=0.5, *",
  ];
  for (const accepted of accepting) {
    await t.step(accepted, async () => {
      const response = await get({ "accept-encoding": accepted });
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("content-encoding"), "gzip");
      assertEquals(response.headers.get("vary"), "accept-encoding");
      assertEquals(response.headers.get("content-type"), "text/html");
      const copy = response.clone();
      assert((await copy.bytes()).byteLength < TEXT.length / 10);
      assertEquals(await decompress(response), TEXT);
    });
  }
});

Deno.test("a static text is not compressed for other clients", async (t) => {
  const refusing = [
    undefined,
    "",
    "identity",
    "br",
    "gzip;q=0",
    "gzip; q=0.000",
    "gzip;q=0 ,br",
    "gzip;q=0.00\t,br",
    "identity, gzip;q=0.5",
    "*;q=0",
    "br, gzip;q=0",
    "xgzip",
    "gzipx",
  ];
  for (const accepted of refusing) {
    await t.step(String(accepted), async () => {
      const response = await get(
        accepted === undefined ? {} : { "accept-encoding": accepted },
      );
      assertEquals(response.status, 200);
      assertEquals(response.headers.get("content-encoding"), null);
      assertEquals(response.headers.get("vary"), "accept-encoding");
      assertEquals(await response.text(), TEXT);
    });
  }
});

Deno.test("a static text has an ETag for each coding, and 304 for If-None-Match with it", async () => {
  const plain = await get({});
  const compressed = await get({ "accept-encoding": "gzip" });
  const etags = [plain, compressed].map(({ headers }) => headers.get("etag")!);
  await plain.body!.cancel();
  await compressed.body!.cancel();
  assertMatch(etags[0]!, /^"[^"]+"$/);
  assertEquals(etags[1], `${etags[0]!.slice(0, -1)}-gzip"`);
  for (const [i, coding] of ["identity", "gzip"].entries()) {
    for (const [j, known] of etags.entries()) {
      const { status, headers, body } = await get({
        "accept-encoding": coding,
        "if-none-match": known,
      });
      await body?.cancel();
      assertEquals(status, i === j ? 304 : 200);
      assertEquals(headers.get("etag"), etags[i]);
      assertEquals(headers.get("vary"), "accept-encoding");
      assertEquals(headers.get("access-control-expose-headers"), "etag");
    }
  }
});

Deno.test("after a failure to prepare a static text the next request succeeds", async () => {
  const handler = createStaticHandler("a", {});
  const request = new Request("http://localhost/");
  const { digest } = crypto.subtle;
  crypto.subtle.digest = () => Promise.reject(new Error("out of memory"));
  try {
    await assertRejects(
      async () => await handler(request, {} as Context),
      Error,
      "out of memory",
    );
  } finally {
    crypto.subtle.digest = digest;
  }
  const response = await handler(request, {} as Context);
  assertEquals(await response.text(), "a");
});
