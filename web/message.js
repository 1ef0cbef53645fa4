/// <reference path="./types.d.ts" />

/** The message of a tool: an error, a failure, a hint or a notice, with its buttons. */

import { announce, turn } from "./dom.js";

export class Message {
  #element;
  #focusNext;
  /** Whether it is not about the newest call. */
  isNotice = false;

  /** @param {HTMLElement} element @param {() => void} focusNext Called when a button that has the focus goes. */
  constructor(element, focusNext) {
    this.#element = element;
    this.#focusNext = focusNext;
  }

  /** @param {string} words @param {MessageOptions} [options] */
  say(words, { actions = [], kind = "wrong", isNotice = false } = {}) {
    this.isNotice = isNotice;
    announce(words);
    const hadFocus = this.#element.contains(document.activeElement);
    const text = document.createElement("span");
    text.textContent = words;
    this.#element.dataset.kind = words ? kind : "";
    this.#element.replaceChildren(text, ...actions.map(createButton));
    if (!hadFocus) return;
    const next = this.#element.querySelector("button");
    if (next) next.focus();
    else this.#focusNext();
  }

  /** @param {boolean} isOn Whether the buttons can be pressed. */
  turn(isOn) {
    for (const button of this.#element.querySelectorAll("button")) {
      turn(button, isOn);
    }
  }
}

/** @param {Action} action */
function createButton({ label, act }) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.onclick = act;
  return button;
}
