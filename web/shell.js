/// <reference path="./types.d.ts" />

/** The first view: shows the frame of the tool in the address, loads the other modules, and shows a notice if one fails. */

import { recall } from "./memory.js";

/** Returns a copy of a template. @param {string} name */
function copyTemplate(name) {
  const template = document.querySelector(`template.${name}`);
  if (!(template instanceof HTMLTemplateElement)) return "";
  return document.importNode(template.content, true);
}

for (const slot of document.querySelectorAll("[data-template]")) {
  const names = slot.getAttribute("data-template")?.split(" ") ?? [];
  const [first = "", last = ""] = names.map(copyTemplate);
  slot.prepend(first);
  slot.append(last);
}
const sections = [...document.querySelectorAll("section")];
const loading = new AbortController();
const { signal } = loading;

/**
 * Returns the tool and the options named in the address, such as `#hash?sha512`; if the address names no tool,
 * the last used one or else the first. If the address has a name that is not a tool's, `unknown` is that name,
 * and the first tool is returned.
 */
export function readAddress() {
  const [asked = "", query = ""] = location.hash.slice(1).toLowerCase()
    .split("?");
  const { tool = "", options = {} } = recall();
  const wanted = asked || tool;
  const isOurs = sections.some(({ id }) => id === wanted);
  if (!isOurs) return { name: "base64", query: "", unknown: asked };
  return { name: wanted, query: asked ? query : options[tool] ?? "" };
}

/** Shows one tool and hides the others. An empty name hides all. @param {string} name */
export function showSection(name) {
  document.documentElement.toggleAttribute("data-tool", name !== "");
  for (const section of sections) section.hidden = section.id !== name;
  for (const link of document.querySelectorAll("nav a")) {
    const isCurrent = link.getAttribute("href")?.split("?")[0] === `#${name}`;
    link.ariaCurrent = isCurrent ? "page" : null;
  }
}

/** Shows the tool of the address, still disabled. */
function showFrame() {
  showSection(readAddress().name);
}

/** Enables the page. */
export function finishLoading() {
  loading.abort();
  setLoading(false);
}

/** Disables the forms and settings during loading, and enables them afterwards. @param {boolean} isLoading */
function setLoading(isLoading) {
  for (const part of document.querySelectorAll("main form, .settings")) {
    part.toggleAttribute("inert", isLoading);
    part.ariaBusy = String(isLoading);
  }
}

/** Shows the notice instead of the tools if a module is missing or fails. @param {Event} event */
function takeError({ target }) {
  if (target instanceof HTMLElement && !target.matches("script")) return;
  finishLoading();
  showSection("");
}

for (const button of document.querySelectorAll("[data-needs]")) {
  button.ariaDisabled = "true";
}
setLoading(true);
showFrame();
addEventListener("hashchange", showFrame, { signal });
addEventListener("error", takeError, { capture: true, signal });

/** Loads the other modules. This starts after the first frame, to leave the connection to it, or after a timeout in a hidden page, which draws none. */
function loadRest() {
  if (!timer) return;
  clearTimeout(timer);
  timer = undefined;
  const rest = document.querySelector("template.rest");
  if (rest instanceof HTMLTemplateElement) {
    document.head.append(document.importNode(rest.content, true));
  }
}

let timer = /** @type {Timer} */ (setTimeout(loadRest, 500));
requestAnimationFrame(() => setTimeout(loadRest));
