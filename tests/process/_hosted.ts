/**
 * Runs the entry as a hosted runtime such as Deno Deploy does: no signals, and a
 * port that the runtime chooses whatever the program asks for.
 */

const { serve } = Deno;

Object.assign(Deno, {
  addSignalListener: undefined,
  serve: (options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) =>
    serve({ ...options, port: 0, hostname: "127.0.0.1" }, handler),
});

await import("../../main.ts");
