import { MAX_UNKNOWN } from "../json/read.ts";
import { formatValue } from "../format_value.ts";

/** Maximum number of unknown names in a message. */
const MAX_LISTED = 3;

/**
 * Returns a message such as `unknown field "n": the fields of /api/uuid are "version", "count"`,
 * or `undefined` if all names are known. Searches arrays, because clients choose the names: in a
 * `Set` or object, colliding hashes would block the thread.
 *
 * @param options `owner` is what the known names belong to. `ignored` names aren't reported.
 */
export function describeUnknownNames(
  names: readonly string[],
  known: readonly string[],
  { noun, owner, ignored = [] }: {
    readonly noun: "argument" | "field" | "parameter";
    readonly owner: string;
    readonly ignored?: readonly string[];
  },
): string | undefined {
  const unknown = names.filter((name) =>
    !known.includes(name) && !ignored.includes(name)
  );
  if (unknown.length === 0) return undefined;
  const listed = unknown.slice(0, MAX_LISTED).map(formatValue).join(", ");
  const plural = unknown.length === 1 ? noun : `${noun}s`;
  const all = known.map(formatValue).join(", ");
  const [nouns, verb] = known.length === 1 ? [noun, "is"] : [`${noun}s`, "are"];
  return `unknown ${plural} ${listed}${countUnlisted(unknown.length)}: ` +
    `the ${nouns} of ${owner} ${verb} ${all}`;
}

function countUnlisted(count: number): string {
  if (count <= MAX_LISTED) return "";
  // There can be more names, because `readMembers()` returns only this many unknown ones.
  const least = count >= MAX_UNKNOWN ? "at least " : "";
  return ` and ${least}${count - MAX_LISTED} more`;
}
