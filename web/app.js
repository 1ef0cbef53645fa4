/// <reference path="./types.d.ts" />

/**
 * The page: five tools that call the real endpoints while one types. No text is
 * stored; a tool's name and options are in the address.
 *
 * @module
 */

import { find, refuseDisabledClicks } from "./dom.js";
import { recall, remember, setTheme } from "./memory.js";
import { Tool } from "./tool.js";
import { TOOLS } from "./tools.js";

const maxBodyBytes = Number(find(document, "main").dataset.maxBodyBytes);
const tools = Object.entries(TOOLS).map(([name, kind]) =>
  new Tool(find(document, `#${name}`), kind, maxBodyBytes)
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
    findLink(tool).removeAttribute("aria-current");
  }
  const link = findLink(current);
  link.setAttribute("aria-current", "page");
  document.title = `${link.textContent} · Developer Utilities`;
  current.show(query);
  writeAddress();
  scrollTo(0, 0);
}

/** @param {Tool} tool */
function findLink({ name }) {
  return find(document, `nav [href^="#${name}"]`);
}

/** Keeps the address, the link and the memory of the browser with the tool's options. */
function writeAddress() {
  const { name, options } = current;
  const address = `#${name}${options && `?${options}`}`;
  findLink(current).setAttribute("href", address);
  remember({ tool: name, options: { ...recall().options, [name]: options } });
  // A bare address stays bare where it means the same.
  const isSame = location.hash === address ||
    !location.hash && current === tools[0] && !options;
  if (!isSame) history.replaceState(null, "", address);
}

/** Takes dropped files everywhere, before an editor reads them as it likes; dropped text is the editor's. */
function takeDroppedFiles() {
  const { classList } = document.body;
  /** @param {DragEvent} event */
  function hasFiles(event) {
    if (!event.dataTransfer?.types.includes("Files")) return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
  addEventListener("dragover", (event) => {
    if (hasFiles(event)) classList.add("dropping");
  }, { capture: true });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    classList.remove("dropping");
    const { dataTransfer } = event;
    if (!hasFiles(event) || !dataTransfer) return;
    const entry = dataTransfer.items[0]?.webkitGetAsEntry();
    current.takeFiles([...dataTransfer.files], entry?.isDirectory);
  }, { capture: true });
}

/** Pastes into the input, but for what is pasted into another field. */
function takePastes() {
  addEventListener("paste", (event) => {
    const isField = event.composedPath().some((target) =>
      target instanceof Element && target.matches("input, .source .editor")
    );
    if (isField || !event.clipboardData) return;
    event.preventDefault();
    const { files } = event.clipboardData;
    const text = event.clipboardData.getData("text/plain");
    if (text) current.paste(text);
    else current.takeFiles([...files]);
  });
}

/** @param {KeyboardEvent} event @returns {(() => void) | undefined} */
function findShortcut({ key, code, shiftKey, ctrlKey, metaKey, target }) {
  const { section } = current;
  if (ctrlKey || metaKey) {
    if (key === "Enter" && !shiftKey) return () => current.run();
    const copy = ".copy.primary, .digest:has(:checked) .copy";
    if (key === "Enter") return () => find(section, copy).click();
    const reuse = section.querySelector(".reuse:not([hidden])");
    if (code === "KeyS" && shiftKey && reuse instanceof HTMLElement) {
      return () => reuse.click();
    }
    const tool = tools[Number(/^Digit(\d)$/.exec(code)?.[1]) - 1];
    if (!tool || !shiftKey) return;
    return () => {
      findLink(tool).click();
      setTimeout(() => tool.focus());
    };
  }
  const isText = target instanceof Element && target.matches("input, .editor");
  if (key === "?" && !isText) return showShortcuts;
}

function showShortcuts() {
  find(document, "#shortcuts", HTMLDialogElement).showModal();
}

refuseDisabledClicks();
takeDroppedFiles();
takePastes();
for (const tool of tools) tool.onOptions = writeAddress;
for (const [name, options] of Object.entries(recall().options ?? {})) {
  const link = document.querySelector(`nav [href="#${name}"]`);
  if (options) link?.setAttribute("href", `#${name}?${options}`);
}
addEventListener("hashchange", showTool);
addEventListener("keydown", (event) => {
  const act = findShortcut(event);
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}, { capture: true });
for (const event of ["online", "focus"]) {
  addEventListener(event, () => current.recover());
}
const theme = find(document, "#theme", HTMLSelectElement);
theme.value = recall().theme ?? "system";
theme.onchange = () => {
  setTheme(theme.value);
  remember({ theme: theme.value });
};
find(document, "#help").onclick = showShortcuts;
showTool();
// A touch screen would open its keyboard.
if (matchMedia("(pointer: fine)").matches) current.focus();
find(document, "#agents").textContent = new URL("mcp", document.baseURI).href;
find(document, ".unencrypted").hidden = isSecureContext;
// Now the page can be used.
find(document, "#no-script").remove();
for (const selector of ["nav", ".settings", "footer"]) {
  find(document, selector).hidden = false;
}
// Where measurements end.
performance.mark("usable");
