/** Tries actions that require permissions, and prints those that succeed. */

import { print } from "../../tools/print.ts";

const attempts: Record<string, () => unknown> = {
  "connect to another host": () =>
    Deno.connect({ hostname: "192.0.2.1", port: 80 }),
  "resolve a name": () => Deno.resolveDns("example.com", "A"),
  "read a file": () => Deno.readTextFile("deno.json"),
  "write a file": () => Deno.writeTextFile("written.txt", ""),
  "list the environment": () => Deno.env.toObject(),
  "read another variable": () => Deno.env.get("HOME"),
  "start a process": () => new Deno.Command("true").output(),
  "load a library": () => Deno.dlopen("libc.so.6", {}),
  "ask for the host name": () => Deno.hostname(),
  "listen on a port": () =>
    Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  "read PORT": () => Deno.env.get("PORT"),
};

for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    print(name);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
  }
}
