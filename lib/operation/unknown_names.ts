import { MAX_UNKNOWN } from "../json/read.ts";
import { formatValue } from "../format_value.ts";

/** Largest number of unknown names in a message. */
const MAX_LISTED = 3;

/**
 * Describes the names that are not among the known ones, such as `unknown parameter
 * "lenght": the parameters of /api/password are "length", "uppercase"`. Returns `undefined`
 * if all names are known. Clients choose the names, so this function only compares them:
 * names with colliding hashes could block the thread in a `Set` or as properties.
 *
 * @param options `noun` describes a name, in the singular; `owner` is what the known names
 * belong to. Names in `ignored` are treated as known.
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
  return `unknown ${plural} ${listed}${countUnlisted(unknown.length)}: ` +
    `the ${noun}s of ${owner} are ${all}`;
}

/** Counts the names that a message doesn't list, such as ` and 1 more`. */
function countUnlisted(count: number): string {
  if (count <= MAX_LISTED) return "";
  // `readMembers()` returns no more of them.
  const least = count >= MAX_UNKNOWN ? "at least " : "";
  return ` and ${least}${count - MAX_LISTED} more`;
}
