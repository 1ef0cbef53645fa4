/** The page: five tools that call the real endpoints while one types; their names and options are in the address. */

import { announce, find } from "./dom.js";
import { recall, remember, setTheme } from "./memory.js";
import { finishLoading, readAddress, showSection } from "./shell.js";
import { Tool } from "./tool.js";
import { TOOLS } from "./tools.js";

/** Ends a task, so that the browser can draw and answer between the parts of the start. */
function pause() {
  return new Promise((resolve) => setTimeout(resolve));
}

await pause();
const names = Object.keys(TOOLS);
/** The tools that have been shown. @type {Map<string, Tool>} */
const tools = new Map();
let current = getTool(readAddress().name);

/** A tool, which is made when it is first needed. @param {string} name */
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

/** Shows the tool in the address. */
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

/** Focuses the input, but on a touch screen, which would open its keyboard. */
function focusInput() {
  if (!matchMedia("(pointer: coarse)").matches) current.input?.focus();
}

/** @param {string} name */
function findLink(name) {
  return find(document, `nav [href^="#${name}"]`, HTMLAnchorElement);
}

/** Keeps the address, the link and the memory of the browser with the tool's options. */
function writeAddress() {
  const { name, options } = current;
  const address = `#${name}${options && `?${options}`}`;
  findLink(name).href = address;
  remember({ tool: name, options: { ...recall().options, [name]: options } });
  // A bare address stays bare where it means the same.
  const isSame = location.hash === address ||
    !location.hash && name === names[0] && !options;
  if (!isSame) history.replaceState(null, "", address);
}

/** Names the shortcuts as the keyboards of Apple do; ⌘ ⇧ with a number is the system's there. */
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

/** Takes dropped files everywhere, before an editor reads them as it likes; dropped text is the editor's. @param {DragEvent} event */
function takeDrop(event) {
  const { type, dataTransfer, relatedTarget } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  if (type !== "dragleave" || !relatedTarget) {
    const isOver = type === "dragover";
    document.body.classList.toggle("dropping", isOver);
    if (isOver && !current.input) dataTransfer.dropEffect = "none";
    find(document, ".drop-here").textContent = current.input
      ? "Drop one text file: it becomes the input"
      : "This tool has no input for a file";
  }
  event.preventDefault();
  event.stopPropagation();
  if (type === "drop") current.takeFiles([...dataTransfer.files]);
}

/** Pastes into the input, but for what is pasted into another field. @param {ClipboardEvent} event */
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

/** Clicks the control whose shortcut is pressed. @param {KeyboardEvent} event */
function takeKey(event) {
  const { key, code, shiftKey, ctrlKey, metaKey, target } = event;
  if (key === "Escape" && !document.querySelector("dialog[open]")) {
    if (current.cancel()) event.preventDefault();
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
  else if (!current.search()) return;
  event.preventDefault();
  event.stopPropagation();
}

for (const type of /** @type {const} */ (["dragover", "dragleave", "drop"])) {
  addEventListener(type, takeDrop, { capture: true });
}
addEventListener("paste", takePaste);
addEventListener("keydown", takeKey, { capture: true });
addEventListener("hashchange", showTool);
// The browser takes the focus away when it scrolls to the part that the address names.
addEventListener("load", () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusInput();
  }));
addEventListener("online", () => current.recover());
addEventListener("focus", () => current.recover());
addEventListener("unhandledrejection", () => {
  current.say("This page has made a mistake. Please load it again.");
});
for (const name of names) {
  const options = recall().options?.[name];
  if (options) findLink(name).href = `#${name}?${options}`;
}
// Buttons that name a command themselves are newer than some browsers in use.
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
find(document, "#agents").textContent = new URL("mcp", document.baseURI).href;
find(document, ".unencrypted").hidden = isSecureContext;
// Where measurements end.
performance.mark("usable");
