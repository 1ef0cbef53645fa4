/**
 * Reads and writes the fragment of an address, such as `#base64?decode` or, with
 * a text for the input, `#base64?decode&input=SGVsbG8=`. Browsers send no
 * fragment to a service. Uses no DOM.
 * @module
 */

/** Longest text that is written into a link, in UTF-16 code units. */
export const MAX_LINKED = 2_000;

/**
 * Returns the parts of a fragment: the name of the tool, its options, and the
 * text of the first option `input`, if any. A plus sign in the text is a plus
 * sign, and a percent sign that begins no escape of UTF-8 is a percent sign.
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
 * Returns a fragment that `readLink()` reads, and what a person must know about
 * it, if anything. The text is left out if it is too long, or has half of a
 * surrogate pair.
 * @param {string} name
 * @param {string} options
 * @param {string} [input] Undefined if a file is the input.
 */
export function writeLink(name, options, input) {
  const parts = options ? [options] : [];
  let says = "";
  if (input === undefined) {
    says = "The link has the options only: it cannot contain a file.";
  } else if (input.length > MAX_LINKED) {
    const limit = MAX_LINKED.toLocaleString("en");
    says =
      "The link has the options only: it would contain a text of at most " +
      `${limit} characters.`;
  } else if (!input.isWellFormed()) {
    says = "The link has the options only: the text has half of a surrogate " +
      "pair.";
  } else if (input !== "") {
    parts.push(`input=${encodeURIComponent(input)}`);
    says = "The link contains the text: each browser that opens it keeps the " +
      "text in its history.";
  }
  const query = parts.join("&");
  return { fragment: `#${name}${query && `?${query}`}`, says };
}
