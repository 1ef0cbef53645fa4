/**
 * The first view: creates the form of each tool, shows the tool that the URL or
 * otherwise the settings name, and loads the other modules after the first
 * paint. The forms are inert until page.js has run.
 * @module
 */

import {
  copyTemplate,
  create,
  find,
  makePrivate,
  prepareButton,
  setText,
} from "./elements.js";
import {
  createField,
  createRadios,
  getDefaults,
  setLoading,
  showAction,
} from "./form.js";
import { getBase } from "./links.js";
import { readLocation } from "./settings.js";
import { TOOLS } from "./tools.js";

/**
 * Longest wait for the first paint, in milliseconds. Tabs in the background aren't
 * painted.
 */
const PAINT_MS = 500;

/** Number of tools that have a shortcut, Ctrl+Shift and a digit. */
const MAX_SHORTCUTS = 5;

/**
 * Shows the section of one tool, and hides the others.
 * @param {string} name If empty, hides all sections and shows the notice that
 * the page doesn't work.
 */
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

/**
 * @param {string} name
 * @param {number} index Position in the navigation, counted from 0.
 */
function createLink(name, index) {
  const content = copyTemplate("tool-link");
  const link = find(content, "a", HTMLAnchorElement);
  const title = TOOLS[name]?.title ?? "";
  link.href = `#${name}`;
  link.dataset.label = title;
  link.textContent = title;
  const keys = `Control+Shift+${index + 1}`;
  if (index < MAX_SHORTCUTS) link.setAttribute("aria-keyshortcuts", keys);
  return content;
}

/**
 * Creates the section of a tool from the templates of the page.
 * @param {string} name
 * @param {Tool} tool
 */
function createSection(name, tool) {
  const { title, view, fields, about, hasInput } = tool;
  const id = `${name}-title`;
  const heading = create("h2", { id, className: "visually-hidden" }, title);
  const form = create("form", { autocomplete: "off", noValidate: true });
  const section = create("section", { id: name, hidden: true }, heading, form);
  section.setAttribute("aria-labelledby", id);
  section.dataset.view = view;
  form.append(copyTemplate(hasInput ? "converter" : "generator"));
  form.append(copyTemplate("foot"));
  const progress = create("progress", { hidden: true, ariaLabel: "Waiting" });
  find(form, ".result").append(progress, copyTemplate(view));
  setText(form, { about });
  for (const button of form.querySelectorAll("button")) {
    prepareButton(button);
  }
  for (const [key, field] of Object.entries(fields)) {
    if (view === "digests") {
      const rows = createRadios(key, field).map(createDigest);
      find(form, ".digests").append(...rows);
    } else {
      find(form, ".fields").append(createField(name, key, field));
    }
  }
  makePrivate(form.querySelectorAll("textarea"));
  find(form, ".message").id = `${name}-message`;
  showAction(form, tool, getDefaults(tool));
  return section;
}

/**
 * @param {HTMLLabelElement} label The label around the algorithm's radio
 * button. It becomes the first element of the row.
 */
function createDigest(label) {
  const row = copyTemplate("digest");
  const { value } = find(label, "input", HTMLInputElement);
  label.title = "The copy shortcut and the API call use the selected digest";
  find(row, "code").classList.add(value);
  prepareButton(find(row, "button", HTMLButtonElement));
  find(row, ".visually-hidden").textContent = label.textContent;
  find(row, ".digest").prepend(label);
  return row;
}

/** Shows the section of the current tool. page.js adds its editors. */
function showFrame() {
  showSection(readLocation().name);
}

async function waitForPaint() {
  await new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: "paint", buffered: true });
    setTimeout(resolve, PAINT_MS);
  });
}

/**
 * Loads the other modules after the first paint. If one fails, shows a notice
 * instead of the tools.
 */
async function load() {
  await waitForPaint();
  try {
    // The largest module is requested first.
    await Promise.all([
      import("./vendor/packages.js"),
      import("./page.js"),
    ]);
  } catch (error) {
    removeEventListener("hashchange", showFrame);
    showSection("");
    throw error;
  }
}

function start() {
  for (const [index, [name, tool]] of Object.entries(TOOLS).entries()) {
    find(document, "nav").append(createLink(name, index));
    find(document, "main").append(createSection(name, tool));
  }
  setText(document, { agents: new URL("mcp", getBase()).href });
  setLoading(true);
  showFrame();
  addEventListener("hashchange", showFrame);
  load();
}

const { username, password } = new URL(document.baseURI);
const { origin, pathname, search, hash } = location;
if (username || password) {
  // Otherwise, every link would contain them.
  location.replace(origin + pathname + search + hash);
}
// The newest function that the page calls. Older browsers show the notice.
if ("toBase64" in Uint8Array.prototype) start();
