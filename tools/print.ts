/** Prints a line from a tool or benchmark. The service uses `lib/log.ts` instead. */
export function print(line: string): void {
  // deno-lint-ignore no-console -- all tools print through this function
  console.log(line);
}
