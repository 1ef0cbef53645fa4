/** The signals that stop the program. */

/** Windows has no SIGTERM. */
const STOP_SIGNALS = [
  "SIGINT",
  Deno.build.os === "windows" ? "SIGBREAK" : "SIGTERM",
] as const;

/** Calls a function for each stop signal that the process receives. */
export function onStopSignal(listener: (signal: Deno.Signal) => void): void {
  for (const signal of STOP_SIGNALS) {
    Deno.addSignalListener(signal, () => listener(signal));
  }
}
