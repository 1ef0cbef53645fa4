/// <reference path="./types.d.ts" />

/**
 * The first script of the page: shows the tool that the page's URL names, with its controls disabled, loads the
 * other modules, and shows a notice if one of them fails.
 */

import { recall } from "./memory.js";

/** Returns a copy of the content of a `<template>`, or an empty text if there is none. @param {string} name Its class. */
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
 * Returns the name of the tool and its options from the fragment of the page's URL, such as `#hash?sha512`. If the
 * fragment names no tool, returns the stored tool and options of the last visit. If the tool that was found is not on
 * the page, returns the first tool, and as `unknown` the name in the fragment.
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

/** Shows the tool that the page's URL names, with its controls disabled until the other modules are loaded. */
function showFrame() {
  showSection(readAddress().name);
}

/** Enables the controls of the page, and stops listening for errors of loading. */
export function finishLoading() {
  loading.abort();
  setLoading(false);
}

/** Disables the forms of the tools and the settings in the header while modules are loading, or enables them. @param {boolean} isLoading */
function setLoading(isLoading) {
  for (const part of document.querySelectorAll("main form, .settings")) {
    part.toggleAttribute("inert", isLoading);
    part.ariaBusy = String(isLoading);
  }
}

/** Handles an error event: shows a notice instead of the tools if a script is missing or fails. @param {Event} event */
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

/**
 * Loads the other modules. Called after the page is first drawn, or after 500 ms in a hidden tab, which is not
 * drawn. Earlier, the modules would share the connection with the files of the first view.
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
requestAnimationFrame(() => setTimeout(loadRest));
