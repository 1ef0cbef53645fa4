/**
 * The page around the tools: shows the tool that the address names, keeps its
 * options, and repeats a call that has failed when the service may be back.
 * @module
 */

import { announce, find } from "./elements.js";
import { setLoading } from "./form.js";
import { readInputs, storeInputs } from "./memory.js";
import { Section } from "./section.js";
import { readAddress, readSettings, storeSettings } from "./settings.js";
import { listenToKeys } from "./shortcuts.js";
import { TOOLS } from "./tools.js";
import { listenToTransfers } from "./transfers.js";

/**
 * The sections of the tools that were shown since the page was loaded, by name.
 * @type {Map<string, Section>}
 */
const sections = new Map();

/** The inputs that were kept for a reload, by tool. */
const kept = readInputs();

/**
 * Returns the section of a tool; the first call for a tool makes it.
 * @param {string} name
 */
function getSection(name) {
  let section = sections.get(name);
  section ??= new Section(find(document, `#${name}`), {
    onOptions: writeAddress,
    onOpen(tool, text) {
      getSection(tool).input?.fill(text);
      location.hash = findLinks(tool)[0]?.hash ?? "";
    },
    onClear: keepInputs,
  }, kept[name]);
  sections.set(name, section);
  return section;
}

/** Keeps the inputs for a reload. If they do not fit, the shown tool comes first. */
function keepInputs() {
  const names = Object.keys(TOOLS);
  const inputs = new Map([current.name, ...names].map((name) => {
    const section = sections.get(name);
    return [name, (section ? section.input?.text : kept[name]) ?? ""];
  }));
  storeInputs(inputs);
}

/** Lets the browser draw and react to clicks before a step that takes long. */
async function pause() {
  await new Promise((resolve) => setTimeout(resolve));
}

await pause();
let current = getSection(readAddress().name);

/**
 * Gives life to the tool that the address names, of which start.js shows the frame. Is called
 * at the start, and after each change of the address.
 */
function showTool() {
  const { name, query, unknown } = readAddress();
  current = getSection(name);
  announce("");
  document.title = `${TOOLS[name]?.title} · Developer Utilities`;
  current.show(query);
  if (unknown) {
    current.say(`There is no tool “${unknown}”.`, "notice");
  }
  writeAddress();
  scrollTo(0, 0);
  // On a touch screen, the focus would open the keyboard.
  if (!matchMedia("(pointer: coarse)").matches) current.input?.focus();
}

/**
 * Returns the links to a tool: the one in the navigation, and for the first tool
 * also the name of the page.
 * @param {string} name
 * @returns {HTMLAnchorElement[]}
 */
function findLinks(name) {
  return [...document.querySelectorAll("header a")]
    .filter((link) => link instanceof HTMLAnchorElement)
    .filter(({ hash }) => hash.split("?")[0] === `#${name}`);
}

/**
 * Sets the options in the links to a tool. Returns the address of the links.
 * @param {string} name
 * @param {string} options
 */
function setLinks(name, options) {
  const address = `#${name}${options && `?${options}`}`;
  for (const link of findLinks(name)) link.href = address;
  return address;
}

/** Writes the options to the address, the links to the tool and the storage. */
function writeAddress() {
  const { name, options } = current;
  const address = setLinks(name, options);
  const stored = { ...readSettings().options, [name]: options };
  storeSettings({ tool: name, options: stored });
  // An address without a tool stays as it is: it shows the first tool.
  const isSame = location.hash === address ||
    !location.hash && address === "#base64";
  if (!isSame) history.replaceState(null, "", address);
}

/** Connects the menu of themes with the settings, which another tab may change. */
function prepareThemes() {
  const menu = find(document, "#theme", HTMLSelectElement);
  const showChosen = () => {
    menu.value = readSettings().theme ?? "system";
  };
  showChosen();
  addEventListener("storage", showChosen);
  menu.onchange = () => {
    applyTheme(menu.value);
    storeSettings({ theme: menu.value });
  };
}

listenToTransfers(() => current);
listenToKeys(() => current);
addEventListener("hashchange", showTool);
// A mobile browser may end a hidden page, without another event.
addEventListener("pagehide", keepInputs);
addEventListener("visibilitychange", keepInputs);
addEventListener("online", () => current.recover());
addEventListener("focus", () => current.recover());
addEventListener("unhandledrejection", () => {
  current.say("This page has made a mistake. Please load it again.");
});
for (const [name, options] of Object.entries(readSettings().options ?? {})) {
  if (options) setLinks(name, options);
}
prepareThemes();
find(document, "#password .unencrypted").hidden = isSecureContext;
// The browser draws the editors before the first call is made.
await pause();
setLoading(false);
showTool();
// The tests measure the time until the page can be used.
performance.mark("usable");
