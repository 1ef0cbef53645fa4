/** Main module of the page: shows the tool that the page's URL names, and handles shortcuts, dropped files and pasted text. */

import { announce, find } from "./dom.js";
import { recall, remember, setTheme } from "./memory.js";
import { finishLoading, readAddress, showSection } from "./shell.js";
import { Tool } from "./tool.js";
import { TOOLS } from "./tools.js";

/** Returns a promise that resolves in a new task, so that the browser can first draw and react to input. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

await pause();
const names = Object.keys(TOOLS);
/** The tools created so far, by name. @type {Map<string, Tool>} */
const tools = new Map();
let current = getTool(readAddress().name);

/** Returns the tool with the given name. Creates the tool at the first use. @param {string} name */
function getTool(name) {
  const known = tools.get(name);
  if (known) return known;
  const tool = new Tool(find(document, `#${name}`));
  tool.onOptions = writeAddress;
  tool.onHandOver = (name, text) => {
    getTool(name).input?.fill(text);
    location.hash = findLink(name).hash;
  };
  tool.onLeave = () => findLink(tool.name).focus();
  tools.set(name, tool);
  return tool;
}

/** Shows the tool that the page's URL names. */
function showTool() {
  const { name, query, unknown } = readAddress();
  current = getTool(name);
  announce("");
  showSection(name);
  const { textContent } = findLink(current.name);
  document.title = `${textContent} · Developer Utilities`;
  current.show(query);
  if (unknown) {
    current.say(`There is no tool “${unknown}”.`, { kind: "notice" });
  }
  writeAddress();
  scrollTo(0, 0);
  focusInput();
}

/** Focuses the input of the current tool, except on touch screens, where this would open the keyboard. */
function focusInput() {
  if (!matchMedia("(pointer: coarse)").matches) current.input?.focus();
}

/** Returns the link to a tool in the navigation. @param {string} name */
function findLink(name) {
  return find(document, `nav [href^="#${name}"]`, HTMLAnchorElement);
}

/** Writes the options of the current tool to the page's URL, to the tool's link in the navigation, and to the browser's storage. */
function writeAddress() {
  const { name, options } = current;
  const address = `#${name}${options && `?${options}`}`;
  findLink(name).href = address;
  remember({ tool: name, options: { ...recall().options, [name]: options } });
  // For the first tool with its default options, a URL without a fragment stays as it is.
  const isSame = location.hash === address ||
    !location.hash && name === names[0] && !options;
  if (!isSame) history.replaceState(null, "", address);
}

/** On Apple devices, shows the shortcuts with Apple symbols: ⌘ for Control, ⇧ for Shift. The shortcuts that open a tool keep Control (⌃), since macOS reserves ⌘ ⇧ with a digit. */
function nameShortcuts() {
  if (!/Mac|iPhone|iPad/.test(navigator.platform)) return;
  for (const key of document.querySelectorAll("kbd")) {
    const isTool = key.closest("dt")?.textContent.includes("…");
    const names = { Ctrl: isTool ? "⌃" : "⌘", Shift: "⇧" };
    const { textContent } = key;
    key.textContent = Object.entries(names)
      .find(([name]) => name === textContent)?.[1] ?? textContent;
  }
}

/** Shows a notice while files are dragged over the page. Gives dropped files to the current tool, and prevents the editors from inserting them. Ignores dropped text, which the editors insert. @param {DragEvent} event */
function takeDrop(event) {
  const { type, dataTransfer, relatedTarget } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  if (type !== "dragleave" || !relatedTarget) {
    const isOver = type === "dragover";
    if (isOver && !current.input) dataTransfer.dropEffect = "none";
    const notice = find(document, ".drop-here");
    notice.hidden = !isOver;
    notice.textContent = current.input
      ? "Drop one text file: it becomes the input"
      : "This tool has no input for a file";
  }
  event.preventDefault();
  event.stopPropagation();
  if (type === "drop") current.takeFiles([...dataTransfer.files]);
}

/** Pastes text or a file into the input of the current tool, unless the input or another field has the focus. @param {ClipboardEvent} event */
function takePaste(event) {
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

/** Handles the shortcuts: most click a control, Escape cancels the call, Ctrl+Enter starts a call. @param {KeyboardEvent} event */
function takeKey(event) {
  const { key, code, shiftKey, ctrlKey, metaKey, target } = event;
  if (key === "Escape" && !document.querySelector("dialog[open]")) {
    if (current.calls.cancel()) event.preventDefault();
    return;
  }
  const isCommand = ctrlKey || metaKey;
  const isText = target instanceof Element &&
    target.matches("input, textarea, .editor");
  const isEditor = target instanceof Element && target.matches(".editor");
  if (isText && !isCommand) return;
  const name = code.replace(/^Key|^Digit|^Numpad/, "");
  const command = `Control+${shiftKey ? "Shift+" : ""}${name}`;
  const keys = CSS.escape(isCommand ? command : key);
  const controls = document.querySelectorAll(
    `:not(.digest:not(:has(:checked))) > [aria-keyshortcuts="${keys}"]`,
  );
  const control = [...controls].find((control) => control.checkVisibility());
  if (control instanceof HTMLElement) control.click();
  else if (command === "Control+Enter" && isCommand) current.run();
  else if (command !== "Control+F" || !isCommand || isEditor) return;
  else if (!current.result.search()) return;
  event.preventDefault();
  event.stopPropagation();
}

for (const type of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
  addEventListener(type, takeDrop, { capture: true });
}
addEventListener("paste", takePaste);
addEventListener("keydown", takeKey, { capture: true });
addEventListener("hashchange", showTool);
// Focuses the input again: after loading, browsers scroll to the section that the URL names, which removes the focus.
addEventListener("load", () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusInput();
  }));
addEventListener("online", () => current.calls.recover());
addEventListener("focus", () => current.calls.recover());
addEventListener("unhandledrejection", () => {
  current.say("This page has made a mistake. Please load it again.");
});
for (const name of names) {
  const options = recall().options?.[name];
  if (options) findLink(name).href = `#${name}?${options}`;
}
// A script opens the dialog with the shortcuts, since some supported browsers lack the button attribute `command`.
const shortcuts = find(document, "#shortcuts", HTMLDialogElement);
find(document, "#help").onclick = () => shortcuts.showModal();
const theme = find(document, "#theme", HTMLSelectElement);
theme.value = recall().theme ?? "system";
theme.onchange = () => {
  setTheme(theme.value);
  remember({ theme: theme.value });
};
await pause();
finishLoading();
nameShortcuts();
showTool();
find(document, ".unencrypted").hidden = isSecureContext;
// The tests measure the loading time of the page up to this mark.
performance.mark("usable");
