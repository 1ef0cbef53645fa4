/**
 * No policy stops a page from sending data by an address that it navigates to or loads from
 * its own service, by a cookie, or by a connection between browsers. Its scripts and style
 * contain no expression that could do so, besides the uses that are listed here. The search
 * finds an expression that is written plainly, not one that is composed at run time.
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";

const FOLDER = new URL("../../web/", import.meta.url);

/** Expressions that send data, and a piece of code for each way that one stands for. */
const WAYS: readonly (readonly [RegExp, ...string[]])[] = [
  [
    /\blocation\b|\bnavigation\b|\bhistory\s*\.\s*\w|\.\s*navigate\(|openWindow/,
    "location = text",
    "location.href = text",
    "location.search = text",
    "location.pathname = text",
    "location.host = text",
    "location.assign(text)",
    "document.location.replace(text)",
    "location.reload()",
    "Object.assign(location, { search: text })",
    "navigation.navigate(text)",
    "history.pushState(null, '', text)",
    "history.go(0)",
    "client.navigate(text)",
    "clients.openWindow(text)",
  ],
  [
    /\b(?:src|srcset|imageSrcset|href|srcdoc|poster|ping|formAction|xlink)\b/i,
    "link.href = `style.css?${text}`",
    "a.href += text; a.click()",
    "image.src = text",
    "image.srcset = text",
    "frame.srcdoc = text",
    "video.poster = text",
    "a.ping = text",
    "button.formAction = text",
    "[image.src] = [text]",
    'image["src"] = text',
    'image.setAttribute("src", text)',
    'use.setAttributeNS(XLINK, "xlink:href", text)',
    'Reflect.set(image, "src", text)',
    'create("link", { href: text })',
    "Object.assign(image, { src })",
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
    "a.host = text",
    "a.hostname = text",
    "a.port ||= text",
    "a.protocol = text",
    "a.username = text",
    "a.password = text",
  ],
  // With a name that only the running code knows, it can set any attribute.
  [
    /\bsetAttribute\((?!\s*"[\w-]+")|setAttributeN(?:S|ode)|createAttribute|setNamedItem/,
    "image.setAttribute(name, text)",
    'use.setAttributeNS(XLINK, "href", text)',
    "image.setAttributeNode(node)",
    'document.createAttribute("src")',
    "image.attributes.setNamedItem(node)",
  ],
  [
    /(?<![.\w])create\((?!\s*["']|[^()]*\)\s*\{)|\bcreateElement\((?!\s*["'])|createElementNS|createDocument\b/,
    "create(tag, {})",
    "document.createElement(tag)",
    'document.createElementNS(SVG, "script")',
    "document.implementation.createDocument(null, name)",
  ],
  [
    /\bcreate(?:Element)?\(\s*["'](?:a|area|script|link|style|iframe|frame|embed|object|base|meta|img|image|picture|source|audio|video|track|svg)\b/,
    'create("a", {})',
    'create("img", properties)',
    "document.createElement('script')",
    'document.createElement("link")',
    'document.createElement("style")',
    'document.createElement("iframe")',
    'document.createElement("meta")',
  ],
  [
    /\b(?:Image|Audio|FontFace)\(|\burl\(|image-set\(|@import/,
    "new Image().src = `icon.png?${text}`",
    "new Audio(text)",
    "new FontFace(name, source)",
    "element.style.backgroundImage = `url(icon.svg?${text})`",
    'sheet.replaceSync(`a { cursor: image-set("icon.svg?${text}") }`)',
    "sheet.insertRule(`@import 'style.css?${text}'`)",
  ],
  [
    /\b(?:Shared)?Worker\(|\.register\(|addModule|importScripts/,
    "new Worker(`worker.js?${text}`)",
    "new SharedWorker(text)",
    "navigator.serviceWorker.register(text)",
    "CSS.paintWorklet.addModule(text)",
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
    "element.outerHTML = text",
    "element.insertAdjacentHTML('beforeend', text)",
    "document.write(text)",
    "element.setHTMLUnsafe(text)",
    "range.createContextualFragment(text)",
    "new DOMParser().parseFromString(text, type)",
    "Document.parseHTMLUnsafe(text)",
  ],
  [
    /\bopen\(|\.share\(|\bNotification\(|(?:window|globalThis|self)\.name\b/,
    "open(text)",
    "window.open(text)",
    "navigator.share({ text })",
    "new Notification(title, { icon: text })",
    "window.name = text",
  ],
  [
    /\bfetch(?:Later)?\(|XMLHttpRequest|sendBeacon|EventSource|WebSocket/,
    "fetch(text)",
    "fetchLater(text)",
    "new XMLHttpRequest()",
    "navigator.sendBeacon(path, text)",
    "new EventSource(text)",
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
    'link.rel = "dns-prefetch"',
    'link.rel = "prerender"',
    'link.rel = "modulepreload"',
    'script.type = "speculationrules"',
  ],
];

/** Uses of these expressions that send nothing: the file, the reason, and the code. */
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
      "the worker, at its one address",
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
      "location.hash !== address",
      '`header a:is([href="#${name}"], [href^="#${name}?"])`',
      'link.setAttribute("href", address)',
      'history.replaceState(null, "", address)',
    ],
    [
      "result.js",
      "an image, from a blob: URL",
      "URL.revokeObjectURL(image.src)",
      'image.removeAttribute("src")',
      "image.src = URL.createObjectURL(bytes)",
    ],
    ["settings.js", "the fragment is read", "readLink(location.hash)"],
    [
      "start.js",
      "the fragment is read, the address for agents is shown, and a password is removed",
      'link.getAttribute("href")',
      "link.href = `#${name}`",
      "const { origin, pathname, search, hash } = location;",
      "location.replace(origin + pathname + search + hash)",
      'write(document, { agents: new URL("mcp", getBase()).href })',
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

Deno.test("each way to send data is recognized in code", async (t) => {
  for (const [pattern, ...examples] of WAYS) {
    for (const example of examples) {
      await t.step(example, () => assertMatch(example, pattern));
    }
  }
});

Deno.test("no script and no style of the page contains a way to send data", async () => {
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

Deno.test("the service worker gets nothing from the page", async () => {
  const url = new URL("service_worker.js", FOLDER);
  const code = await Deno.readTextFile(url);
  const events = [...code.matchAll(/addEventListener\("(\w+)"|\bon(\w+) *=/g)]
    .map(([, added, set]) => added ?? set);
  assertEquals(events, ["install", "activate"]);
});
