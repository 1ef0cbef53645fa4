/// <reference path="./types.d.ts" />

/** The controls of a tool's form: their values, the address, a call's fields. */

/** The named controls of a form. @param {HTMLFormElement} form */
function listControls(form) {
  return [...form.querySelectorAll("input")].filter(({ name }) => name);
}

/** The values of the controls. @param {HTMLFormElement} form @returns {Values} */
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

/** Whether a checkbox means `true` when it is on: one with the value `false` means that. @param {HTMLInputElement} checkbox */
function isTrue({ value }) {
  return value !== "false";
}

/**
 * Sets the controls by options such as `decode`, `action=decode` or `length=24&symbols=no`, the others to their
 * defaults. Returns the options that are not valid, as they were given.
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

/** Sets a number or a checkbox; returns whether the option is valid for it. @param {HTMLInputElement} control @param {string} option */
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

/** Whether the options are such that the service takes them. @param {HTMLFormElement} form */
export function isValid(form) {
  const switches = [
    ...form.querySelectorAll("[data-least] [type=checkbox]:not([value=false])"),
  ];
  return form.checkValidity() &&
    (switches.length === 0 || switches.some((box) => box.matches(":checked")));
}

/** The options that are not the default ones, for the address. @param {Values} options @param {Values} defaults */
export function writeOptions(options, defaults) {
  return Object.entries(options)
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) =>
      /^\d+$|^true$|^false$/.test(value) ? `${name}=${value}` : value
    ).join("&");
}

/** The fields of a call: all values with an input, else those that are not the default ones. @param {Values} values @param {Values} defaults @returns {Fields} */
export function toFields(values, defaults) {
  const fields = Object.entries(values)
    .filter(([name, value]) => "input" in values || value !== defaults[name])
    .map(([name, value]) => [name, name === "indent" ? Number(value) : value]);
  return Object.fromEntries(fields);
}

/** Turns off the options, and hides the words, of other actions. @param {HTMLFormElement} form */
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
