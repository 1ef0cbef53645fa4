/**
 * The form of a tool: creates the controls of its fields, reads and sets their
 * values, and converts values from and to options in the URL.
 * @module
 */

import { create, makePrivate, write } from "./elements.js";

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
    const legend = create("legend", { className: "unseen" }, label);
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
 * Creates the radio buttons of a choice, each in its label.
 * @param {string} name
 * @param {Field} field
 */
export function createRadios(name, { choices = {}, value: chosen }) {
  return Object.entries(choices).map(([value, label]) => {
    const input = create("input", { type: "radio", name, value });
    input.defaultChecked = value === chosen;
    // Lets the style hide all words except the first on narrow screens.
    const [word = "", ...others] = label.split(" ");
    const text = create("span", {}, word);
    for (const other of others) {
      text.append(create("span", { className: "rest" }, ` ${other}`));
    }
    return create("label", {}, input, text);
  });
}

/**
 * Returns the defaults of all fields.
 * @param {Tool} tool
 * @returns {Values}
 */
export function getDefaults({ fields }) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { value }]) => [name, value]),
  );
}

/**
 * Returns the value of a control. A checkbox has the value `true` or `false`.
 * @param {HTMLInputElement | HTMLSelectElement} control
 */
export function readControl(control) {
  const isBox = control instanceof HTMLInputElement &&
    control.type === "checkbox";
  return isBox ? String(control.checked) : control.value;
}

/**
 * @param {HTMLFormElement} form
 * @param {Values} values A control that has no value here keeps its value, and
 * so does a menu without the value.
 */
export function setValues(form, values) {
  for (const [name, value] of Object.entries(values)) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLSelectElement) {
      const option = [...control.options].find((other) =>
        other.value === value
      );
      if (option) option.selected = true;
    } else if (
      control instanceof HTMLInputElement && control.type === "checkbox"
    ) {
      control.checked = value === "true";
    } else if (control && "value" in control && control.value !== value) {
      control.value = value;
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
  write(form, { expected: tool.empty?.[chosen] ?? "" });
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
  return /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
}

/**
 * Reads options such as `decode`, `action=decode` or `length=24&symbols=false`,
 * in any case. Returns the values of all fields, and the rejected options in
 * their own case. A field without an option has its default.
 * @param {Tool} tool
 * @param {string} options
 */
export function parseOptions(tool, options) {
  const values = { ...getDefaults(tool) };
  const rejected = [];
  for (const [name, value] of new URLSearchParams(options)) {
    const option = readOption(tool, name.toLowerCase(), value.toLowerCase());
    if (option) Object.assign(values, option);
    else rejected.push(value ? `${name}=${value}` : name);
  }
  return { values, rejected };
}

/**
 * Reads an option of the URL. Returns the field that it sets and the value, such
 * as `{ action: "decode" }`; undefined for an option that is not allowed. Texts
 * are not options.
 * @param {Tool} tool
 * @param {string} name In lower case.
 * @param {string} text In lower case.
 */
function readOption({ fields }, name, text) {
  const isName = (/** @type {string} */ key) => key.toLowerCase() === name;
  for (const [key, field] of Object.entries(fields)) {
    const choices = Object.keys(field.choices ?? {});
    const choice = text === "" ? choices.find(isName) : undefined;
    if (choice !== undefined) return { [key]: choice };
    if (!isName(key) || isText(field)) continue;
    const value = choices.find((value) => value.toLowerCase() === text);
    if (isAllowed(field, value ?? text)) return { [key]: value ?? text };
  }
}

/**
 * Whether a field is for text: what a user enters there stays out of the URL.
 * @param {Field} field
 */
function isText({ type, choices }) {
  return type === "string" && !choices;
}

/**
 * Writes values as options, such as `decode` or `length=24`. Omits defaults,
 * invalid values, texts, and values without a field, such as `input`.
 * @param {Tool} tool
 * @param {Values} values
 */
export function writeOptions({ fields }, values) {
  return Object.entries(values)
    .filter(([name, value]) => {
      const field = fields[name];
      return field && !isText(field) && value !== field.value && value !== "" &&
        isAllowed(field, value);
    })
    .map(([name, value]) =>
      /^\d+$|^true$|^false$/.test(value) ? `${name}=${value}` : value
    ).join("&");
}

/**
 * Makes the forms and the settings inert and marks them as busy, or undoes
 * both.
 * @param {boolean} isLoading
 */
export function setLoading(isLoading) {
  for (const part of document.querySelectorAll("main form, .settings")) {
    part.toggleAttribute("inert", isLoading);
    part.ariaBusy = String(isLoading);
  }
}
