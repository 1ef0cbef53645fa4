/** Windows doesn't have SIGTERM. */
const STOP_SIGNALS = [
  "SIGINT",
  Deno.build.os === "windows" ? "SIGBREAK" : "SIGTERM",
] as const;

/** Calls `listener` for each signal that asks the program to stop. */
export function onStopSignal(listener: (signal: Deno.Signal) => void): void {
  for (const signal of STOP_SIGNALS) {
    Deno.addSignalListener(signal, () => listener(signal));
  }
}
