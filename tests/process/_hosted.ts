/**
 * Runs the program as a hosted runtime such as Deno Deploy does: the runtime
 * chooses the port and ignores the program's.
 */

const { serve } = Deno;

Object.assign(Deno, {
  serve: (options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) =>
    serve({ ...options, port: 0, hostname: "127.0.0.1" }, handler),
});

await import("../../main.ts");
