/**
 * The message of a tool, with buttons: an error, a failure, or a hint. It is also
 * announced to screen readers.
 * @module
 */

import { announce, create, find } from "./elements.js";

export class Message {
  #section;
  #focus;
  #isNotice = false;

  /**
   * @param {HTMLElement} section The section of the tool.
   * @param {() => void} focus Moves the focus into the tool; called before a
   * button that has the focus is removed.
   */
  constructor(section, focus) {
    this.#section = section;
    this.#focus = focus;
  }

  /** Whether the message is a notice, which stays when a result comes. */
  get isNotice() {
    return this.#isNotice;
  }

  /**
   * Shows a message instead of the one before; empty words remove it.
   * @param {string} words
   * @param {"wrong" | "hint" | "notice"} kind
   * @param {readonly MessageButton[]} buttons
   */
  show(words, kind = "wrong", buttons = []) {
    const element = find(this.#section, ".message");
    if (element.contains(document.activeElement)) this.#focus();
    if (words) {
      this.#section.dataset.message = kind;
    } else {
      delete this.#section.dataset.message;
    }
    element.replaceChildren(
      create("span", {}, words),
      ...buttons.map(createButton),
    );
    this.#isNotice = kind === "notice";
    this.announce(words);
  }

  /** @param {string} words Announced only while the tool is shown. */
  announce(words) {
    if (!this.#section.hidden) announce(words);
  }
}

/** @param {MessageButton} description */
function createButton([label, press]) {
  const button = create("button", { type: "button" }, label);
  button.onclick = () => {
    if (button.ariaDisabled !== "true") press();
  };
  return button;
}
