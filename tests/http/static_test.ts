import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { createStaticHandler } from "../../lib/http/static.ts";

const TEXT = "<p>héllo</p>\n".repeat(1_000);

const handle = createStaticHandler(TEXT, { "content-type": "text/html" });

async function get(headers: Record<string, string>): Promise<Response> {
  return await handle({
    request: new Request("http://localhost/", { headers }),
  });
}

async function decompress(response: Response): Promise<string> {
  const stream = response.body!.pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).text();
}

/** Values of `Accept-Encoding` that prefer gzip, and values that don't. */
const LONGEST = `gzip${",a".repeat(2046)}`;
const ACCEPTING = ["GZIP", "br, gzip", "gzip;q=0.001", "*", LONGEST];
const REJECTING = ["br", "gzip;q=0", "identity, gzip;q=0.5", `${LONGEST},`];

Deno.test("a static file is compressed for clients that prefer gzip, with an ETag for each encoding", async (t) => {
  const plain = await get({});
  assertEquals(await plain.text(), TEXT);
  const etag = plain.headers.get("etag")!;
  assertMatch(etag, /^"[^"]+"$/);
  const compressed = await get({ "accept-encoding": "gzip" });
  await compressed.body?.cancel();
  const compressedEtag = compressed.headers.get("etag")!;
  assertMatch(compressedEtag, /^"[^"]+"$/);
  assertNotEquals(compressedEtag, etag);
  for (const accepted of [...ACCEPTING, ...REJECTING]) {
    const { length } = accepted;
    const name = `"${accepted.slice(0, 40)}" of ${length} characters`;
    await t.step(name, async () => {
      const isGzip = ACCEPTING.includes(accepted);
      const coding = { "accept-encoding": accepted };
      const response = await get(coding);
      const { byteLength } = await response.clone().bytes();
      assertEquals(byteLength < TEXT.length / 10, isGzip);
      const text = isGzip ? decompress(response) : response.text();
      assertEquals(await text, TEXT);
      const own = isGzip ? compressedEtag : etag;
      for (const known of ['"x"', etag, compressedEtag]) {
        const { status, headers, body } = await get({
          ...coding,
          "if-none-match": known,
        });
        await body?.cancel();
        assertEquals([known, status], [known, known === own ? 304 : 200]);
        assertEquals(headers.get("etag"), own);
        assertEquals(headers.get("vary"), "accept-encoding");
        assertEquals(headers.get("content-type"), "text/html");
        assertEquals(headers.get("content-encoding"), isGzip ? "gzip" : null);
      }
    });
  }
});

Deno.test("If-None-Match can be a list with whitespace, of at most 4096 characters", async () => {
  const etag = (await get({})).headers.get("etag")!;
  const fill = (length: number) => `"x" ,${" ".repeat(length)},\t${etag}`;
  const spaces = 4096 - fill(0).length;
  for (
    const [value, status] of [
      [`"x" , W/${etag}`, 304],
      [" * ", 304],
      [fill(spaces), 304],
      [fill(spaces + 1), 200],
    ] as const
  ) {
    const response = await get({ "if-none-match": value });
    assertEquals([value, response.status], [value, status]);
    assertEquals(await response.text(), status === 200 ? TEXT : "");
  }
});
