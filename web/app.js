/// <reference path="./types.d.ts" />

/**
 * The page: five tools that call the real endpoints as one types. Nothing is
 * stored, and no more than a tool's name and options is in the address.
 *
 * @module
 */

import { find, refuseWhatIsOff } from "./dom.js";
import { Tool } from "./tool.js";
import { TOOLS } from "./tools.js";

const maxBodyBytes = Number(find(document, "main").dataset.maxBodyBytes);
const tools = Object.entries(TOOLS).map(([name, kind]) =>
  new Tool(find(document, `#${name}`), kind, maxBodyBytes)
);
let current = /** @type {Tool} */ (tools[0]);

/** Shows what the address names, in any case: `#hash?sha512`. At worst, the first tool. */
function showTool() {
  const [name, options] = location.hash.slice(1).toLowerCase().split("?");
  current = tools.find((tool) => tool.name === name) ?? tools[0] ?? current;
  for (const tool of tools) {
    tool.section.hidden = tool !== current;
    findLink(tool).removeAttribute("aria-current");
  }
  const link = findLink(current);
  link.setAttribute("aria-current", "page");
  document.title = `${link.textContent} · Developer Utilities`;
  current.show(options ? options.split("&") : []);
  writeAddress();
  scrollTo(0, 0);
}

/** @param {Tool} tool */
function findLink({ name }) {
  return find(document, `nav [href^="#${name}"]`);
}

/** Keeps the address, and the link, with the tool's options. */
function writeAddress() {
  const { name, options } = current;
  const query = options.length > 0 ? `?${options.join("&")}` : "";
  const address = `#${name}${query}`;
  findLink(current).setAttribute("href", address);
  // A bare address stays bare.
  const isSame = location.hash === address || !location.hash && !query;
  if (!isSame) history.replaceState(null, "", address);
}

/** Takes files, wherever they are dropped. Text is the browser's to drop. */
function takeDroppedFiles() {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    current.section.classList.add("dropping");
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (!relatedTarget) current.section.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    const { dataTransfer } = event;
    current.section.classList.remove("dropping");
    if (!dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    const entry = dataTransfer.items[0]?.webkitGetAsEntry();
    current.takeFiles([...dataTransfer.files], entry?.isDirectory);
  });
}

refuseWhatIsOff();
takeDroppedFiles();
for (const tool of tools) tool.onOptions = writeAddress;
addEventListener("hashchange", showTool);
showTool();
find(document, "#agents").textContent = new URL("mcp", document.baseURI).href;
find(document, ".unencrypted").hidden = isSecureContext;
// Now the page is alive.
find(document, "#no-script").remove();
find(document, "nav").hidden = false;
find(document, "footer").hidden = false;
