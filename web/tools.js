/// <reference path="./types.d.ts" />

/**
 * The tools: one for each operation, with the fields that its definition has.
 * `OWN` adds what only the page knows, such as labels. Other labels are generated
 * from names. Fields of `OWN` without a parameter are ignored.
 * @module
 */

import { DEFINITIONS } from "./vendor/definitions.js";

const SAME_JSON =
  "Only whitespace changes. Numbers, escapes, and key order stay the same.";

const EXAMPLE = '{"name":"widget","price":12.50,"id":12345678901234567890,\n' +
  '"tags":["new","sale"],"sold out":false,"notes":null}';

/** @type {Readonly<Record<string, OwnTool>>} */
const OWN = {
  base64: {
    about: "",
    empty: {
      encode: "Type, paste, or drop a file to encode it.",
      decode: "Paste Base64 to decode it.",
    },
    fields: {
      variant: {
        label: "Alphabet",
        choices: { url: "URL-safe" },
        action: "encode",
      },
    },
    acceptsFiles: ({ action }) => action === "encode",
  },
  hash: {
    view: "digests",
    about: "Digests of UTF-8 text or a file.",
    fields: {
      algorithm: {
        choices: { sha1: "SHA-1", sha256: "SHA-256", sha512: "SHA-512" },
        value: "sha256",
      },
    },
    acceptsFiles: () => true,
  },
  uuid: {
    title: "UUID",
    about: "Version 4: 122 random bits.",
    fields: { count: { value: "1" } },
  },
  password: {
    about: "Strength depends on the number of possible passwords.",
    fields: {
      length: { hasSlider: true },
      uppercase: { label: "A–Z" },
      lowercase: { label: "a–z" },
      numbers: { label: "0–9" },
      ambiguous: { label: "Include look-alikes (0O1Il5S)" },
      count: { value: "1" },
    },
  },
  json: {
    title: "JSON",
    about: "",
    empty: {
      format: SAME_JSON,
      minify: SAME_JSON,
      validate: "Checks the JSON and shows the position of any error.",
    },
    examples: { format: EXAMPLE, minify: EXAMPLE, validate: EXAMPLE },
    fields: {
      indent: { choices: { 2: "2 spaces", 4: "4 spaces" }, action: "format" },
    },
  },
};

/**
 * Converts a name such as `lineLength` to the label “Line length”.
 * @param {string} name
 */
function toLabel(name) {
  const label = name.replaceAll(/[-_]|(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/**
 * Creates a field from a parameter.
 * @param {string} name
 * @param {DefinedParameter} parameter
 * @param {OwnField} own
 * @returns {Field}
 */
function createField(name, parameter, { choices: labels = {}, ...own }) {
  const { type, enum: values, minimum, maximum, isRequired } = parameter;
  const first = isRequired ? values?.[0] ?? minimum ?? "" : "";
  const fallback = type === "boolean" ? false : first;
  const value = String(parameter.default ?? fallback);
  const choices = values?.map((value) => [
    value,
    labels[value] ?? toLabel(String(value)),
  ]);
  return {
    type,
    label: toLabel(name),
    value,
    isOptional: !isRequired && value === "" && !own.value,
    ...choices ? { choices: Object.fromEntries(choices) } : {},
    ...minimum !== undefined && maximum !== undefined
      ? { range: [minimum, maximum] }
      : {},
    ...own,
  };
}

/**
 * Creates a tool from a definition, with what `OWN` adds to it.
 * @param {string} name
 * @param {Definition} definition
 * @returns {Tool}
 */
export function createTool(name, { method, summary, parameters, inputs }) {
  const { fields = {}, ...own } = OWN[name] ?? {};
  const { input, ...fieldParameters } = parameters;
  return {
    method,
    hasInput: input !== undefined,
    title: toLabel(name),
    view: input ? "text" : "lines",
    about: summary,
    examples: inputs,
    ...own,
    fields: Object.fromEntries(
      Object.entries(fieldParameters).map(([key, parameter]) => [
        key,
        createField(key, parameter, fields[key] ?? {}),
      ]),
    ),
  };
}

/**
 * The tools, in the order of the navigation.
 * @type {Readonly<Record<string, Tool>>}
 */
export const TOOLS = Object.fromEntries(
  Object.entries(DEFINITIONS).map(([name, definition]) => [
    name,
    createTool(name, definition),
  ]),
);
