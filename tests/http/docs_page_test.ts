/** The page `/docs`: its content, and the base URL in its calls. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { createHandler } from "../../routes/mod.ts";
import { loadOperations } from "../../routes/operations.ts";
import { getDocs, readCalls } from "../_docs.ts";

const OPERATIONS = await loadOperations();
const response = await getDocs();
const source = await response.text();
const html = source.replaceAll(' translate="no"', "");

/** The text of the page without tags, and with single spaces. */
const text = toText(html);

function toText(html: string): string {
  return html.replace(/<style>[^]*<\/style>/, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ");
}

Deno.test("GET /docs loads nothing, is not cached, and links to the OpenAPI document", () => {
  const { status, headers } = response;
  assertEquals(status, 200);
  assertEquals(headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(headers.get("cache-control"), "no-store");
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals(headers.get("link"), '<openapi.json>; rel="service-desc"');
  const [, style] = /<style>([^]*)<\/style>/.exec(html)!;
  const digest = createHash("sha256").update(style!).digest("base64");
  assertEquals(
    headers.get("content-security-policy"),
    `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  assert(!/<script|\son\w+=|\sstyle=/.test(html));
  assertEquals(html.match(/\{\w+\}/), null, "no placeholder remains");
});

Deno.test("browsers translate no code in /docs", () => {
  const elements = source.match(/<(?:code|samp)[^>]*>/g)!;
  assert(elements.length > 100);
  const unmarked = elements.filter((tag) => !tag.endsWith(' translate="no">'));
  assertEquals(unmarked, []);
});

Deno.test("every heading of /docs has a link to it, and every link has a target", () => {
  const headings = [...html.matchAll(/<h[23][^>]*>.*?<\/h[23]>/gs)];
  assert(headings.length > 25);
  for (const [heading] of headings) {
    const [, id] = /^<h[23] id="([\w-]+)">/.exec(heading)!;
    assertStringIncludes(heading, `<a href="#${id}">`);
  }
  const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!);
  assertEquals(new Set(ids).size, ids.length);
  for (const [, target] of html.matchAll(/href="#([^"]*)"/g)) {
    assert(ids.includes(target!), `#${target}`);
  }
});

Deno.test("/docs has the parameters, results, examples, and errors of each operation", async (t) => {
  for (const operation of OPERATIONS) {
    const { method, name, parameters, results, examples, errors } = operation;
    await t.step(name, () => {
      const start = html.indexOf(`<h2 id="${name}">`);
      const section = html.slice(start, html.indexOf("</section>", start));
      assertStringIncludes(section, `<code>${method} /api/${name}</code>`);
      for (const [parameter, facts] of Object.entries(parameters)) {
        const { schema, default: value, isRequired } = facts;
        const description = new RegExp(
          `<dt><code>${parameter}</code></dt>\\s*<dd>([^]*?)</dd>`,
        ).exec(section);
        const words = toText(description![1]!);
        const { minimum, maximum, enum: choices = [] } = schema;
        if (minimum !== undefined) {
          assertStringIncludes(words, `${minimum} to ${maximum}`);
        }
        for (const choice of choices) assertStringIncludes(words, `${choice}`);
        if (value !== undefined) {
          assertStringIncludes(words, `default ${value}`);
        }
        assertEquals(words.includes("; required"), isRequired);
      }
      for (const properties of Object.values(results)) {
        for (const property of Object.keys(properties)) {
          assertStringIncludes(section, `<dt><code>${property}</code></dt>`);
        }
      }
      assertEquals(
        readCalls(section).length,
        Object.keys({ ...examples, ...errors }).length,
      );
    });
  }
});

Deno.test("/docs explains the tools, the limits, and every status of the OpenAPI document", async () => {
  const handler = createHandler({ maxBodyBytes: 12_345 });
  const get = async (path: string) =>
    await (await handler(new Request(`http://localhost${path}`))).text();
  const { paths } = JSON.parse(await get("/openapi.json"));
  const statuses = Object.values<Record<string, { responses: object }>>(paths)
    .flatMap((path) =>
      Object.values(path).flatMap(({ responses }) => Object.keys(responses))
    );
  for (const status of new Set(statuses)) {
    if (status === "200") continue;
    assertStringIncludes(html, `<th scope="row">${status}</th>`);
  }
  for (const { tool } of OPERATIONS) {
    assertStringIncludes(html, `<code>${tool.name}</code>`);
  }
  assertStringIncludes(text, "at most 1,048,576 bytes");
  assertStringIncludes(toText(await get("/docs")), "at most 12,345 bytes");
});

Deno.test("the relative URLs of /docs work with a trailing slash and below a path prefix", async () => {
  for (const path of ["/docs", "/docs/"]) {
    for (const prefix of ["", "/tools", "/a/b"]) {
      const page = await getDocs({ path });
      const html = await page.text();
      const [link] = /[^<>]*(?=>)/.exec(page.headers.get("link")!)!;
      const targets = [...html.matchAll(/href="([^"#][^":]*)"/g)]
        .map(([, target]) => target!);
      assertEquals(targets.length, 3);
      for (const target of [link, ...targets]) {
        const base = `http://localhost${prefix}${path}`;
        const { pathname } = new URL(target, base);
        const expected = target.endsWith("json") ? "/openapi.json" : "/";
        assertEquals(pathname, prefix + expected, `${target} at ${base}`);
      }
    }
  }
});

const DEFAULT = "http://localhost:8000";
const LONG = "a".repeat(60_000);

/** Request headers, and the base URL in the calls. */
const BASE_URLS: readonly (readonly [Record<string, string>, string])[] = [
  [{}, DEFAULT],
  [{ host: "127.0.0.1:9000" }, "http://127.0.0.1:9000"],
  [{ host: "[::1]:9000" }, "http://[::1]:9000"],
  [{ host: "my_tools.example.com" }, "http://my_tools.example.com"],
  [
    {
      host: "h.example",
      "x-forwarded-proto": "https",
      "x-forwarded-prefix": "/dev/tools-1.0/",
    },
    "https://h.example/dev/tools-1.0",
  ],
  // Unusual values are ignored.
  ...["https, http", "ftp", '"'].map((proto) =>
    [{ host: "h", "x-forwarded-proto": proto }, "http://h"] as const
  ),
  ...[
    ..."tools //x /a//b /a/../b /\"><script> /$(id) /a'b /{root}".split(" "),
    ...["/a, /b", `/${LONG}`, "/".repeat(60_000)],
  ].map((prefix) =>
    [{ host: "h", "x-forwarded-prefix": prefix }, "http://h"] as const
  ),
  ...[
    ...'-o a/b a?b user@h "><script> $(id) h:port h:123456 [::1 {root}'.split(
      " ",
    ),
    ...["", "h, h", LONG],
  ].map((host) => [{ host }, DEFAULT] as const),
];

Deno.test("the calls of /docs have the base URL of the request, unless it is unusual", async (t) => {
  for (const [headers, baseUrl] of BASE_URLS) {
    await t.step(JSON.stringify(headers).slice(0, 80), async () => {
      const page = await getDocs(headers);
      const shown = await page.text();
      assertEquals(shown, source.replaceAll(DEFAULT, baseUrl));
    });
  }
});

Deno.test("without Host, as over HTTP/2, the calls of /docs have the base URL of the request URL", async () => {
  const handler = createHandler();
  const page = await handler(new Request("https://h.example:9000/docs"));
  const [{ command } = { command: "" }] = readCalls(await page.text());
  assertStringIncludes(command, 'curl "https://h.example:9000/api/');
});
