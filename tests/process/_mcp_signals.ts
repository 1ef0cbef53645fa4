// deno-lint-ignore-file no-console -- its output is what the test reads
/** Runs the program, and prints when it listens for a signal and when it reads a setting. */

const { addSignalListener } = Deno;
Deno.addSignalListener = (signal, listener) => {
  console.log(`listens for ${signal}`);
  addSignalListener(signal, listener);
};
const { get } = Deno.env;
Deno.env.get = (name) => {
  console.log(`reads ${name}`);
  return get(name);
};

await import("../../main.ts");
