/// <reference path="./types.d.ts" />

/**
 * Formats an API call as code for curl, JavaScript, Python, or PowerShell.
 * @module
 */

/** Longest input in the code, in UTF-16 code units. */
const MAX_INPUT = 2_000;

/**
 * Returns the fields of a request, each with its type in JSON. A query omits
 * defaults.
 * @param {Tool} tool
 * @param {Values} values
 * @returns {Fields}
 */
export function toFields({ method, fields }, values) {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) =>
        method === "POST" || value !== fields[name]?.value
      )
      .map(([name, value]) => {
        const { type } = fields[name] ?? {};
        if (type === "integer") return [name, Number(value)];
        return [name, type === "boolean" ? value === "true" : value];
      }),
  );
}

/**
 * Returns the code of a request: a POST with the fields as its JSON body, or a GET
 * with the fields as its query. For an input longer than `MAX_INPUT`, `isFile` is
 * true, and the code reads the body from the file request.json.
 * @param {{ method: string, url: string, fields: Fields }} request
 * @param {string} language
 */
export function createCode({ method, url, fields }, language) {
  const isPost = method === "POST";
  const isFile = isPost && String(fields.input).length > MAX_INPUT;
  const sent = isPost && !isFile ? fields : undefined;
  const query = new URLSearchParams(isPost ? {} : /** @type {any} */ (fields));
  const requestUrl = query.size > 0 ? `${url}?${query}` : url;
  const code = FORMATTERS[language]?.({ url: requestUrl, isPost, sent }) ?? "";
  return { code, isFile };
}

/**
 * The functions that format a request, by language. Without `sent`, a POST reads
 * its body from request.json.
 * @type {Readonly<Record<string,
 *   (request: { url: string, isPost: boolean, sent: Fields | undefined }) => string>>}
 */
const FORMATTERS = {
  // The strings in the body contain no quotes, so the shells of Windows, which
  // parse quotes differently, execute no part of it.
  curl({ url, isPost, sent }) {
    const json = toJson(sent).replaceAll(/\\.|['\u2018-\u201b]/g, escapeQuote);
    const body = sent ? quoteForShell(json) : "@request.json";
    return `curl -sS ${quoteForShell(url)}${isPost ? ` -d ${body}` : ""}`;
  },
  fetch({ url, isPost, sent }) {
    const body = sent
      ? `JSON.stringify(${toJson(sent)})`
      : 'await (await import("node:fs/promises")).readFile("request.json")';
    const init = `, {\n  method: "POST",\n  body: ${body},\n}`;
    return `const response = await fetch("${url}"${isPost ? init : ""});\n` +
      "console.log(await response.json());";
  },
  python({ url, isPost, sent }) {
    const body = sent
      ? `json.dumps(${toPython(sent)}).encode()`
      : 'open("request.json", "rb").read()';
    return "import json, urllib.request\n\n" +
      `with urllib.request.urlopen("${url}"${isPost ? `, ${body}` : ""}) ` +
      "as response:\n    print(json.load(response))";
  },
  // Windows PowerShell would send non-ASCII characters in another encoding.
  powershell({ url, isPost, sent }) {
    const ascii = toJson(sent).replaceAll(/[^\0-\x7f]/g, escapeUnit);
    const body = sent
      ? `-Body ${quoteForPowerShell(ascii)}`
      : "-InFile request.json";
    const post = ` -Method Post -ContentType application/json ${body}`;
    return `Invoke-RestMethod ${quoteForPowerShell(url)}${isPost ? post : ""}`;
  },
};

/** @param {string} text */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * @param {string} text In ASCII: PowerShell also treats curly quotes as quotes.
 */
function quoteForPowerShell(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Returns the JSON of a value, with escape sequences for invisible characters:
 * they must be visible in the code and survive copying.
 * @param {unknown} value
 */
function toJson(value = {}) {
  const invisible =
    /[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
  return JSON.stringify(value).replaceAll(invisible, escapeUnit);
}

/**
 * Formats fields as a Python dictionary. JSON strings and integers are valid
 * Python.
 * @param {Fields} fields
 */
function toPython(fields) {
  const items = Object.entries(fields).map(([name, value]) => {
    const isBoolean = typeof value === "boolean";
    return `"${name}":${isBoolean ? value ? "True" : "False" : toJson(value)}`;
  });
  return `{${items.join()}}`;
}

/** @param {string} unit A UTF-16 code unit. */
function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** @param {string} part An escape sequence of JSON, or a single quote. */
function escapeQuote(part) {
  if (part === '\\"') return escapeUnit('"');
  return part.startsWith("\\") ? part : escapeUnit(part);
}
