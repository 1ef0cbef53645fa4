/**
 * Calls the service: makes the requests of a call, sends them, and reads the
 * outcome of the call from their answers. Uses no DOM.
 * @module
 */

import { isAllowed } from "./form.js";
import { findKind } from "./kinds.js";
import * as texts from "./text.js";
import { TOOLS } from "./tools.js";

/** Longest time for a request and its response, in milliseconds. */
const TIMEOUT_MS = 20_000;

/** Longest Base64 that the page decodes itself, in UTF-16 code units. */
export const MAX_DECODED = 16_000_000;

/**
 * Sends the requests of a call at the same time, and returns the outcome of the
 * call. Nothing is sent if the input is empty in a tool whose result is a text,
 * or if a field with `isOfPage` has a value that is not allowed. A request with
 * a body above the limit is not sent, either.
 * @param {string} name Name of the tool.
 * @param {Values} values
 * @param {{ base: string, limit: number, signal: AbortSignal }} options The
 * address of the page, the largest request body in bytes, and the signal that
 * cancels the call.
 * @returns {Promise<Outcome>}
 */
export async function call(name, values, { base, limit, signal }) {
  const tool = /** @type {Tool} */ (TOOLS[name]);
  const wrong = describeOwn(tool, values);
  if (wrong) return { wrong };
  if (values.input === "" && tool.view === "text") return { result: "" };
  const replies = await Promise.all(
    listChanges(tool, values).map((changes) => {
      const changed = { ...values, ...changes };
      const request = createRequest(
        `api/${name}`,
        toFields(tool, changed),
        base,
      );
      const wrong = describeExcess(request, changed.input, limit);
      return wrong ? { wrong } : send(request, signal);
    }),
  );
  const answers = [];
  for (const reply of replies) {
    if (!("answer" in reply)) return explain(reply, values);
    answers.push(reply.answer);
  }
  return explain(tool.read(answers, values) ?? describeForeign(200), values);
}

/**
 * Returns the error for the first field with a value that is not allowed, or
 * undefined. Checks only the fields that are not sent (`isOfPage`).
 * @param {Tool} tool
 * @param {Values} values
 */
function describeOwn({ fields }, values) {
  for (const [name, field] of Object.entries(fields)) {
    const { isOfPage, range: [min, max] = [] } = field;
    const { [name]: value = field.value } = values;
    if (isOfPage && !isAllowed(field, value)) {
      return `Enter a number from ${min} to ${max}.`;
    }
  }
}

/**
 * Whether a request with these values is small enough for the service.
 * @param {string} name
 * @param {Values} values
 * @param {number} limit Largest body, in bytes.
 */
export function isTaken(name, values, limit) {
  const tool = /** @type {Tool} */ (TOOLS[name]);
  const { body } = createRequest(
    "",
    toFields(tool, values),
    "http://localhost",
  );
  return texts.countBytes(body ?? "") <= limit;
}

/**
 * Returns the fields of a request, without fields that have `isOfPage`. Values
 * with an `input` are for a body, and include defaults. Other values are for a
 * query, which leaves out defaults. `indent` becomes a number.
 * @param {Tool} tool
 * @param {Values} values
 * @returns {Fields}
 */
export function toFields({ fields }, values) {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => !fields[name]?.isOfPage)
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
 * Returns the error for a request whose body is larger than `limit`, or an
 * empty text.
 * @param {{ body?: string }} request
 * @param {string | undefined} input
 * @param {number} limit Largest body, in bytes.
 */
function describeExcess({ body = "" }, input = "", limit) {
  const [size, sent] = [texts.countBytes(input), texts.countBytes(body)];
  if (sent <= limit) return "";
  const words = `"input" is too large: ${texts.describeLimit(size, limit)}`;
  if (size > limit) return words;
  return `${words}; this one would have ${texts.describeSize(sent)}, since ` +
    "quotes, backslashes and line ends are escaped in JSON";
}

/**
 * Sends a request. Returns the JSON of a successful response, or else an
 * outcome: with `wrong`, the service's message on an error in the request, or
 * with `failure`, for example that no response came in time.
 * @param {ReturnType<typeof createRequest>} request
 * @param {AbortSignal} signal
 * @returns {Promise<{ answer: Answer } | Outcome>}
 */
export async function send({ url, ...init }, signal) {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  let response, answer;
  try {
    const either = AbortSignal.any([signal, timeout]);
    response = await fetch(url, { ...init, signal: either });
    answer = await response.json();
  } catch (error) {
    if (signal.aborted) return { failure: "The call was cancelled." };
    if (timeout.aborted) {
      return { failure: "The service has not answered in time." };
    }
    // `instanceof` does not work here: in WebKit, `json()` throws an error of
    // another realm.
    if (!response || Object(error).name !== "SyntaxError") {
      return { failure: "The service cannot be reached." };
    }
  }
  const { ok, status } = response;
  if (status === 429 || status === 503) {
    return { failure: `The service is busy (status ${status}).` };
  }
  const error = answer?.error;
  if (ok && answer) return { answer };
  if (typeof error !== "string") return describeForeign(status);
  return status < 500
    ? { wrong: error }
    : { failure: `The service has failed (status ${status}): ${error}.` };
}

/** @param {number} status That of a response of another server. */
function describeForeign(status) {
  const failure = `This answer is not the service’s (status ${status}): ` +
    "perhaps a proxy’s or another server’s.";
  return { failure };
}

/**
 * Rewrites the error of an outcome in the words of the page, and adds the
 * offset in the input if the error names a position. If Base64 is refused as
 * too large or not UTF-8 text, but the page can decode it, returns the page's
 * outcome instead. An outcome without an error stays as it is.
 * @param {Outcome} outcome
 * @param {Values} values
 * @returns {Outcome}
 */
function explain(outcome, { input = "", action }) {
  const { wrong: error } = outcome;
  if (error === undefined) return outcome;
  const isLocal = error.startsWith('"input" is too large');
  if (action === "decode" && (isLocal || error.endsWith("not UTF-8 text"))) {
    const decoded = decodeHere(input);
    if (decoded) return { ...decoded, isLocal };
  }
  const isInvalidJson = outcome.isInvalidJson ||
    error.startsWith('"input" must be JSON: ');
  const words = texts.namePlace(error, input)
    .replace(/^"input" must be JSON:/, "Not valid JSON:")
    .replace(
      /^"(?:count|length)" must be an integer from (\d+) to (\d+),[^]*/,
      "Enter a number from $1 to $2",
    )
    .replace(/^one of "uppercase".*/, "Choose at least one kind of character")
    .replace(/^"(\w+)"/, "The $1");
  return {
    ...outcome,
    wrong: `${words}.`,
    offset: texts.findPosition(error, input),
    isInvalidJson,
  };
}

/**
 * Decodes Base64 that the service refuses, since the request is too large or
 * the bytes are not UTF-8 text. Returns undefined for a text that is not
 * Base64, and for one that is longer than `MAX_DECODED`.
 * @param {string} input
 * @returns {Outcome | undefined}
 */
function decodeHere(input) {
  if (input.length > MAX_DECODED) return;
  const bytes = texts.decodeBase64(input);
  if (!bytes) return;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { result: decoder.decode(bytes) };
  } catch {
    const size = texts.describeSize(bytes.length);
    const { name } = findKind(bytes) ?? {};
    const note = `Binary data, ${size}${name ? ` (${name})` : ""}`;
    return { result: "", note, bytes };
  }
}

/**
 * Returns, for each request of a call, the values that replace the given ones.
 * Without `requests()`: one request, and nothing replaced.
 * @param {Tool} tool
 * @param {Values} values
 */
function listChanges(tool, values) {
  return tool.requests === undefined ? [{}] : tool.requests(values);
}
