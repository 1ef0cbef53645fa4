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
    options[name] = type === "checkbox" ? String(checked) : value;
  }
  return options;
}

/** Sets the controls by options such as `decode`, `action=decode` or `length=24&symbols=no`, the others to their defaults. @param {HTMLFormElement} form @param {string} options */
export function setOptions(form, options) {
  const given = new URLSearchParams(options.replaceAll(/[,;]/g, "&"));
  const controls = listControls(form);
  for (const control of controls) control.checked = control.defaultChecked;
  for (const control of controls) {
    const { name, type, value, defaultValue } = control;
    const option = given.get(name) ?? "";
    if (type === "checkbox") {
      control.checked = !["false", "0", "no", "off"].includes(option);
    } else if (type === "radio") {
      control.checked ||= option === value || given.has(value);
    } else {
      control.value = /^\d+$/.test(option) ? option : defaultValue;
      // A slider replaces a value out of range by the nearest one: the default is used then.
      const isTaken = control.value === option && control.validity.valid;
      if (!isTaken) control.value = defaultValue;
    }
  }
  enableParts(form);
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
  for (const output of form.querySelectorAll("output")) {
    output.value = readOptions(form).length ?? "";
  }
}
