/**
 * Prints a line to standard output, for tools and measurements. The service logs by
 * `lib/process/log.ts`.
 */
export function print(text: string): void {
  // deno-lint-ignore no-console -- all others print through this function
  console.log(text);
}
