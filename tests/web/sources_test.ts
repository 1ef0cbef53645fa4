/**
 * What the policy of the page cannot forbid, its scripts do not do: send data by an
 * address, a cookie or a connection between browsers.
 */

import { assert, assertEquals } from "@std/assert";

const FOLDER = new URL("../../web/", import.meta.url);

/** Expressions that no script of the page contains, and the scripts that may. */
const FORBIDDEN: readonly (readonly [RegExp, ...string[]])[] = [
  [/RTCPeerConnection|RTCDataChannel|WebTransport/],
  [/document\s*\.\s*cookie|cookieStore/],
  // code.js writes code for a terminal.
  [/(?<!caches)\.open\(|(?<![.\w#])open\(/, "code.js"],
  [
    /\bfetch\(|XMLHttpRequest|sendBeacon|EventSource|WebSocket/,
    "service_worker.js",
    "code.js",
  ],
  [/create(?:Element)?\(\s*["'`](?:script|link|iframe|embed|object|base|meta)\b/],
  [/\bimport\((?!\s*"\.\/[\w/]+\.js"\s*\))/, "code.js"],
  [/\blocation\s*\.\s*(?:href\s*=[^=]|assign|replace)|\blocation\s*=[^=]/],
  [/innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML/],
  [/\beval\(|\bFunction\(/],
  [/prefetch|preconnect|prerender|speculationrules/],
];

/** Texts of all scripts by name, without comments. */
async function readScripts(): Promise<[name: string, code: string][]> {
  const scripts: [string, string][] = [];
  for (const folder of ["", "vendor/"]) {
    for await (const { name } of Deno.readDir(new URL(folder, FOLDER))) {
      if (!name.endsWith(".js")) continue;
      const text = await Deno.readTextFile(new URL(folder + name, FOLDER));
      const code = text.replaceAll(/^ *\/\*[^]*?\*\/$|^ *\/\/.*$/gm, "");
      scripts.push([folder + name, code]);
    }
  }
  return scripts;
}

Deno.test("no script of the page contains a way out that no policy forbids", async () => {
  const scripts = await readScripts();
  assert(scripts.length > 35);
  const found = scripts.flatMap(([name, code]) =>
    FORBIDDEN.filter(([, ...exceptions]) => !exceptions.includes(name))
      .flatMap(([pattern]) => pattern.exec(code)?.[0] ?? [])
      .map((part) => `${name}: ${part}`)
  );
  assertEquals(found, []);
});

Deno.test("the service worker gets nothing from the page", async () => {
  const url = new URL("service_worker.js", FOLDER);
  const code = await Deno.readTextFile(url);
  const events = [...code.matchAll(/addEventListener\("(\w+)"|\bon(\w+) *=/g)]
    .map(([, added, set]) => added ?? set);
  assertEquals(events, ["install", "activate", "fetch"]);
});
