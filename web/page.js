/**
 * The page around the tools: shows the tool that the URL names, and writes the
 * options of the tool to the URL.
 * @module
 */

import { Computer, WORKER } from "./computer.js";
import { applyWrapping } from "./editor.js";
import { announce, find } from "./elements.js";
import { setLoading } from "./form.js";
import { UNEXPECTED_ERROR } from "./outcome.js";
import { Section } from "./section.js";
import {
  connect,
  readInputs,
  readLocation,
  readSettings,
  storeInputs,
  storeSettings,
} from "./settings.js";
import { listenToKeys } from "./shortcuts.js";
import { TOOLS } from "./tools.js";
import { listenToTransfers } from "./transfers.js";
// @ts-types="../tools/operations.js"
import { quote } from "./vendor/operations.js";

// With Trusted Types, this policy permits only the worker's URL, and no HTML from
// strings.
self.trustedTypes?.createPolicy("default", {
  createScriptURL: (url) => url === WORKER ? url : null,
});

const computer = new Computer();

/**
 * The sections of the tools that were shown since the page was loaded, by name.
 * @type {Map<string, Section>}
 */
const sections = new Map();

/** The inputs that this tab has stored before a reload, by tool. */
const kept = readSettings().isInputKept ? readInputs() : {};

/**
 * Returns the `Section` of a tool, which the first call creates.
 * @param {string} name
 */
function getSection(name) {
  let section = sections.get(name);
  section ??= new Section(find(document, `#${name}`), {
    onOptions: storeOptions,
    onOpen(tool, text) {
      const section = getSection(tool);
      section.input?.fill(text);
      location.hash = setLinks(tool, section.options);
    },
    onClear: keepInputs,
  }, { computer, text: kept[name] ?? "" });
  sections.set(name, section);
  return section;
}

/** Stores the inputs for a reload, or removes them if the user doesn't want that. */
function keepInputs() {
  const names = readSettings().isInputKept ? Object.keys(TOOLS) : [];
  storeInputs(names.map((name) => {
    const section = sections.get(name);
    return [name, (section ? section.input?.text : kept[name]) ?? ""];
  }));
}

/** Continues in a new task, so the browser can draw and handle clicks. */
async function yieldToBrowser() {
  await new Promise((resolve) => setTimeout(resolve));
}

await yieldToBrowser();
let current = getSection(readLocation().name);

/**
 * Shows the tool, options, and input of the URL, and removes the input from the
 * URL. start.js has already made the section visible.
 */
function showTool() {
  const { name, options, input, unknown } = readLocation();
  current = getSection(name);
  announce("");
  document.title = `${TOOLS[name]?.title} · Developer Utilities`;
  current.show(options, input);
  if (unknown) {
    current.showMessage(`There is no tool named ${quote(unknown)}.`, "notice");
  }
  storeOptions(current);
  scrollTo(0, 0);
  // On a touch screen, the focus would open the on-screen keyboard.
  if (!matchMedia("(pointer: coarse)").matches) current.input?.focus();
}

/**
 * Sets the options in the links to a tool. Returns the fragment, such as
 * `#hash?sha512`.
 * @param {string} name
 * @param {string} options
 */
function setLinks(name, options) {
  const fragment = `#${name}${options && `?${options}`}`;
  const links = document.querySelectorAll(
    `header a:is([href="#${name}"], [href^="#${name}?"])`,
  );
  for (const link of links) link.setAttribute("href", fragment);
  return fragment;
}

/**
 * Writes the options of a tool to its links and the settings, and if the tool is
 * shown, to the URL.
 * @param {Section} section
 */
function storeOptions(section) {
  const { name, options } = section;
  const fragment = setLinks(name, options);
  storeSettings({ options: { ...readSettings().options, [name]: options } });
  if (section !== current) return;
  storeSettings({ tool: name });
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
}

addEventListener("hashchange", showTool);
// A mobile browser can discard a hidden page without the event `pagehide`.
addEventListener("pagehide", keepInputs);
addEventListener("visibilitychange", keepInputs);
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, (event) => {
    // Browser notices, such as about `ResizeObserver`, have no error.
    const isNotice = event instanceof ErrorEvent && !event.error;
    if (!isNotice) current.showMessage(UNEXPECTED_ERROR, "error");
  });
}
for (const [name, options] of Object.entries(readSettings().options)) {
  if (options) setLinks(name, options);
}
connect("#theme", "theme", applyTheme);
connect("#keep", "isInputKept", keepInputs);
applyWrapping();
addEventListener("storage", applyWrapping);
find(document, ".insecure").hidden = isSecureContext;
// Lets the browser draw the editors before `showTool()` makes the first call.
await yieldToBrowser();
setLoading(false);
showTool();
// Earlier, a key or file would act on a form without the options of the URL.
listenToTransfers(() => current);
listenToKeys(() => current);
performance.mark("usable");
await computer.complete.promise;
// After this mark, the page makes no request.
performance.mark("complete");
