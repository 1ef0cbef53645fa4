/**
 * The page around the tools: shows the one that the address names, keeps its
 * options, and recovers when the service may be back.
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
 * The sections that were shown, by name.
 * @type {Map<string, Section>}
 */
const sections = new Map();

/** The inputs that were kept for a reload, by tool. */
const kept = readInputs();

/**
 * Returns the section of a tool, made when first needed.
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

/** Keeps the inputs for a reload, that of the shown tool first. */
function keepInputs() {
  const names = Object.keys(TOOLS);
  const inputs = new Map([current.name, ...names].map((name) => {
    const section = sections.get(name);
    return [name, (section ? section.input?.text : kept[name]) ?? ""];
  }));
  storeInputs(inputs);
}

/** Lets the browser draw and answer before a step that takes time. */
async function pause() {
  await new Promise((resolve) => setTimeout(resolve));
}

await pause();
let current = getSection(readAddress().name);

/** Takes over the tool that start.js shows, at the start and after each change of the address. */
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
  // On touch screens this would open the keyboard.
  if (!matchMedia("(pointer: coarse)").matches) current.input?.focus();
}

/**
 * Returns the links to a tool. The name of the page is a link to the first.
 * @param {string} name
 * @returns {HTMLAnchorElement[]}
 */
function findLinks(name) {
  return [...document.querySelectorAll("header a")]
    .filter((link) => link instanceof HTMLAnchorElement)
    .filter(({ hash }) => hash.split("?")[0] === `#${name}`);
}

/**
 * Makes the links to a tool lead to it with options.
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
  // The address of the page alone means the first tool.
  const isSame = location.hash === address ||
    !location.hash && address === "#base64";
  if (!isSame) history.replaceState(null, "", address);
}

/** Lets the menu of themes follow the settings, and the page the menu. */
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
// Mobile browsers end pages that are hidden without a further event.
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
// The editors are drawn before the first call is made.
await pause();
setLoading(false);
showTool();
// The tests measure the time until the page can be used.
performance.mark("usable");
