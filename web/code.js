/**
 * Writes a request to the API as code for curl, JavaScript, Python or
 * PowerShell. Uses no DOM.
 * @module
 */

/** Longest input in the code that is written for a user, in UTF-16 code units. */
const MAX_INPUT = 2_000;

/**
 * Returns the fields of a request. Values with an `input` are for a body, and
 * include defaults. Other values are for a query, which leaves out defaults.
 * `indent` becomes a number.
 * @param {Tool} tool
 * @param {Values} values
 * @returns {Fields}
 */
export function toFields({ fields }, values) {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) =>
        "input" in values || value !== fields[name]?.value
      )
      .map(([name, value]) =>
        name === "indent" ? [name, Number(value)] : [name, value]
      ),
  );
}

/**
 * Makes a request: a POST with all fields as its JSON body if one of the fields
 * is `input`, otherwise a GET with the fields as its query.
 * @param {string} path
 * @param {Fields} fields
 * @param {string} base
 * @returns {{ method: string, url: string, body?: string }}
 */
export function createRequest(path, fields, base) {
  const url = new URL(path, base);
  if ("input" in fields) {
    return { method: "POST", url: url.href, body: JSON.stringify(fields) };
  }
  for (const [name, value] of Object.entries(fields)) {
    url.searchParams.set(name, String(value));
  }
  return { method: "GET", url: url.href };
}

/**
 * Returns the `code` of a request. If the input is longer than `MAX_INPUT`, the
 * code reads the body from the file request.json, and `isFile` is true. The
 * code is empty for an unknown language.
 * @param {string} path
 * @param {Fields} fields
 * @param {{ base: string, language: string }} options
 */
export function createCode(path, fields, { base, language }) {
  const isFile = String(fields.input).length > MAX_INPUT;
  const short = isFile ? { input: "" } : fields;
  const { url, body = "" } = createRequest(path, short, base);
  const code = WRITERS[language]?.(url, escapeUnseen(body), isFile) ?? "";
  return { code, isFile };
}

/**
 * The functions that write a request as code, by language. `json` is the body,
 * empty for a GET. With `isFile`, the code reads the body from request.json
 * instead.
 * @type {Record<string,
 *   (url: string, json: string, isFile: boolean) => string>}
 */
const WRITERS = {
  curl(url, json, isFile) {
    const body = isFile ? "@request.json" : quoteForShell(json);
    const data = json === "" ? "" : ` -d ${body}`;
    return `curl -sS ${quoteForShell(url)}${data}`;
  },
  fetch(url, json, isFile) {
    const body = isFile
      ? 'await (await import("node:fs/promises")).readFile("request.json")'
      : `JSON.stringify(${json})`;
    const init = json === ""
      ? ""
      : `, {\n  method: "POST",\n  body: ${body},\n}`;
    return `const response = await fetch("${url}"${init});\n` +
      "console.log(await response.json());";
  },
  // The body is JSON with strings and integers only, which is valid Python,
  // too.
  python(url, json, isFile) {
    const body = isFile
      ? 'open("request.json", "rb").read()'
      : `json.dumps(${json}).encode()`;
    const data = json === "" ? "" : `, ${body}`;
    return "import json, urllib.request\n\n" +
      `with urllib.request.urlopen("${url}"${data}) as response:\n` +
      "    print(json.load(response))";
  },
  // Escapes characters that are not ASCII: Windows PowerShell would send them
  // in a wrong encoding.
  powershell(url, json, isFile) {
    const ascii = json.replace(/[^\0-\x7f]/g, escapeUnit);
    const body = isFile
      ? "-InFile request.json"
      : `-Body ${quoteForPowerShell(ascii)}`;
    const post = json === ""
      ? ""
      : ` -Method Post -ContentType application/json ${body}`;
    return `Invoke-RestMethod ${quoteForPowerShell(url)}${post}`;
  },
};

/**
 * Quotes a text for a POSIX shell. A single quote in the text becomes `'\''`.
 * @param {string} text
 */
function quoteForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Quotes a text for PowerShell, for which curly single quotes would need
 * escaping, too.
 * @param {string} text In ASCII.
 */
function quoteForPowerShell(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Writes DEL, C1 controls, soft hyphens, the separators U+2028 and U+2029, and
 * common zero-width and direction characters in JSON as escape sequences, so
 * that the characters can be seen in the code and survive copying.
 * @param {string} json
 */
function escapeUnseen(json) {
  const unseen =
    /[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
  return json.replace(unseen, escapeUnit);
}

/**
 * @param {string} unit A UTF-16 code unit.
 */
function escapeUnit(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
