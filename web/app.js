/** The page: five tools that call the real endpoints while one types; their names and options are in the address. */

import { find, fromTemplate } from "./dom.js";
import { recall, remember, setTheme } from "./memory.js";
import { Tool } from "./tool.js";
import { TOOLS } from "./tools.js";

for (const slot of document.querySelectorAll("[data-template]")) {
  slot.prepend(fromTemplate(slot.getAttribute("data-template") ?? ""));
}
const tools = Object.keys(TOOLS).map((name) =>
  new Tool(find(document, `#${name}`))
);
let current = /** @type {Tool} */ (tools[0]);

/** Shows the tool in the address, such as `#hash?sha512`, else the last one, else the first. */
function showTool() {
  const { tool: last = "", options = {} } = recall();
  const address = location.hash.slice(1).toLowerCase() ||
    `${last}?${options[last] ?? ""}`;
  const [name, query = ""] = address.split("?");
  current = tools.find((tool) => tool.name === name) ?? tools[0] ?? current;
  for (const tool of tools) {
    tool.section.hidden = tool !== current;
    findLink(tool.name).ariaCurrent = tool === current ? "page" : null;
  }
  const { textContent } = findLink(current.name);
  document.title = `${textContent} · Developer Utilities`;
  current.show(query);
  writeAddress();
  scrollTo(0, 0);
  focusInput();
}

/** Focuses the input, but on a touch screen, which would open its keyboard. */
function focusInput() {
  if (matchMedia("(pointer: fine)").matches) current.input?.focus();
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
    !location.hash && current === tools[0] && !options;
  if (!isSame) history.replaceState(null, "", address);
}

/** Takes dropped files everywhere, before an editor reads them as it likes; dropped text is the editor's. @param {DragEvent} event */
function takeDrop(event) {
  const { type, dataTransfer, relatedTarget } = event;
  if (!dataTransfer?.types.includes("Files")) return;
  if (type !== "dragleave" || !relatedTarget) {
    document.body.classList.toggle("dropping", type === "dragover");
  }
  event.preventDefault();
  event.stopPropagation();
  if (type === "drop") current.takeFiles([...dataTransfer.files]);
}

/** Pastes into the input, but for what is pasted into another field. @param {ClipboardEvent} event */
function takePaste(event) {
  const { clipboardData } = event;
  const isField = event.composedPath().some((target) =>
    target instanceof Element && target.matches("input, .source .editor")
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
  const isCommand = ctrlKey || metaKey;
  const isText = target instanceof Element && target.matches("input, .editor");
  if (isText && !isCommand) return;
  const name = code.replace(/^Key|^Digit|^Numpad/, "");
  const command = `Control+${shiftKey ? "Shift+" : ""}${name}`;
  const keys = CSS.escape(isCommand ? command : key);
  const controls = document.querySelectorAll(
    `:not(.digest:not(:has(:checked))) > [aria-keyshortcuts="${keys}"]`,
  );
  const control = [...controls].find((control) => control.checkVisibility());
  if (control instanceof HTMLElement) control.click();
  else if (isCommand && command === "Control+Enter") current.run();
  else return;
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
for (const tool of tools) {
  const options = recall().options?.[tool.name];
  if (options) findLink(tool.name).href = `#${tool.name}?${options}`;
  tool.onOptions = writeAddress;
}
const theme = find(document, "#theme", HTMLSelectElement);
theme.value = recall().theme ?? "system";
theme.onchange = () => {
  setTheme(theme.value);
  remember({ theme: theme.value });
};
showTool();
find(document, "#agents").textContent = new URL("mcp", document.baseURI).href;
find(document, ".unencrypted").hidden = isSecureContext;
// Now the page can be used.
find(document, "#no-script").remove();
// Where measurements end.
performance.mark("usable");
