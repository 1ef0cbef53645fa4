/// <reference path="./types.d.ts" />

/** One request to the service: creates it, sends it and reads the reply. Uses no DOM. */

import { countBytes, describeLimit, describeSize } from "./text.js";

/** Time limit for a request and its response, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** Minimum length of a request body for which the progress of the upload is shown, in UTF-16 code units. */
const LARGE_BODY = 100_000;

/** Pause before the first retry of a failed call, in seconds, if the response has no Retry-After header. */
const RETRY_AFTER = 2;

/**
 * Creates the request for the given fields. If they include `input`, all fields are sent as JSON in the body, otherwise
 * in the query.
 * @param {string} path @param {Fields} fields @param {string} base The URL of the page.
 * @returns {ServiceRequest}
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
 * Returns why a request is too large to be sent, or an empty text if it is not too large. `limit` is the maximum size
 * of its body, in bytes.
 * @param {ServiceRequest} request @param {{ input: string | undefined, limit: number }} options
 */
export function describeExcess({ body = "" }, { input = "", limit }) {
  // Short bodies are not encoded to find their size: in UTF-8, a UTF-16 code unit takes at most three bytes.
  if (body.length * 3 <= limit) return "";
  const [size, sent] = [countBytes(input), countBytes(body)];
  if (sent <= limit) return "";
  const words = describeLimit(size, limit);
  if (size > limit) return `is too large: ${words}`;
  return `is too large: ${words}; this one would have ${
    describeSize(sent)
  }, since quotes, backslashes and line ends are escaped in JSON`;
}

/** Sends a request and returns the reply. @param {ServiceRequest} request @param {SendOptions} options @returns {Promise<Reply>} */
export async function send({ method, url, body }, options) {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const signal = AbortSignal.any([options.signal, deadline]);
  const { onProgress } = options;
  let response;
  try {
    response = body && body.length >= LARGE_BODY && onProgress
      ? await upload(url, body, { signal, onProgress })
      : await fetch(url, {
        method,
        body: body ?? null,
        signal,
        cache: "no-store",
      });
    return readReply(response, Object(await response.json()));
  } catch (error) {
    if (response && error instanceof SyntaxError) {
      return readReply(response, {});
    }
    if (options.signal.aborted) return { failure: "The call was cancelled." };
    const failure = deadline.aborted
      ? "The service has not answered in time."
      : "The service cannot be reached.";
    return { failure, retryAfter: RETRY_AFTER };
  }
}

/**
 * Sends a large request body by XMLHttpRequest, since `fetch()` cannot report the progress of the upload.
 * @param {string} url @param {string} body @param {Required<SendOptions>} options @returns {Promise<Response>}
 */
function upload(url, body, { signal, onProgress }) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const request = new XMLHttpRequest();
  request.open("POST", url);
  request.responseType = "blob";
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  request.onload = () => {
    const { status } = request;
    const retryAfter = request.getResponseHeader("retry-after");
    const headers = retryAfter ? { "retry-after": retryAfter } : {};
    resolve(new Response(request.response, { status, headers }));
  };
  request.onerror = request.onabort = () => reject(new TypeError("not sent"));
  signal.onabort = () => request.abort();
  request.send(body);
  return promise;
}

/** Returns the reply for a response whose body has been parsed. @param {Response} response @param {Answer} value @returns {Reply} */
function readReply({ ok, status, headers }, value) {
  const { error } = value;
  if (status === 429 || status === 503) {
    const seconds = parseInt(headers.get("retry-after") ?? "");
    const retryAfter = seconds >= 0 ? seconds : RETRY_AFTER;
    return { failure: `The service is busy (status ${status}).`, retryAfter };
  }
  if (ok) return { answer: value };
  if (typeof error !== "string") return describeForeign(status);
  return status < 500
    ? { error }
    : { failure: `The service has failed (status ${status}): ${error}.` };
}

/** Returns the failure to report if a response is not from this service but from a proxy or another server. @param {number} status @returns {Failure} */
export function describeForeign(status) {
  const failure =
    `This answer is not the service’s (status ${status}): perhaps a proxy’s or another server’s.`;
  return status > 500 ? { failure, retryAfter: RETRY_AFTER } : { failure };
}
