/** Writes a call of the service as code in several languages. Uses no DOM. */

import { createRequest } from "./call.js";
import { escapeUnit, escapeUnseen, quoteForShell } from "./text.js";

/** Maximum length of an input that is written into the example code, in UTF-16 code units. For a longer input, the example code reads the request body from the file request.json. */
const MAX_CODE_INPUT = 2_000;

/**
 * Returns a call of the service as code for `curl`, `fetch`, `python` or `powershell`. `isFile` tells whether the code
 * reads the request body from the file request.json.
 * @param {string} path @param {Fields} fields @param {{ base: string, language: string }} options
 */
export function createCode(path, fields, { base, language }) {
  const isFile = String(fields.input).length > MAX_CODE_INPUT;
  const short = isFile ? { input: "" } : fields;
  const { url, body = "" } = createRequest(path, short, base);
  const json = escapeUnseen(body);
  const write = WRITERS[language] ?? writeCurl;
  return { code: write({ url, json, isFile }), isFile };
}

/** By language, the function that writes a call as code. @type {Readonly<Record<string, (call: Code) => string>>} */
const WRITERS = {
  fetch({ url, json, isFile }) {
    const body = isFile
      ? 'await (await import("node:fs/promises")).readFile("request.json")'
      : `JSON.stringify(${json})`;
    const init = json && `, {\n  method: "POST",\n  body: ${body},\n}`;
    return `const response = await fetch("${url}"${init});\nconsole.log(await response.json());`;
  },
  // The JSON of the request has only strings and integers, so it is also valid Python.
  python({ url, json, isFile }) {
    const body = isFile
      ? ', open("request.json", "rb").read()'
      : json && `, json.dumps(${json}).encode()`;
    return `import json, urllib.request\n\nwith urllib.request.urlopen("${url}"${body}) as response:\n    print(json.load(response))`;
  },
  // Windows PowerShell encodes non-ASCII characters of the body incorrectly, so they are written as JSON escapes.
  powershell({ url, json, isFile }) {
    const ascii = json.replace(/[^\0-\x7f]/g, escapeUnit).replaceAll("'", "''");
    const body = isFile ? "-InFile request.json" : `-Body '${ascii}'`;
    const more = json &&
      ` -Method Post -ContentType application/json ${body}`;
    return `Invoke-RestMethod '${url.replaceAll("'", "''")}'${more}`;
  },
};

/** Writes a call as a curl command. @param {Code} call */
function writeCurl({ url, json, isFile }) {
  const body = isFile ? "@request.json" : quoteForShell(json);
  return `curl -sS ${quoteForShell(url)}${json && ` -d ${body}`}`;
}
