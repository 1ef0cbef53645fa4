/**
 * The message of a tool, with buttons: an error, a failure, a hint or a notice.
 * It is also announced to screen readers.
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
   * button of the message that has the focus is removed.
   */
  constructor(section, focus) {
    this.#section = section;
    this.#focus = focus;
  }

  /**
   * Whether the message is a notice, such as that a file is empty. It stays
   * until the next change of the form, also when a call ends with a result.
   */
  get isNotice() {
    return this.#isNotice;
  }

  /**
   * Shows a message in place of the previous one, and announces it. Empty words
   * remove the message.
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
