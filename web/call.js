/// <reference path="./types.d.ts" />

/** From fields to a request to a reply: one call of the service, without a page. */

/** A call that takes longer has failed, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** Pause before a failed call is made again, unless the service names one, in seconds. */
const RETRY_AFTER = 2;

/**
 * The request with some fields: in the body with an input, else in the query.
 * @param {string} path @param {Fields} fields @param {string} base The address of the page.
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

/** Sends a request and describes its outcome. @param {ServiceRequest} request @param {AbortSignal} signal @returns {Promise<Reply>} */
export async function send({ method, url, body }, signal) {
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  let response;
  try {
    response = await fetch(url, {
      method,
      body: body ?? null,
      signal: AbortSignal.any([signal, deadline]),
      cache: "no-store",
    });
    return readReply(response, Object(await response.json()));
  } catch (error) {
    if (response && error instanceof SyntaxError) {
      return readReply(response, {});
    }
    const failure = deadline.aborted
      ? "The service has not answered in time."
      : "The service cannot be reached.";
    return { failure, retryAfter: RETRY_AFTER };
  }
}

/** @param {Response} response @param {Answer} value @returns {Reply} */
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

/** The failure where another server has answered. @param {number} status @returns {Failure} */
export function describeForeign(status) {
  const failure =
    `This answer is not the service’s (status ${status}): perhaps a proxy’s or another server’s.`;
  return status > 500 ? { failure, retryAfter: RETRY_AFTER } : { failure };
}
