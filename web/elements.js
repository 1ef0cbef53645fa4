/// <reference path="./types.d.ts" />

/** Elements of the page: finding and making them, and announcements. @module */

/** Delay of announcements, so that they do not interrupt typing, in ms. */
const ANNOUNCE_MS = 1_000;

/**
 * Returns the first element inside `parent` that matches a selector, and
 * throws if there is none of this type.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} parent
 * @param {string} selector
 * @param {new () => E} [type]
 * @returns {E}
 */
export function find(parent, selector, type) {
  const element = parent.querySelector(selector);
  if (element instanceof (type ?? HTMLElement)) {
    return /** @type {E} */ (element);
  }
  throw new Error(`the page has no ${selector}`);
}

/**
 * Makes an element with properties and children.
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
 * Returns a copy of the content of the template with the class `name`.
 * @param {string} name
 */
export function copyTemplate(name) {
  const { content } = find(document, `template.${name}`, HTMLTemplateElement);
  return document.importNode(content, true);
}

/**
 * Writes texts to elements.
 * @param {ParentNode} parent
 * @param {Readonly<Record<string, string>>} texts By class of the elements.
 */
export function write(parent, texts) {
  for (const [name, text] of Object.entries(texts)) {
    for (const element of parent.querySelectorAll(`.${name}`)) {
      element.textContent = text;
    }
  }
}

let announcing = /** @type {Timer} */ (undefined);

/** Announces a message to screen readers; the newest one replaces others. */
export function announce(/** @type {string} */ message, delayMs = ANNOUNCE_MS) {
  clearTimeout(announcing);
  const announcer = find(document, "#announcer");
  // Screen readers keep silent if a text replaces an equal text.
  announcer.textContent = "";
  announcing = setTimeout(() => announcer.textContent = message, delayMs);
}
