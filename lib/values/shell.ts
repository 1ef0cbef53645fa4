/** Quotes a text for a POSIX shell. A single quote in the text becomes `'\''`. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
