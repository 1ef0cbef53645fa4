/**
 * Reads and writes the fragment of a URL, such as `#base64?decode` or, with
 * input, `#base64?decode&input=SGVsbG8=`. Browsers don't send fragments to the
 * service.
 * @module
 */

/** Longest input that is written into a link, in UTF-16 code units. */
export const MAX_LINKED = 2_000;

/**
 * Returns the URL of the folder of the page, without a user name and a password
 * that the URL of the page may contain.
 */
export function getBase() {
  return new URL(".", location.origin + location.pathname).href;
}

/**
 * Returns the parts of a fragment: the name of the tool, its options, and the
 * value of the first option `input`, if any. A plus sign in it is a plus sign,
 * and a percent sign that starts no UTF-8 escape is a percent sign.
 * @param {string} fragment With the `#`.
 * @returns {{ name: string, options: string, input?: string }}
 */
export function readLink(fragment) {
  const [name = ""] = fragment.slice(1).split("?", 1);
  const parts = fragment.slice(name.length + 2).split("&");
  const options = parts.filter((part) => !INPUT.test(part)).join("&");
  const written = parts.find((part) => INPUT.test(part));
  if (written === undefined) return { name, options };
  const input = written.replace(INPUT, "").replaceAll(ESCAPES, unescape);
  return { name, options, input };
}

const INPUT = /^input=/i;

const ESCAPES = /(?:%[\da-f]{2})+/gi;

/** @param {string} escapes */
function unescape(escapes) {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/**
 * Returns a fragment that `readLink()` reads, and what the user must know about
 * it, if anything. Input that is too long or has a lone surrogate is omitted.
 * @param {string} name
 * @param {string} options
 * @param {string} [input] Undefined if a file is the input.
 */
export function writeLink(name, options, input) {
  const parts = options ? [options] : [];
  let message = "";
  const isLinkable = input !== undefined && input.length <= MAX_LINKED &&
    input.isWellFormed();
  if (!isLinkable) {
    const limit = MAX_LINKED.toLocaleString("en");
    message = "The link has only the options: it can contain at most " +
      `${limit} characters of well-formed text, and no file.`;
  } else if (input !== "") {
    parts.push(`input=${encodeURIComponent(input)}`);
    message = "The link contains the input. Each browser that opens it keeps " +
      "it in its history.";
  }
  const query = parts.join("&");
  return { fragment: `#${name}${query && `?${query}`}`, message };
}
