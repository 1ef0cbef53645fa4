/**
 * The page around the tools: shows the one that the address names, and handles
 * shortcuts, pasted texts, dropped files and the theme.
 * @module
 */

import { announce, find } from "./elements.js";
import { Section } from "./section.js";
import * as start from "./start.js";
import { TOOLS } from "./tools.js";

/** The sections that were shown, by name. @type {Map<string, Section>} */
const sections = new Map();

/** Returns the section of a tool, made when first needed. */
function getSection(/** @type {string} */ name) {
  let section = sections.get(name);
  section ??= new Section(find(document, `#${name}`), {
    onOptions: writeAddress,
    onOpen(tool, text) {
      getSection(tool).input?.fill(text);
      location.hash = findLink(tool).hash;
    },
  });
  sections.set(name, section);
  return section;
}

let current = getSection(start.readAddress().name);

/** Takes over the tool that start.js has shown. */
function showTool() {
  const { name, query, unknown } = start.readAddress();
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

/** Returns the link to a tool. @param {string} name */
function findLink(name) {
  return find(document, `nav [href^="#${name}"]`, HTMLAnchorElement);
}

/** Writes the options to the address, the link of the tool and the storage. */
function writeAddress() {
  const { name, options } = current;
  const address = `#${name}${options && `?${options}`}`;
  findLink(name).href = address;
  const stored = { ...start.readSettings().options, [name]: options };
  start.storeSettings({ tool: name, options: stored });
  // The address of the page alone means the first tool.
  const isSame = location.hash === address ||
    !location.hash && address === "#base64";
  if (!isSame) history.replaceState(null, "", address);
}

/** Names the keys as on Apple's keyboards; macOS keeps ⌘ ⇧ and a digit. */
function nameKeys() {
  if (!/Mac|iPhone|iPad/.test(navigator.platform)) return;
  for (const key of document.querySelectorAll("kbd")) {
    const isTool = key.parentElement?.textContent.includes("…");
    if (key.textContent === "Ctrl") key.textContent = isTool ? "⌃" : "⌘";
    if (key.textContent === "Shift") key.textContent = "⇧";
  }
}

/** Takes files wherever they are dropped; the editors take dropped text. */
function takeDrop(/** @type {DragEvent} */ event) {
  const { type, dataTransfer, relatedTarget } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.stopPropagation();
  if (type === "drop") current.takeFiles([...dataTransfer.files]);
  // While files are over the page, leaving an element enters another.
  if (type === "dragleave" && relatedTarget) return;
  const notice = find(document, ".drop-here");
  notice.hidden = type !== "dragover";
  notice.textContent = current.input
    ? "Drop one text file: it becomes the input"
    : "This tool has no input for a file";
  if (!current.input) dataTransfer.dropEffect = "none";
}

/** Pastes into the input, unless a field has the focus. */
function takePaste(/** @type {ClipboardEvent} */ event) {
  const { clipboardData } = event;
  const isField = event.composedPath().some((target) =>
    target instanceof Element &&
    target.matches("input, textarea, .source .editor")
  );
  if (isField || !clipboardData) return;
  event.preventDefault();
  const text = clipboardData.getData("text/plain");
  if (text) current.input?.paste(text);
  else current.takeFiles([...clipboardData.files]);
}

/**
 * Returns whether a key was a shortcut; most click the control that names them.
 * @param {KeyboardEvent} event
 */
function pressKey({ key, code, shiftKey, ctrlKey, metaKey, target }) {
  if (document.querySelector("dialog[open]")) return false;
  if (key === "Escape") return current.cancel();
  const isCommand = ctrlKey || metaKey;
  const isEditor = target instanceof Element && target.matches(".editor");
  const isText = isEditor ||
    target instanceof Element && target.matches("input, textarea");
  if (isText && !isCommand) return false;
  const name = code.replace(/^Key|^Digit|^Numpad/, "");
  const command = `Control+${shiftKey ? "Shift+" : ""}${name}`;
  const keys = CSS.escape(isCommand ? command : key);
  // Of the digests, the chosen one is copied.
  const controls = document.querySelectorAll(
    `:not(.digest:not(:has(:checked))) > [aria-keyshortcuts="${keys}"]`,
  );
  const control = [...controls].find((control) => control.checkVisibility());
  if (control instanceof HTMLElement) control.click();
  else if (isCommand && command === "Control+Enter") current.run();
  else if (!isCommand || command !== "Control+F" || isEditor) return false;
  else return current.search();
  return true;
}

for (const type of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
  addEventListener(type, takeDrop, { capture: true });
}
addEventListener("paste", takePaste);
addEventListener("keydown", (event) => {
  if (!pressKey(event)) return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
addEventListener("hashchange", showTool);
addEventListener("online", () => current.recover());
addEventListener("focus", () => current.recover());
addEventListener("unhandledrejection", () => {
  current.say("This page has made a mistake. Please load it again.");
});
const { options = {}, theme: chosen = "system" } = start.readSettings();
for (const [name, query] of Object.entries(options)) {
  if (query && name in TOOLS) findLink(name).href = `#${name}?${query}`;
}
// The attribute `command` of buttons is newer than some browsers in use.
const shortcuts = find(document, "#shortcuts", HTMLDialogElement);
find(document, "#help").onclick = () => shortcuts.showModal();
const theme = find(document, "#theme", HTMLSelectElement);
theme.value = chosen;
theme.onchange = () => {
  start.setTheme(theme.value);
  start.storeSettings({ theme: theme.value });
};
find(document, "#password .unencrypted").hidden = isSecureContext;
nameKeys();
// The editors are drawn before the first call is made.
await new Promise((resolve) => setTimeout(resolve));
start.setLoading(false);
showTool();
// The tests measure the time until the page can be used.
performance.mark("usable");
