/**
 * No policy prevents a page from sending data in the URL of a navigation or of a file of its
 * own service, in a cookie, or over WebRTC. The scripts and the style of the page contain no
 * expression that could, except the uses listed here. The search doesn't find expressions
 * that are composed at run time.
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";

const FOLDER = new URL("../../web/", import.meta.url);

/** Expressions that can send data, each with code that it must match. */
const WAYS: readonly (readonly [RegExp, ...string[]])[] = [
  [
    /\blocation\b|\bnavigation\b|\bhistory\s*\.\s*\w|\.\s*navigate\(|openWindow/,
    "location = text",
    "document.location.replace(text)",
    "history.pushState(null, '', text)",
    "clients.openWindow(text)",
  ],
  [
    /\b(?:src|srcset|imageSrcset|href|srcdoc|poster|ping|formAction|xlink)\b/i,
    "link.href = `style.css?${text}`",
    "image.src = text",
    "button.formAction = text",
  ],
  [
    /\.(?:action|background)\s*(?:\+|\?\?|\|\||&&)?=(?![=>])/,
    "form.action = text",
    "document.body.background = text",
  ],
  // The classes of CodeMirror and `lib/` have properties with some of these names.
  [
    /(?<!\bthis)\.(?:search|pathname|host|hostname|port|protocol|username|password)\s*(?:\+|\?\?|\|\||&&)?=(?![=>])/,
    "a.search = text; a.click()",
    "a.pathname += text",
    "a.protocol = text",
  ],
  // A computed name could be the name of any attribute.
  [
    /\bsetAttribute\((?!\s*"[\w-]+")|setAttributeN(?:S|ode)|createAttribute|setNamedItem/,
    "image.setAttribute(name, text)",
    'use.setAttributeNS(XLINK, "href", text)',
    "image.setAttributeNode(node)",
  ],
  [
    /(?<![.\w])create\((?!\s*["']|[^()]*\)\s*\{)|\bcreateElement\((?!\s*["'])|createElementNS|createDocument\b/,
    "create(tag, {})",
    "document.createElement(tag)",
    'document.createElementNS(SVG, "script")',
  ],
  [
    /\bcreate(?:Element)?\(\s*["'](?:a|area|script|link|style|iframe|frame|embed|object|base|meta|img|image|picture|source|audio|video|track|svg)\b/,
    'create("a", {})',
    "document.createElement('script')",
  ],
  [
    /\b(?:Image|Audio|FontFace)\(|\burl\(|image-set\(|@import/,
    "new Image().src = `icon.png?${text}`",
    "new FontFace(name, source)",
    "element.style.backgroundImage = `url(icon.svg?${text})`",
    'sheet.replaceSync(`a { cursor: image-set("icon.svg?${text}") }`)',
  ],
  [
    /\b(?:Shared)?Worker\(|\.register\(|addModule|importScripts/,
    "new Worker(`worker.js?${text}`)",
    "navigator.serviceWorker.register(text)",
    "importScripts(text)",
  ],
  [
    /\bimport\((?!\s*"\.\/[\w/]+\.js"\s*\))|\beval\(|\bFunction\(/,
    "import(`./page.js?${text}`)",
    "eval(text)",
    "new Function(text)",
  ],
  [
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML|createContextualFragment|parseFromString|parseHTML/,
    "element.innerHTML = text",
    "document.write(text)",
    "element.setHTMLUnsafe(text)",
    "new DOMParser().parseFromString(text, type)",
  ],
  [
    /\bopen\(|\.share\(|\bNotification\(|(?:window|globalThis|self)\.name\b/,
    "open(text)",
    "navigator.share({ text })",
  ],
  [
    /\bfetch(?:Later)?\(|XMLHttpRequest|sendBeacon|EventSource|WebSocket/,
    "fetch(text)",
    "new XMLHttpRequest()",
    "new WebSocket(text)",
  ],
  [
    /RTCPeerConnection|RTCDataChannel|WebTransport/,
    "new RTCPeerConnection({ iceServers })",
    "new WebTransport(text)",
  ],
  [
    /document\s*\.\s*cookie|cookieStore/,
    "document.cookie = text",
    "cookieStore.set(name, text)",
  ],
  [
    /prefetch|preconnect|prerender|speculationrules|modulepreload/,
    'link.rel = "preconnect"',
    'script.type = "speculationrules"',
  ],
];

/** Uses that send nothing: the file, the reason, and the code. */
const USES:
  readonly (readonly [name: string, why: string, ...code: string[]])[] = [
    [
      "code.js",
      "code that is shown, for a program outside of the page",
      "fetch({ url, isPost, sent }) {",
      'await (await import("node:fs/promises"))',
      'open("request.json", "rb").read()',
      'await fetch("${url}"${isPost ? init : ""})',
    ],
    [
      "computer.js",
      "the worker, at its only URL",
      'new URL("worker.js", import.meta.url).href',
      "new Worker(WORKER, {",
    ],
    [
      "elements.js",
      "attributes of the constant PRIVATE, and elements by the names in other files",
      "field.setAttribute(name, value)",
      "document.createElement(tag)",
    ],
    [
      "files.js",
      "a download, from a blob: URL",
      "const href = URL.createObjectURL(new File([content], name))",
      'create("a", { href, download: name })',
      "URL.revokeObjectURL(href)",
    ],
    ["form.js", "a data attribute", "form.dataset.action = chosen"],
    [
      "links.js",
      "the URL of the page is read",
      'new URL(".", location.origin + location.pathname).href',
    ],
    [
      "page.js",
      "fragments, which no request contains",
      "location.hash = setLinks(tool, section.options)",
      "location.hash !== fragment",
      '`header a:is([href="#${name}"], [href^="#${name}?"])`',
      'link.setAttribute("href", fragment)',
      'history.replaceState(null, "", fragment)',
    ],
    [
      "result.js",
      "an image, from a blob: URL",
      "URL.revokeObjectURL(image.src)",
      'image.removeAttribute("src")',
      "image.src = URL.createObjectURL(new Blob([content], { type: kind.type }))",
    ],
    ["settings.js", "the fragment is read", "parseLink(location.hash)"],
    [
      "start.js",
      "the fragment is read, the MCP URL is shown, and a password is removed",
      'link.getAttribute("href")',
      "link.href = `#${name}`",
      "const { origin, pathname, search, hash } = location;",
      "location.replace(origin + pathname + search + hash)",
      'setText(document, { agents: new URL("mcp", getBase()).href })',
    ],
    [
      "vendor/packages.js",
      "CodeMirror: elements and attributes by names in its own code, and a constant image",
      "n.setAttribute(i,s):s!=null",
      "n.setAttribute(t,i)}}",
      "n.setAttribute(s,t[s])",
      "n=document.createElement(n)",
      "document.createElement(e.tagName)",
      "document.createElement(this.tag)",
      'this.styleTag=i.createElement("style")',
      'document.createElement("img");t.className="cm-widgetBuffer"',
      "backgroundImage:`url('data:image/svg+xml,",
    ],
  ];

/** The scripts and styles of the page by name, without comments on lines of their own. */
async function readSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const folder of ["", "vendor/"]) {
    for await (const { name } of Deno.readDir(new URL(folder, FOLDER))) {
      if (!/\.(?:js|css)$/.test(name)) continue;
      const text = await Deno.readTextFile(new URL(folder + name, FOLDER));
      const code = text.replaceAll(/^ *\/\*[^]*?\*\/$|^ *\/\/.*$/gm, "");
      sources.set(folder + name, code);
    }
  }
  return sources;
}

Deno.test("the expressions match code that can send data", async (t) => {
  for (const [pattern, ...examples] of WAYS) {
    for (const example of examples) {
      await t.step(example, () => assertMatch(example, pattern));
    }
  }
});

Deno.test("no script or style of the page contains code that can send data", async () => {
  const sources = await readSources();
  assert(sources.size >= 30);
  for (const [name, , ...uses] of USES) {
    for (const use of uses) {
      const code = sources.get(name)!;
      assertStringIncludes(code, use, `${name} no longer has a listed use`);
      sources.set(name, code.replaceAll(use, ""));
    }
  }
  const found = [...sources].flatMap(([name, code]) =>
    WAYS.flatMap(([pattern]) => pattern.exec(code)?.[0] ?? [])
      .map((part) => `${name}: ${part}`)
  );
  assertEquals(found, []);
});
