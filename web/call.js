/// <reference path="./types.d.ts" />

/** From fields to a request to a reply: one call of the service, without a page. */

import {
  describeSize,
  escapeUnit,
  escapeUnseen,
  quoteForShell,
} from "./text.js";

/** A call that takes longer has failed, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** Pause before a failed call is made again, unless the service names one, in seconds. */
const RETRY_AFTER = 2;

/** The most input that code shows, in UTF-16 code units; more is sent from a file. */
const MAX_CODE_INPUT = 2_000;

/**
 * @param {Endpoint} endpoint
 * @param {Fields} fields
 * @param {string} base The address of the page.
 * @returns {ServiceRequest}
 */
export function createRequest({ path, method }, fields, base) {
  const url = new URL(path, base);
  const request = { method, url: url.href };
  if (method === "POST") return { ...request, body: JSON.stringify(fields) };
  for (const [name, value] of Object.entries(fields)) {
    url.searchParams.set(name, String(value));
  }
  return { method, url: url.href };
}

/**
 * The same call as code for `curl`, `fetch`, `python` or `powershell`, with a
 * large body in request.json.
 *
 * @param {Endpoint} endpoint
 * @param {Fields} fields
 * @param {{ base: string, language?: string }} options
 */
export function createCode(endpoint, fields, { base, language = "curl" }) {
  const needsFile = String(fields.input).length > MAX_CODE_INPUT;
  const short = needsFile ? {} : fields;
  const { method, url, body = "" } = createRequest(endpoint, short, base);
  const json = escapeUnseen(body);
  const write = WRITERS[language] ?? writeCurl;
  const source = method === "GET" ? "none" : needsFile ? "file" : "text";
  return { code: write({ url, json, source }), needsFile };
}

/** @type {Readonly<Record<string, (call: Code) => string>>} */
const WRITERS = {
  fetch({ url, json, source }) {
    const body = source === "file"
      ? 'await readFile("request.json")'
      : `JSON.stringify(${json})`;
    const init = source === "none"
      ? ""
      : `, {\n  method: "POST",\n  body: ${body},\n}`;
    const start = source === "file"
      ? 'import { readFile } from "node:fs/promises";\n\n'
      : "";
    return `${start}const response = await fetch(${
      JSON.stringify(url)
    }${init});\nconsole.log(await response.json());`;
  },
  // A JSON text of strings and whole numbers is Python too.
  python({ url, json, source }) {
    const body = {
      none: "",
      text: `, json.dumps(${json}).encode()`,
      file: ', open("request.json", "rb").read()',
    }[source];
    return `import json, urllib.request\n\nwith urllib.request.urlopen(${
      JSON.stringify(url)
    }${body}) as response:\n    print(json.load(response))`;
  },
  // Windows PowerShell would read and send other characters than ASCII differently.
  powershell({ url, json, source }) {
    const ascii = json.replace(/[^\0-\x7f]/g, escapeUnit).replaceAll("'", "''");
    const body = {
      none: "",
      text: ` -Body '${ascii}'`,
      file: " -InFile request.json",
    }[source];
    const method = source === "none"
      ? ""
      : " -Method Post -ContentType application/json";
    return `Invoke-RestMethod '${url.replaceAll("'", "''")}'${method}${body}`;
  },
};

/** @param {Code} call */
function writeCurl({ url, json, source }) {
  const data = {
    none: "",
    text: ` -d ${quoteForShell(json)}`,
    file: " -d @request.json",
  }[source];
  return `curl -sS ${quoteForShell(url)}${data}`;
}

/**
 * Sends a request and describes its outcome.
 *
 * @param {ServiceRequest} request
 * @param {{ signal: AbortSignal, maxBodyBytes: number }} options
 * @returns {Promise<Reply>}
 */
export async function send({ method, url, body }, { signal, maxBodyBytes }) {
  const bytes = new TextEncoder().encode(body);
  if (bytes.byteLength > maxBodyBytes) {
    return {
      failure:
        `Too large: as JSON, with what must be escaped, this makes a request of ${
          describeSize(bytes.byteLength)
        }; the service takes at most ${describeSize(maxBodyBytes)}.`,
      isFinal: true,
    };
  }
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const init = {
    method,
    body: method === "POST" ? bytes : null,
    signal: AbortSignal.any([signal, deadline]),
  };
  let response, text;
  try {
    response = await fetch(url, { ...init, cache: "no-store" });
    text = await response.text();
  } catch {
    // Only `fetch()` can throw here, so the failure is one of the network.
    return {
      failure: deadline.aborted
        ? `The service has not answered in ${TIMEOUT_MS / 1_000} seconds.`
        : "The service cannot be reached.",
      retryAfter: RETRY_AFTER,
    };
  }
  return readReply(response, { text, size: describeSize(bytes.byteLength) });
}

/**
 * @param {Response} response
 * @param {{ text: string, size: string }} bodies The response, and the size of the request.
 * @returns {Reply}
 */
function readReply({ ok, status, headers }, { text, size }) {
  const value = parseObject(text);
  const isOurs = typeof value?.error === "string";
  if (status === 503 || status === 429) {
    const failure = status === 503
      ? "The service is busy (status 503)."
      : "Too many requests: something before the service asks to wait (status 429).";
    const retryAfter = parseInt(headers.get("retry-after") ?? "");
    return { failure, retryAfter: retryAfter >= 0 ? retryAfter : RETRY_AFTER };
  }
  if (status === 413) {
    const refuser = isOurs
      ? "the service"
      : "something before the service, such as a proxy,";
    return {
      failure:
        `Too large: ${refuser} takes no request of ${size} (status 413).`,
      isFinal: true,
    };
  }
  if (value && ok) return { answer: value };
  if (isOurs && status < 500) return { error: String(value.error) };
  if (isOurs) {
    return {
      failure: `The service has failed (status ${status}): ${value.error}.`,
    };
  }
  const foreign = describeForeign(
    status,
    headers.get("content-type") ?? "no type",
  );
  return status > 500 ? { ...foreign, retryAfter: RETRY_AFTER } : foreign;
}

/** @param {number} status @param {string} type */
export function describeForeign(status, type) {
  return {
    failure:
      `This answer is not the service’s (status ${status}, ${type}): perhaps a proxy’s or another server’s.`,
  };
}

/** @param {string} text @returns {Record<string, unknown> | undefined} */
function parseObject(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}
