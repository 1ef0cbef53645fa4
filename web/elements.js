/// <reference path="./types.d.ts" />

/**
 * Finds, creates, and fills elements, and announces messages to screen readers.
 * @module
 */

/** Delay of announcements, in milliseconds. They must not interrupt typing. */
const ANNOUNCE_MS = 1_000;

/**
 * Returns the first element inside `parent` that matches a selector.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => E} [type] By default `HTMLElement`.
 * @returns {E}
 * @throws {Error} If no element matches, or the first is not of the type.
 */
export function find(parent, selector, type) {
  const element = parent.querySelector(selector);
  if (element instanceof (type ?? HTMLElement)) {
    return /** @type {E} */ (element);
  }
  throw new Error(`the page has no ${selector}`);
}

/**
 * Attributes of text fields, which keep browsers, Grammarly, and LanguageTool from
 * sending the text to a service that corrects or translates it.
 */
export const PRIVATE = {
  translate: "no",
  spellcheck: "false",
  autocorrect: "off",
  autocapitalize: "off",
  writingsuggestions: "false",
  "data-gramm": "false",
  "data-gramm_editor": "false",
  "data-enable-grammarly": "false",
  "data-lt-active": "false",
};

/** @param {Iterable<Element>} fields Receive the attributes `PRIVATE`. */
export function makePrivate(fields) {
  for (const field of fields) {
    for (const [name, value] of Object.entries(PRIVATE)) {
      field.setAttribute(name, value);
    }
  }
}

/**
 * Creates an element with DOM properties, such as `className`.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} properties
 * @param {(Node | string)[]} children
 */
export function create(tag, properties, ...children) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  element.append(...children);
  return element;
}

/**
 * Copies the content of the template with the class `name`.
 * @param {string} name
 */
export function copyTemplate(name) {
  const { content } = find(document, `template.${name}`, HTMLTemplateElement);
  return document.importNode(content, true);
}

/**
 * Sets the text of all elements inside `parent` that have a class in `texts`.
 * @param {ParentNode} parent
 * @param {Readonly<Record<string, string>>} texts
 */
export function setText(parent, texts) {
  for (const [name, text] of Object.entries(texts)) {
    for (const element of parent.querySelectorAll(`.${name}`)) {
      element.textContent = text;
    }
  }
}

/**
 * Sets the type of a button, and adds the icon with its name.
 * @param {HTMLButtonElement} button
 */
export function prepareButton(button) {
  const { content } = find(document, "template.icons", HTMLTemplateElement);
  const icon = content.querySelector(`.${button.name}`);
  button.type = button.name === "regenerate" ? "submit" : "button";
  if (icon) button.prepend(icon.cloneNode(true));
}

let announcing = /** @type {Timer} */ (undefined);

/**
 * Announces a message to screen readers after a delay, instead of an earlier
 * message whose delay has not passed. An empty string announces nothing.
 * @param {string} message
 */
export function announce(message, delayMs = ANNOUNCE_MS) {
  clearTimeout(announcing);
  const announcer = find(document, "#announcer");
  // Screen readers don't announce text that replaces equal text.
  announcer.textContent = "";
  announcing = setTimeout(() => announcer.textContent = message, delayMs);
}
