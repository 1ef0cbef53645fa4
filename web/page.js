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
  readAddress,
  readInputs,
  readSettings,
  storeInputs,
  storeSettings,
} from "./settings.js";
import { listenToKeys } from "./shortcuts.js";
import { TOOLS } from "./tools.js";
import { listenToTransfers } from "./transfers.js";
// @ts-types="../tools/operations.js"
import { quote } from "./vendor/operations.js";

// Browsers with Trusted Types start no other script than this one by its URL, and
// make no HTML from strings, because this policy doesn't permit either.
self.trustedTypes?.createPolicy("default", {
  createScriptURL: (url) => url === WORKER ? url : null,
});

const computer = new Computer();

/**
 * The sections of the tools that were shown since the page was loaded, by name.
 * @type {Map<string, Section>}
 */
const sections = new Map();

/**
 * The inputs, by tool, that were stored in this tab before the page was loaded.
 */
const kept = readSettings().isInputKept ? readInputs() : {};

/**
 * Returns the `Section` of a tool. The first call for the tool creates the
 * object.
 * @param {string} name
 */
function getSection(name) {
  let section = sections.get(name);
  section ??= new Section(find(document, `#${name}`), {
    onOptions: writeOptions,
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

/**
 * Stores the inputs for a reload, the input of the shown tool first: all inputs
 * together may be larger than `storeInputs()` permits. Unless the user wants
 * that, removes the stored inputs.
 */
function keepInputs() {
  if (!readSettings().isInputKept) {
    storeInputs([]);
    return;
  }
  const names = Object.keys(TOOLS);
  const inputs = new Map([current.name, ...names].map((name) => {
    const section = sections.get(name);
    return [name, (section ? section.input?.text : kept[name]) ?? ""];
  }));
  storeInputs(inputs);
}

/**
 * Continues in a new task, so that the browser can draw and react to clicks
 * before a step that takes long.
 */
async function pause() {
  await new Promise((resolve) => setTimeout(resolve));
}

await pause();
let current = getSection(readAddress().name);

/**
 * Shows the tool that `readAddress()` returns, with its options and the text
 * for its input, which are then out of the address.
 * start.js has already made the section of the tool visible. Called once after
 * loading, and on each `hashchange`; `history.replaceState()` causes none.
 */
function showTool() {
  const { name, options, input, unknown } = readAddress();
  current = getSection(name);
  announce("");
  document.title = `${TOOLS[name]?.title} · Developer Utilities`;
  current.show(options, input);
  if (unknown) current.say(`There is no tool ${quote(unknown)}.`, "notice");
  writeOptions(current);
  scrollTo(0, 0);
  // On a touch screen, the focus would open the on-screen keyboard.
  if (!matchMedia("(pointer: coarse)").matches) current.input?.focus();
}

/**
 * Sets the options in the links to a tool: the one in the navigation, and for
 * Base64 also the heading of the page. Returns the new address of the links, such
 * as `#hash?sha512`.
 * @param {string} name
 * @param {string} options
 */
function setLinks(name, options) {
  const address = `#${name}${options && `?${options}`}`;
  const links = document.querySelectorAll(
    `header a:is([href="#${name}"], [href^="#${name}?"])`,
  );
  for (const link of links) link.setAttribute("href", address);
  return address;
}

/**
 * Writes the options of a tool to its links and the settings. For the shown
 * tool, also writes its name to the settings and the options to the address.
 * @param {Section} section
 */
function writeOptions(section) {
  const { name, options } = section;
  const address = setLinks(name, options);
  storeSettings({ options: { ...readSettings().options, [name]: options } });
  if (section !== current) return;
  storeSettings({ tool: name });
  if (location.hash !== address) history.replaceState(null, "", address);
}

addEventListener("hashchange", showTool);
// `pagehide` alone is not enough: a mobile browser can discard a hidden page
// without this event.
addEventListener("pagehide", keepInputs);
addEventListener("visibilitychange", keepInputs);
for (const type of ["error", "unhandledrejection"]) {
  addEventListener(type, (event) => {
    // A notice of the browser, such as that of a `ResizeObserver`, has no error.
    const isNotice = event instanceof ErrorEvent && !event.error;
    if (!isNotice) current.say(UNEXPECTED_ERROR, "wrong");
  });
}
for (const [name, options] of Object.entries(readSettings().options ?? {})) {
  if (options) setLinks(name, options);
}
connect("#theme", "theme", applyTheme);
connect("#keep", "isInputKept", keepInputs);
applyWrapping();
addEventListener("storage", applyWrapping);
find(document, ".insecure").hidden = isSecureContext;
// Lets the browser draw the editors before `showTool()` makes the first call.
await pause();
setLoading(false);
showTool();
// Called after `showTool()`: before, a key or a dropped file would act on a
// form without the options of the address.
listenToTransfers(() => current);
listenToKeys(() => current);
// From now on the page can be used.
performance.mark("usable");
await computer.complete;
// From now on the page requests nothing.
performance.mark("complete");
