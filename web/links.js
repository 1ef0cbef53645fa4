/**
 * Parses and formats the fragment of a URL, such as
 * `#base64?decode&input=SGVsbG8=`. Browsers don't send fragments to the service.
 * @module
 */

/** Longest input that is written into a link, in UTF-16 code units. */
export const MAX_LINKED = 2_000;

/** Returns the URL of the page's folder, without user name and password. */
export function getBase() {
  return new URL(".", location.origin + location.pathname).href;
}

/**
 * Returns the tool, its options, and the first `input`, if any. A plus sign in the
 * input is a plus sign.
 * @param {string} fragment With the `#`.
 * @returns {{ name: string, options: string, input?: string }}
 */
export function parseLink(fragment) {
  const [name = ""] = fragment.slice(1).split("?", 1);
  const parts = fragment.slice(name.length + 2).split("&");
  const isInput = (/** @type {string} */ part) => part.startsWith("input=");
  const options = parts.filter((part) => !isInput(part)).join("&");
  const input = parts.find(isInput);
  if (input === undefined) return { name, options };
  return { name, options, input: unescape(input.slice("input=".length)) };
}

/** @param {string} text Returned unchanged if it has a malformed escape. */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns a fragment for `parseLink()`, and a message for the user. Input that is
 * too long or has a lone surrogate is omitted.
 * @param {string} name
 * @param {string} options
 * @param {string} [input] Undefined if a file is the input.
 */
export function formatLink(name, options, input) {
  const parts = options ? [options] : [];
  let message = "";
  const isLinkable = input !== undefined && input.length <= MAX_LINKED &&
    input.isWellFormed();
  if (!isLinkable) {
    const limit = MAX_LINKED.toLocaleString("en");
    message = "The link contains only the options. A link can include up to " +
      `${limit} characters of well-formed text, but it can’t include a file.`;
  } else if (input !== "") {
    parts.push(`input=${encodeURIComponent(input)}`);
    message = "The link contains the input. Any browser that opens the link " +
      "keeps the input in its history.";
  }
  const query = parts.join("&");
  return { fragment: `#${name}${query && `?${query}`}`, message };
}
