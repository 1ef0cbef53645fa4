/**
 * The form of a tool: its controls, their values, and the options in the URL.
 * @module
 */

import { create, makePrivate, setText } from "./elements.js";

/**
 * Creates the controls of a field: radio buttons for a choice, a number field
 * (with a slider, if the field has one), a checkbox, or a text field.
 * @param {string} tool
 * @param {string} name
 * @param {Field} field
 */
export function createField(tool, name, field) {
  const { type, label, value, choices, range, hasSlider, isOptional } = field;
  if (choices) {
    const legend = create("legend", { className: "visually-hidden" }, label);
    return create("fieldset", {}, legend, ...createRadios(name, field));
  }
  const id = `${tool}-${name}`;
  const input = create("input", { id, name });
  input.setAttribute("aria-describedby", `${tool}-message`);
  if (type === "boolean") {
    input.type = "checkbox";
    input.defaultChecked = value === "true";
    return create("label", {}, input, label);
  }
  const caption = create("label", { htmlFor: id }, label);
  if (!range) {
    input.type = "text";
    makePrivate([input]);
    return create("div", { className: "row" }, caption, input);
  }
  const [min, max] = range.map(String);
  const bounds = { min, max, defaultValue: value };
  Object.assign(input, { type: "number", required: !isOptional }, bounds);
  if (!hasSlider) return create("div", { className: "row" }, caption, input);
  const slider = create("input", { type: "range", ariaLabel: label });
  slider.dataset.field = name;
  Object.assign(slider, bounds);
  return create("div", { className: "length row" }, caption, slider, input);
}

/**
 * @param {string} name
 * @param {Field} field
 */
export function createRadios(name, { choices = {}, value: chosen }) {
  return Object.entries(choices).map(([value, label]) => {
    const input = create("input", { type: "radio", name, value });
    input.defaultChecked = value === chosen;
    return create("label", {}, input, label);
  });
}

/**
 * @param {Tool} tool
 * @returns {Values}
 */
export function getDefaults({ fields }) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { value }]) => [name, value]),
  );
}

/**
 * @param {HTMLFormElement} form
 * @param {Values} values Other controls, and menus without the value, don't
 * change.
 */
export function setValues(form, values) {
  for (const [name, value] of Object.entries(values)) {
    const control = form.elements.namedItem(name);
    const isMenu = control instanceof HTMLSelectElement;
    const isKnown = !isMenu ||
      [...control.options].some((option) => option.value === value);
    if (control instanceof HTMLInputElement && control.type === "checkbox") {
      control.checked = value === "true";
    } else if (control && "value" in control && isKnown) {
      if (control.value !== value) control.value = value;
    }
  }
}

/**
 * Adapts a form to the chosen action: disables the fields of other actions, and
 * sets the example and the text for an empty result. Also moves the slider to
 * the value of its field.
 * @param {HTMLFormElement} form
 * @param {Tool} tool
 * @param {Values} values
 */
export function showAction(form, tool, values) {
  const { action: chosen = "" } = values;
  for (const [name, { action }] of Object.entries(tool.fields)) {
    const fieldset = form.querySelector(`fieldset:has([name=${name}])`);
    if (action) fieldset?.toggleAttribute("disabled", action !== chosen);
  }
  form.dataset.action = chosen;
  for (const slider of form.querySelectorAll("[type=range]")) {
    if (!(slider instanceof HTMLInputElement)) continue;
    slider.value = values[slider.dataset.field ?? ""] ?? "";
  }
  setText(form, { expected: tool.empty?.[chosen] ?? "" });
  const button = form.querySelector("[name=example]");
  if (!(button instanceof HTMLButtonElement)) return;
  button.value = tool.examples[chosen] ?? "";
  button.hidden = button.value === "";
}

/**
 * @param {Field} field
 * @param {string} value
 */
function isAllowed({ type, choices, range, isOptional }, value) {
  if (value === "" && isOptional) return true;
  if (choices) return Object.hasOwn(choices, value);
  if (type === "boolean") return value === "true" || value === "false";
  if (!range) return true;
  const [min, max] = range;
  return /^-?\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
}

/**
 * Parses options such as `decode`, `action=decode` or
 * `length=24&symbols=false`. Returns the values of all fields, and the rejected
 * options. A field without an option has its default.
 * @param {Tool} tool
 * @param {string} options
 */
export function parseOptions(tool, options) {
  const values = { ...getDefaults(tool) };
  const rejected = [];
  for (const [name, value] of new URLSearchParams(options)) {
    const option = parseOption(tool, name, value);
    if (option) Object.assign(values, option);
    else rejected.push(value ? `${name}=${value}` : name);
  }
  return { values, rejected };
}

/**
 * Returns the field that an option sets and its value, such as
 * `{ action: "decode" }`, or undefined for an invalid option.
 * @param {Tool} tool
 * @param {string} name
 * @param {string} value
 */
function parseOption({ fields }, name, value) {
  for (const [key, field] of Object.entries(fields)) {
    const isChoice = value === "" && Object.hasOwn(field.choices ?? {}, name);
    if (isChoice) return { [key]: name };
    const isOption = key === name && !isText(field);
    if (isOption && isAllowed(field, value)) return { [key]: value };
  }
}

/**
 * Whether a field is for text, which must not be in the URL.
 * @param {Field} field
 */
function isText({ type, choices }) {
  return type === "string" && !choices;
}

/**
 * Formats values as options, such as `decode` or `length=24`. Omits defaults,
 * invalid values, text, and values without a field, such as `input`.
 * @param {Tool} tool
 * @param {Values} values
 */
export function formatOptions({ fields }, values) {
  return Object.entries(values)
    .filter(([name, value]) => {
      const field = fields[name];
      return field && !isText(field) && value !== field.value && value !== "" &&
        isAllowed(field, value);
    })
    .map(([name, value]) =>
      /^-?\d+$|^true$|^false$/.test(value) ? `${name}=${value}` : value
    ).join("&");
}

/** @param {boolean} isLoading */
export function setLoading(isLoading) {
  for (const part of document.querySelectorAll("main form, .settings")) {
    part.toggleAttribute("inert", isLoading);
    part.ariaBusy = String(isLoading);
  }
}
