/// <reference path="./types.d.ts" />

/** What every part of the page needs of the browser. */

/** How long a button says so, in milliseconds. */
const COPIED_MS = 1_500;

/** Pause before an announcement, so that typing is not talked over, in milliseconds. */
const ANNOUNCE_MS = 1_000;

/**
 * Finds what the page is known to have.
 *
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

/** A copy of what a template holds. @param {string} name */
export function fromTemplate(name) {
  const { content } = find(document, `template.${name}`, HTMLTemplateElement);
  return document.importNode(content, true);
}

/** The controls that have a name, but for text areas. @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
export function listControls(form) {
  return [...form.querySelectorAll("input")].filter(({ name }) => name);
}

/** What they say, or said at first. @param {HTMLFormElement} form @returns {Values} */
export function readOptions(form, isDefault = false) {
  /** @type {Record<string, string>} */
  const options = {};
  for (const control of listControls(form)) {
    const { name, type, value, checked, defaultChecked, defaultValue } =
      control;
    const isOn = isDefault ? defaultChecked : checked;
    if (control.matches("fieldset:disabled *")) continue;
    if (type === "checkbox") options[name] = String(isOn);
    else if (type !== "radio") options[name] = isDefault ? defaultValue : value;
    else if (isOn) options[name] = value;
  }
  return options;
}

/** Sets them; those not named, or not right, to what they were at first. @param {HTMLFormElement} form @param {string[]} options */
export function setOptions(form, options) {
  const controls = listControls(form);
  for (const control of controls) {
    control.checked = control.defaultChecked;
    if (control.type !== "radio") control.value = control.defaultValue;
  }
  for (const control of controls) {
    const { name, type, value, defaultValue } = control;
    const given = new URLSearchParams(options.join("&")).get(name);
    if (type === "radio") control.checked ||= options.includes(value);
    else if (type === "checkbox") control.checked = given !== "false";
    else if (/^\d+$/.test(given ?? "")) {
      control.value = String(given);
      // A slider would take the nearest value instead.
      const isTaken = control.value === given && control.validity.valid;
      if (!isTaken) control.value = defaultValue;
    }
  }
}

/** Nothing for a file that is no UTF-8 text, or no file. @param {File} file */
export async function readText(file) {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return await file.arrayBuffer().then((bytes) => decoder.decode(bytes))
    .catch(() => undefined);
}

/** Turns a control on or off; off, it keeps the focus. @param {Element} control @param {boolean} isOn */
export function turn(control, isOn) {
  control.setAttribute("aria-disabled", String(!isOn));
}

/** Lets no click through to what is off. */
export function refuseWhatIsOff() {
  addEventListener("click", (event) => {
    const { target } = event;
    if (target instanceof Element && target.closest("[aria-disabled=true]")) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, { capture: true });
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let announcing;

/** Tells those who hear the page the last of several messages. @param {string} message */
export function announce(message, delayMs = ANNOUNCE_MS) {
  clearTimeout(announcing);
  const announcer = find(document, "#announcer");
  // The same words again would not be told otherwise.
  announcer.textContent = "";
  announcing = setTimeout(() => announcer.textContent = message, delayMs);
}

/**
 * Lets a pane's buttons copy and save a text, or say why not.
 *
 * @param {HTMLElement} pane
 * @param {() => string} readResult
 * @param {{ name: string, readFile?: () => string }} file
 */
export function offer(pane, readResult, { name, readFile = readResult }) {
  const label = find(pane, ".copy .label");
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {string} text @param {() => unknown} act */
  async function attempt(text, act) {
    let problem = "";
    if (!text.isWellFormed()) {
      problem = "Half of a surrogate pair in it cannot be copied or saved.";
    } else if (await act() === false) {
      problem =
        "The browser does not let this page copy. Please do it yourself.";
    }
    find(pane, ".copied").textContent = problem;
    announce(problem, 0);
    return problem === "";
  }

  find(pane, ".copy").onclick = async () => {
    const text = readResult();
    const isCopied = await attempt(text, () => copy(text));
    if (isCopied) announce("Copied.", 0);
    label.textContent = isCopied ? "Copied" : "Copy";
    clearTimeout(timer);
    timer = setTimeout(() => label.textContent = "Copy", COPIED_MS);
  };
  find(pane, ".download").onclick = () => {
    const text = readFile();
    attempt(text, () => save(new File([text], name)));
  };
}

/** @param {File} file */
function save(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), COPIED_MS);
}

/** @param {string} text @returns {Promise<boolean>} Whether it is copied. */
async function copy(text) {
  if (!navigator.clipboard) return copyAsCommand(text);
  return await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

// Without the clipboard that only secure pages have; and through no element, which
// would change line ends and take the focus.
/** @param {string} text */
function copyAsCommand(text) {
  let isCopied = false;
  /** @param {Event} event */
  function give(event) {
    event.preventDefault();
    event.stopPropagation();
    if (!(event instanceof ClipboardEvent) || event.type !== "copy") return;
    event.clipboardData?.setData("text/plain", text);
    isCopied = true;
  }
  // Nothing may be selected: "beforecopy" must be answered too.
  const types = ["beforecopy", "copy"];
  for (const type of types) document.addEventListener(type, give, true);
  const isDone = document.execCommand("copy");
  for (const type of types) document.removeEventListener(type, give, true);
  return isDone && isCopied;
}
