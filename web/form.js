/// <reference path="./types.d.ts" />

/** The controls of a tool's form: their values, the address, a call's fields, their problems. */

/** The named controls of a form. @param {HTMLFormElement} form @returns {HTMLInputElement[]} */
export function listControls(form) {
  return [...form.querySelectorAll("input")].filter(({ name }) => name);
}

/** The values of the controls, or their defaults. @param {HTMLFormElement} form @returns {Values} */
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

/**
 * Sets the controls, those without a valid option to their defaults.
 *
 * @param {HTMLFormElement} form
 * @param {string} options Such as `decode`, `action=decode` or `length=24&symbols=no`.
 */
export function setOptions(form, options) {
  const given = new URLSearchParams(options.replaceAll(/[,;]/g, "&"));
  const controls = listControls(form);
  for (const control of controls) control.checked = control.defaultChecked;
  for (const control of controls) {
    const { name, type, value, defaultValue } = control;
    const option = given.get(name) ?? "";
    if (type === "checkbox") {
      control.checked = !["false", "0", "no", "off"].includes(option);
    } else if (type !== "radio") {
      control.value = /^\d+$/.test(option) ? option : defaultValue;
      // A slider replaces a value out of range by the nearest one: the default is used then.
      const isTaken = control.value === option && control.validity.valid;
      if (!isTaken) control.value = defaultValue;
    } else if (option === value || given.has(value)) {
      control.checked = true;
    }
  }
}

/** The options that are not the default ones, for the address. @param {HTMLFormElement} form */
export function writeOptions(form) {
  const defaults = readOptions(form, true);
  return Object.entries(readOptions(form))
    .filter(([name, value]) => value !== defaults[name])
    .map(([name, value]) =>
      /^\d+$|^true$|^false$/.test(value) ? `${name}=${value}` : value
    ).join("&");
}

/** The fields of a call with some values. @param {HTMLFormElement} form @param {Kind} kind @param {Values} values @returns {Fields} */
export function toFields(form, { always = [], numbers = [] }, values) {
  const defaults = readOptions(form, true);
  const fields = Object.entries(values)
    .filter(([name, value]) =>
      value !== defaults[name] || always.includes(name)
    )
    .map(([name, value]) => [
      name,
      numbers.includes(name) ? Number(value) : value,
    ]);
  return Object.fromEntries(fields);
}

/** The problem with a number, if there is one. @param {HTMLFormElement} form @returns {Problem | undefined} */
export function findInvalid(form) {
  const control = listControls(form).find(({ validity }) => !validity.valid);
  if (!control) return;
  const { name, min, max } = control;
  return {
    wrong: `Choose a whole number from ${min} to ${max}.`,
    controls: [name],
  };
}

/** Marks controls as wrong, as a message describes, and no others. @param {HTMLFormElement} form @param {readonly string[]} names @param {string} messageId */
export function markControls(form, names, messageId) {
  for (const control of listControls(form)) {
    control.removeAttribute("aria-invalid");
    control.removeAttribute("aria-describedby");
    if (!names.includes(control.name)) continue;
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-describedby", messageId);
  }
}

/** Turns off the options of other actions. @param {HTMLFormElement} form */
export function enableSets(form) {
  for (const set of form.querySelectorAll("fieldset")) {
    const { for: action } = set.dataset;
    set.disabled = action !== undefined &&
      !form.querySelector(`[value=${action}]:checked`);
  }
}
