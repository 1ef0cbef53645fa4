/**
 * The first view: sets the theme, makes the form of each tool, shows the tool
 * that the address names, and loads the other modules once it is drawn. Until
 * they have run, the forms are inert.
 * @module
 */

import { copyTemplate, create, find, write } from "./elements.js";
import { createField, createRadios, showAction } from "./form.js";
import { TOOLS } from "./tools.js";

/** Labels of the buttons by name; the second part is only spoken. */
const LABELS = /** @type {Record<string, string[]>} */ ({
  open: ["Open", "a file"],
  clear: ["Clear", "the input"],
  useAsInput: ["Use as input", "instead of the present input"],
  download: ["Download", "the result"],
  copy: ["Copy", "the result"],
  collapse: ["Collapse", "all"],
  expand: ["Expand", "all"],
  example: ["Try an example"],
  regenerate: ["Regenerate"],
  apiCall: ["API call"],
});

/** Name of the settings in the browser's storage. */
const KEY = "developer-utilities";

/** Returns the settings of earlier visits. @returns {Settings} */
export function readSettings() {
  try {
    return Object(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/** Stores settings, and keeps the others. @param {Settings} changes */
export function storeSettings(changes) {
  try {
    const settings = { ...readSettings(), ...changes };
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage, or if it is full, the page works without settings.
  }
}

/** @param {string} theme `system`, `light` or `dark` */
export function setTheme(theme) {
  const { dataset, style } = document.documentElement;
  dataset.theme = theme;
  style.colorScheme = theme === "system" ? "" : theme;
}

/**
 * Returns the tool to show and its options: those in the address, such as
 * `#hash?sha512`, or else those of the last visit. `unknown` is a name in the
 * address that no tool has.
 */
export function readAddress() {
  const [asked = "", query = ""] = location.hash.slice(1).toLowerCase()
    .split("?");
  const { tool = "", options = {} } = readSettings();
  const name = asked || tool;
  return Object.hasOwn(TOOLS, name)
    ? { name, query: asked ? query : options[name] ?? "" }
    : { name: "base64", query: "", unknown: asked };
}

/** Shows one tool; an empty name shows none. @param {string} name */
function showSection(name) {
  document.documentElement.toggleAttribute("data-tool", name !== "");
  for (const section of document.querySelectorAll("section")) {
    section.hidden = section.id !== name;
  }
  for (const link of document.querySelectorAll("nav a")) {
    const isCurrent = link.getAttribute("href")?.split("?")[0] === `#${name}`;
    link.ariaCurrent = isCurrent ? "page" : null;
  }
}

/** Makes the section of a tool. @param {string} name @param {Tool} tool */
function createSection(name, tool) {
  const { title, view, fields, about = "", noun } = tool;
  const heading = create("h2", { id: `${name}-title`, className: "unseen" });
  const form = create("form", { autocomplete: "off", noValidate: true });
  const section = create("section", { id: name, hidden: true }, heading, form);
  section.setAttribute("aria-labelledby", heading.id);
  heading.textContent = title;
  form.append(copyTemplate(noun ? "generator" : "converter"));
  form.append(copyTemplate("foot"));
  const progress = create("progress", { hidden: true, ariaLabel: "Waiting" });
  find(form, ".result").append(progress, copyTemplate(view));
  write(form, { about });
  for (const button of form.querySelectorAll("button")) {
    prepareButton(button, button.dataset.rest);
  }
  for (const [key, field] of Object.entries(fields)) {
    if (view === "digests") {
      const rows = createRadios(key, field).map(createDigest);
      find(form, ".digests").append(...rows);
    } else find(form, ".fields").append(createField(name, key, field));
  }
  find(form, ".message").id = `${name}-message`;
  showAction(form, tool);
  return section;
}

/** Makes the row of a digest, which begins with its radio button. */
function createDigest(/** @type {HTMLLabelElement} */ label) {
  const row = copyTemplate("digest");
  const { value } = find(label, "input", HTMLInputElement);
  find(row, "code").classList.add(value);
  prepareButton(find(row, "button", HTMLButtonElement), label.textContent);
  find(row, ".digest").prepend(label);
  return row;
}

/**
 * Gives a button its type, icon and label by its name.
 * @param {HTMLButtonElement} button @param {string} [rest] Spoken only.
 */
export function prepareButton(button, rest) {
  const { name } = button;
  const [label, more = ""] = LABELS[name] ?? [];
  if (!label) return;
  const { content } = find(document, "template.icons", HTMLTemplateElement);
  const icon = content.querySelector(`.${name}`)?.cloneNode(true) ?? "";
  const text = create("span", { className: "label" }, label);
  const unseen = create("span", { className: "unseen" }, rest ?? more);
  button.type = name === "regenerate" ? "submit" : "button";
  button.append(icon, text, " ", unseen);
}

/** Makes the forms inert and marks them as busy, or undoes both. */
export function setLoading(/** @type {boolean} */ isLoading) {
  for (const part of document.querySelectorAll("main form, .settings")) {
    part.toggleAttribute("inert", isLoading);
    part.ariaBusy = String(isLoading);
  }
}

/** Shows the tool that the address names. */
function showFrame() {
  showSection(readAddress().name);
}

/** Loads the other modules, or shows the notice that the page has failed. */
async function load() {
  // The largest module, which imports would ask for last.
  const href = "vendor/packages.js";
  document.head.append(create("link", { rel: "modulepreload", href }));
  try {
    await import("./page.js");
  } catch (error) {
    removeEventListener("hashchange", showFrame);
    showSection("");
    throw error;
  }
}

setTheme(readSettings().theme ?? "system");
const sections = Object.entries(TOOLS)
  .map(([name, tool]) => createSection(name, tool));
find(document, "main").append(...sections);
write(document, { agents: new URL("mcp", document.baseURI).href });
setLoading(true);
showFrame();
addEventListener("hashchange", showFrame);
// The first paint waits for no other file. Background tabs are not painted.
const painted = new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
  setTimeout(resolve, 500);
});
/** The response of the editors' style, asked for before they are loaded. */
export const editorStyle = painted.then(() => fetch("editor.css"));
painted.then(load);
