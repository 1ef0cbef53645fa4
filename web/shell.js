/// <reference path="./types.d.ts" />

/** What is there before the tools can be used: the theme, the frame of the tool in the address, and words if the rest cannot be loaded. */

import { recall } from "./memory.js";

for (const slot of document.querySelectorAll("[data-template]")) {
  const template = document.querySelector(
    `template.${slot.getAttribute("data-template")}`,
  );
  if (!(template instanceof HTMLTemplateElement)) continue;
  slot.prepend(document.importNode(template.content, true));
}
const sections = [...document.querySelectorAll("section")];
const loading = new AbortController();
const { signal } = loading;

/**
 * The tool in the address, such as `#hash?sha512`, with its options; without one the last tool, else the first.
 * `unknown` is the name of a tool that there is not.
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

/** Shows one tool alone, or none. @param {string} name */
export function showSection(name) {
  document.documentElement.toggleAttribute("data-tool", name !== "");
  for (const section of sections) section.hidden = section.id !== name;
  for (const link of document.querySelectorAll("nav a")) {
    const isCurrent = link.getAttribute("href")?.split("?")[0] === `#${name}`;
    link.ariaCurrent = isCurrent ? "page" : null;
  }
}

/** Shows the tool of the address, which cannot be used yet. */
function showFrame() {
  showSection(readAddress().name);
}

/** Lets the page be used. */
export function finishLoading() {
  loading.abort();
  setLoading(false);
}

/** @param {boolean} isLoading */
function setLoading(isLoading) {
  for (const part of document.querySelectorAll("main form, .settings")) {
    part.toggleAttribute("inert", isLoading);
    part.ariaBusy = String(isLoading);
  }
}

/** Shows words instead of tools if the rest is missing or fails. @param {Event} event */
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

/** Loads the rest once the frame is drawn, which needs the line for itself until then; a hidden page draws nothing. */
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
