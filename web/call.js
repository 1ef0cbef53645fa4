/// <reference path="./types.d.ts" />

/** From fields to a request to a reply: one call of the service, without a page. */

import { describeSize, escapeUnseen, quoteForShell } from "./text.js";

/** A call that takes longer has failed, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** The most input that a curl line shows, in UTF-16 code units; more is sent from a file. */
const MAX_COMMAND_INPUT = 2_000;

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
 * The same call for a shell, with a large body in request.json.
 *
 * @param {Endpoint} endpoint
 * @param {Fields} fields
 * @param {string} base
 */
export function createCommand(endpoint, fields, base) {
  const needsFile = String(fields.input).length > MAX_COMMAND_INPUT;
  const short = needsFile ? {} : fields;
  const { method, url, body = "" } = createRequest(endpoint, short, base);
  const data = needsFile ? "@request.json" : quoteForShell(escapeUnseen(body));
  const line = `curl -sS ${quoteForShell(url)}`;
  return { line: method === "POST" ? `${line} -d ${data}` : line, needsFile };
}

/**
 * Sends a request and says what came of it.
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
    // Nothing but the network is tried here: a mistake of the page is none of its.
    return {
      failure: deadline.aborted
        ? `The service has not answered in ${TIMEOUT_MS / 1_000} seconds.`
        : "The service cannot be reached.",
    };
  }
  return readReply(response, { text, size: describeSize(bytes.byteLength) });
}

/**
 * @param {Response} response
 * @param {{ text: string, size: string }} bodies What came, and how much went.
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
    return retryAfter >= 0 ? { failure, retryAfter } : { failure };
  }
  if (status === 413) {
    const who = isOurs
      ? "the service"
      : "something before the service, such as a proxy,";
    return {
      failure: `Too large: ${who} takes no request of ${size} (status 413).`,
      isFinal: true,
    };
  }
  if (value && ok) return { answer: value };
  if (value && isOurs && status < 500) return { error: String(value.error) };
  return describeForeign(status, headers.get("content-type") ?? "no type");
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
