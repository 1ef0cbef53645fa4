/**
 * Runs the entry as a hosted runtime such as Deno Deploy does: on a port that the
 * runtime chooses, whatever the program asks for.
 */

const { serve } = Deno;

Object.assign(Deno, {
  serve: (options: Deno.ServeTcpOptions, handler: Deno.ServeHandler) =>
    serve({ ...options, port: 0, hostname: "127.0.0.1" }, handler),
});

await import("../../main.ts");
