/// <reference path="./types.d.ts" />

/**
 * The first script of the page. Shows the tool that the page's URL names, with disabled controls, and loads the other
 * modules, which enable the controls. If a module fails, shows a notice.
 */

import { recall } from "./memory.js";

/** Returns a copy of the content of the `<template>` with the given class, or an empty text if there is no such template. @param {string} name The class. */
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
 * Returns the tool to show (`name`) and its options (`query`). They are in the fragment of the page's URL, such as
 * `#hash?sha512`. If the URL has no fragment, returns those of the last visit. If the page has no such tool, returns
 * the first tool; `unknown` is then the name in the fragment.
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

/** Shows one tool and hides the others. An empty name hides all tools. @param {string} name */
export function showSection(name) {
  document.documentElement.toggleAttribute("data-tool", name !== "");
  for (const section of sections) section.hidden = section.id !== name;
  for (const link of document.querySelectorAll("nav a")) {
    const isCurrent = link.getAttribute("href")?.split("?")[0] === `#${name}`;
    link.ariaCurrent = isCurrent ? "page" : null;
  }
}

/** Shows the tool that the page's URL names, until app.js takes over this task. */
function showFrame() {
  showSection(readAddress().name);
}

/** Enables the controls of the page, and removes this module's listeners for loading errors and changes of the URL. */
export function finishLoading() {
  loading.abort();
  setLoading(false);
}

/** Disables the forms of the tools and the settings in the header, or enables them after loading. @param {boolean} isLoading */
function setLoading(isLoading) {
  for (const part of document.querySelectorAll("main form, .settings")) {
    part.toggleAttribute("inert", isLoading);
    part.ariaBusy = String(isLoading);
  }
}

/** Handles an error during loading: if a script is missing or fails, shows a notice instead of the tools. @param {Event} event */
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
const agents = document.querySelector("#agents");
if (agents) agents.textContent = new URL("mcp", document.baseURI).href;
addEventListener("hashchange", showFrame, { signal });
addEventListener("error", takeError, { capture: true, signal });

/**
 * Loads the other modules. Called after the page is first drawn, so that the modules do not delay the files needed for
 * drawing; at the latest after 500 ms, since a hidden tab is not drawn.
 */
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
new PerformanceObserver(loadRest).observe({ type: "paint", buffered: true });
