/**
 * The message of a tool, with buttons: an error in the input or the fields, a
 * failed call, a hint, or a notice, such as that a file is empty. While the
 * tool is shown, its messages are announced to screen readers.
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
   * Whether the message is a notice, such as that a file is empty. A notice
   * stays when a call ends without an error message; the next change of the
   * input or a field removes the notice.
   */
  get isNotice() {
    return this.#isNotice;
  }

  /**
   * Shows a message in place of the previous one, and announces it if the tool
   * is shown. Empty words remove the message.
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
