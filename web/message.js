/**
 * The message of a tool, with its buttons: what is wrong, what has failed, or a
 * hint. It is also announced to screen readers.
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
   * button goes that has it.
   */
  constructor(section, focus) {
    this.#section = section;
    this.#focus = focus;
  }

  /** Whether a notice is shown, which a result does not replace. */
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

  /**
   * Announces words, if the tool is shown.
   * @param {string} words
   */
  announce(words) {
    if (!this.#section.hidden) announce(words);
  }
}

/**
 * Makes a button of a message.
 * @param {MessageButton} description
 */
function createButton([label, press]) {
  const button = create("button", { type: "button" }, label);
  button.onclick = () => {
    if (button.ariaDisabled !== "true") press();
  };
  return button;
}
