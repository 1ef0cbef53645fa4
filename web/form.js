/// <reference path="./types.d.ts" />

/** The form of a tool: reads and sets its controls, and converts their values for the page's URL and for calls. @module */

/** Returns the inputs of a form that have a name. @param {HTMLFormElement} form */
function listControls(form) {
  return [...form.querySelectorAll("input")].filter(({ name }) => name);
}

/** Returns the values of a form's enabled controls, by their names. @param {HTMLFormElement} form @returns {Values} */
export function readOptions(form) {
  /** @type {Record<string, string>} */
  const options = {};
  for (const control of listControls(form)) {
    const { name, type, value, checked } = control;
    if (control.matches(":disabled") || type === "radio" && !checked) continue;
    options[name] = type === "checkbox"
      ? String(checked === isTrue(control))
      : value;
  }
  return options;
}

/** Returns the value that a checkbox has when it is checked: true, or false if its attribute is `value="false"`. For example, checking “Avoid look-alikes” sets `ambiguous` to false. @param {HTMLInputElement} checkbox */
function isTrue({ value }) {
  return value !== "false";
}

/**
 * Sets the controls of a form to the given options, such as `decode`, `action=decode` or `length=24&symbols=no`, and
 * all other controls to their defaults. Returns the invalid options.
 * @param {HTMLFormElement} form @param {string} options
 */
export function setOptions(form, options) {
  const given = new URLSearchParams(options.replaceAll(/[,;]/g, "&"));
  const unknown = new Set(given.keys());
  const controls = listControls(form);
  const reset = () => {
    for (const control of controls) {
      control.checked = control.defaultChecked;
      if (control.type === "number") control.value = control.defaultValue;
    }
  };
  reset();
  for (const control of controls) {
    const { name, type, value } = control;
    const option = given.get(name);
    if (type !== "radio") {
      if (option !== null && takeOption(control, option)) unknown.delete(name);
    } else if (option === value || given.get(value) === "") {
      unknown.delete(option === value ? name : value);
      control.checked = true;
    }
  }
  if (!isValid(form)) {
    reset();
    for (const name of given.keys()) unknown.add(name);
  }
  enableParts(form);
  return [...unknown].map((name) =>
    given.get(name) ? `${name}=${given.get(name)}` : name
  );
}

/** Sets a number field or a checkbox to the value of an option. Returns whether the value is valid. @param {HTMLInputElement} control @param {string} option The value, such as `24` or `yes`. */
function takeOption(control, option) {
  if (control.type === "checkbox") {
    const isOn = /^(?:true|1|yes|on)$/.test(option);
    if (!isOn && !/^(?:false|0|no|off)$/.test(option)) return false;
    control.checked = isOn === isTrue(control);
    return true;
  }
  control.value = /^\d+$/.test(option) ? option : "";
  if (control.validity.valid && control.value !== "") return true;
  control.value = control.defaultValue;
  return false;
}

/** Returns whether the service accepts the current values of a form's controls. @param {HTMLFormElement} form */
export function isValid(form) {
  const switches = [
    ...form.querySelectorAll("[data-least] [type=checkbox]:not([value=false])"),
  ];
  return form.checkValidity() &&
    (switches.length === 0 || switches.some((box) => box.matches(":checked")));
}

/** Returns the options that differ from their defaults as a text for the page's URL, such as `length=24&symbols=false`. @param {Values} options @param {Values} defaults */
export function writeOptions(options, defaults) {
  return Object.entries(options)
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) =>
      /^\d+$|^true$|^false$/.test(value) ? `${name}=${value}` : value
    ).join("&");
}

/** Converts values of a form to the fields of a request. If the values do not include `input`, omits those that equal the defaults. @param {Values} values @param {Values} defaults @returns {Fields} */
export function toFields(values, defaults) {
  const fields = Object.entries(values)
    .filter(([name, value]) => "input" in values || value !== defaults[name])
    .map(([name, value]) => [name, name === "indent" ? Number(value) : value]);
  return Object.fromEntries(fields);
}

/** Prevents typing anything but digits in number fields. Firefox accepts letters there, and the field then has no value. @param {HTMLFormElement} form */
export function refuseLetters(form) {
  form.addEventListener("beforeinput", (event) => {
    const { target, data } = event;
    const isNumber = target instanceof HTMLInputElement &&
      target.type === "number";
    if (isNumber && /\D/.test(data ?? "")) event.preventDefault();
  });
}

/** Adapts a form to the selected action, such as `decode`: disables the options of other actions, and hides their explanations and buttons. Also sets the slider to the value of the length field. @param {HTMLFormElement} form */
export function enableParts(form) {
  for (const part of form.querySelectorAll("[data-for]")) {
    const action = part.getAttribute("data-for");
    const isOff = !form.querySelector(`[value="${action}"]:checked`);
    const attribute = part.matches("fieldset") ? "disabled" : "hidden";
    part.toggleAttribute(attribute, isOff);
  }
  for (const slider of form.querySelectorAll("[type=range]")) {
    const { length } = readOptions(form);
    if (slider instanceof HTMLInputElement && length) slider.value = length;
  }
}
