import { assert, assertEquals } from "@std/assert";
import ts from "typescript";
import * as FILES from "../../routes/web_files.ts";
import { createHandler } from "../../routes/mod.ts";
import { JSON_TYPE } from "../_client.ts";

const handler = createHandler();

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  webmanifest: "application/manifest+json",
};

async function get(path: string, headers: HeadersInit = {}) {
  return await handler(new Request(`http://localhost${path}`, { headers }));
}

/** Requests a file, and returns its status and headers. */
async function getHeaders(path: string) {
  const { status, headers, body } = await get(path);
  await body?.cancel();
  return { status, headers };
}

/** The folder of the files of this version, with slashes around it. */
const FOLDER = `/${
  /v\/[0-9a-f]{16}\//.exec(await (await get("/")).text())![0]
}`;

const DOCUMENTS = [
  ["/", "text/html; charset=utf-8"],
  ["/service_worker.js", TYPES["js"]!],
  ...Object.keys(FILES).map((name) =>
    [FOLDER + name, TYPES[name.split(".").at(-1)!]!] as const
  ),
  ["/openapi.json", JSON_TYPE],
] as const;

Deno.test("every file has its type, CORS, and an ETag that gets a 304", async () => {
  for (const [path, type] of DOCUMENTS) {
    const { status, headers } = await getHeaders(path);
    assertEquals([status, headers.get("content-type")], [200, type], path);
    assertEquals(headers.get("access-control-allow-origin"), "*", path);
    assertEquals(headers.get("x-content-type-options"), "nosniff", path);
    const isOfVersion = path.startsWith(FOLDER);
    const caching = isOfVersion
      ? "public, max-age=31536000, immutable"
      : "no-cache";
    assertEquals(headers.get("cache-control"), caching, path);
    const etag = headers.get("etag")!;
    const again = await get(path, { "if-none-match": etag });
    assertEquals([again.status, again.body], [304, null], path);
  }
});

Deno.test("the policy permits no connection and no file of another origin", async () => {
  const { headers } = await getHeaders("/");
  const policy = "default-src 'none'; connect-src 'none'; script-src 'self'; " +
    "require-trusted-types-for 'script'; trusted-types default; style-src 'self'; worker-src 'self'; manifest-src 'self'; img-src 'self' data: blob:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  assertEquals(headers.get("content-security-policy"), policy);
  assertEquals(headers.get("referrer-policy"), "no-referrer");
  assertEquals(headers.get("cross-origin-opener-policy"), "same-origin");
  assertEquals(headers.get("x-frame-options"), "DENY");
  const worker = await getHeaders(`${FOLDER}worker.js`);
  assertEquals(
    worker.headers.get("content-security-policy"),
    "default-src 'none'; connect-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  );
  const removal = await getHeaders("/service_worker.js");
  assertEquals(
    removal.headers.get("content-security-policy"),
    "default-src 'none'",
  );
});

/** Files that a browser loads only after the page can be used. */
const LATE = /service_worker|hash_wasm|jsonrepair|icon\.png|webmanifest/;

Deno.test("the page has at most 175 KB compressed before its first use, 205 KB in total, and no URL of another origin", async () => {
  let [size, early] = [0, 0];
  for (const [path] of DOCUMENTS.slice(0, -1)) {
    const compressed = await get(path, { "accept-encoding": "gzip" });
    assertEquals(compressed.headers.get("content-encoding"), "gzip");
    const { byteLength } = await compressed.bytes();
    size += byteLength;
    if (!LATE.test(path)) early += byteLength;
    const text = await (await get(path)).text();
    const urls = text.match(/(?:https?:)?\/\/[a-z][\w.-]+\.[a-z]+/g) ?? [];
    // The first is the SVG namespace, the second is in a license.
    const names = ["http://www.w3.org", "https://www.npmjs.com"];
    assertEquals(urls.filter((url) => !names.includes(url)), [], path);
    assert(!/(?:src|href)="\//.test(text), "a proxy may add a path");
  }
  assert(size <= 205_000 && early <= 175_000, `${size}, ${early} bytes`);
});

Deno.test("unknown files and files of another version get 404", async () => {
  const paths = [
    "/v/0123456789abcdef/page.js",
    `${FOLDER}index.html`,
    `${FOLDER}toString`,
    `${FOLDER}%E0%A4%A`,
    `${FOLDER}${"a/".repeat(30_000)}`,
  ];
  for (const path of paths) {
    const { status } = await getHeaders(path);
    assertEquals(status, 404, path.slice(0, 40));
  }
});

/** Adds the modules that a module imports, and theirs. */
async function addImports(name: string, found: Set<string>): Promise<void> {
  if (found.has(name)) return;
  found.add(name);
  const source = await Deno.readTextFile(`web/${name}`);
  for (const [, path] of source.matchAll(/(?:from |import\()"\.\/(.+?)"/g)) {
    await addImports(path!, found);
  }
}

Deno.test("exactly the modules of the first view are preloaded, and none of the worker", async () => {
  const html = await Deno.readTextFile("web/index.html");
  const preloaded = [...html.matchAll(/modulepreload" href=".*?\/(.+?)"/g)]
    .map(([, path]) => path!.replace("{version}/", ""));
  const [ofWorker, ofView] = [new Set<string>(), new Set<string>()];
  await addImports("worker.js", ofWorker);
  assert(ofWorker.size > 8);
  assertEquals(preloaded.filter((name) => ofWorker.has(name)), []);
  // `load()` imports the other modules later.
  ofView.add("page.js").add("vendor/packages.js");
  await addImports("start.js", ofView);
  const later = ["start.js", "page.js", "vendor/packages.js"];
  assertEquals(
    preloaded.toSorted(),
    [...ofView].filter((name) => !later.includes(name)).toSorted(),
  );
});

Deno.test("the manifest names the page and icons that are served", async () => {
  const url = new URL(`${FOLDER}manifest.webmanifest`, "http://localhost");
  const manifest = await (await get(url.pathname)).json();
  assertEquals(new URL(manifest.start_url, url).pathname, "/");
  assertEquals(new URL(manifest.scope, url).pathname, "/");
  // Two instances under two paths of one origin are two apps.
  assertEquals(manifest.id, undefined);
  for (const { src, type } of manifest.icons) {
    const icon = await getHeaders(new URL(src, url).pathname);
    assertEquals([icon.status, icon.headers.get("content-type")], [200, type]);
  }
});

/** The source of each file, and its folder if that is not `web/`. */
const SOURCES: Readonly<Record<string, string>> = {
  "icon.png": "web/icon.png.txt",
};

/** Comments on lines of their own, by the kind of the file. */
const COMMENTS: Readonly<Record<string, RegExp>> = {
  js: /^ *(?:\/\/|\/\*\*)/m,
  css: /^ *\/\*/m,
};

/** Returns a script as TypeScript prints it without comments, or a style without them. */
function normalize(name: string, source: string): string {
  if (name.endsWith(".css")) return source.replaceAll(/ *\/\*.*?\*\/\n?/gs, "");
  const options = { removeComments: true, target: ts.ScriptTarget.ESNext };
  return ts.transpile(source, options);
}

Deno.test("every file of the page is served, scripts and styles without comments", async () => {
  const found = new Set(Object.keys(SOURCES));
  for (const folder of ["", "vendor/"]) {
    for await (const { name } of Deno.readDir(`web/${folder}`)) {
      const isServed = /\.(?:js|css|svg|webmanifest|png\.txt)$/.test(name);
      if (isServed) found.add(folder + name.replace(/\.txt$/, ""));
    }
  }
  const names = [...found];
  const served = [...Object.keys(FILES), "service_worker.js"];
  assertEquals(names.toSorted(), served.toSorted());
  for (const name of names) {
    const source = await Deno.readTextFile(SOURCES[name] ?? `web/${name}`);
    const folder = name === "service_worker.js" ? "/" : FOLDER;
    const content = await (await get(folder + name)).bytes();
    const text = name === "icon.png"
      ? content.toBase64().replaceAll(/.{1,76}/g, "$&\n")
      : new TextDecoder().decode(content);
    const comment = COMMENTS[name.split(".").at(-1)!];
    if (comment === undefined) assertEquals(text, source, name);
    else {
      assertEquals(normalize(name, text), normalize(name, source), name);
      assert(!comment.test(text), name);
    }
  }
});
