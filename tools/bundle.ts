/**
 * Bundles the program into one file, `dist/devutils.js`, which `deno run` can run from any URL
 * without other downloads. The file isn't minified, so stack traces name functions.
 * `--into FOLDER` changes the output folder.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import config from "../deno.json" with { type: "json" };

const DENO = "Copyright 2018-2026 the Deno authors";

/**
 * Copyright notices of the bundled packages, by prefix of their names on npm and JSR. All these
 * packages have the same license as this project.
 */
const COPYRIGHTS: Readonly<Record<string, string>> = {
  "deno-std@": DENO,
  "@std/": DENO,
};

/** Returns a comment with the licenses of the service and the bundled packages. */
async function createNotice(): Promise<string> {
  const license = await Deno.readTextFile("LICENSE");
  const { npm, jsr } = JSON.parse(await Deno.readTextFile("deno.lock"));
  const notices = Object.keys({ ...npm, ...jsr }).map((name) => {
    const start = Object.keys(COPYRIGHTS)
      .find((start) => name.startsWith(start));
    if (start !== undefined) return `${name}: ${COPYRIGHTS[start]}`;
    throw new Error(`COPYRIGHTS lacks ${name}: check its license first`);
  });
  const lines = [
    `Developer Utilities ${config.version}`,
    "",
    ...license.trim().split("\n"),
    "",
    "The same license applies to these packages:",
    ...notices,
    "The licenses of the packages that the page uses are next to their code.",
  ];
  return `/*!\n${
    lines.map((line) => ` * ${line}`.trimEnd()).join("\n")
  }\n */\n`;
}

async function bundle(): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "main.ts"],
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stderr));
  return decoder.decode(stdout);
}

if (import.meta.main) {
  const { into } = parseArgs(Deno.args, {
    boolean: [],
    string: ["into"],
    default: { into: "dist" },
    unknown(argument) {
      throw new Error(`unknown argument ${argument}`);
    },
  }) as { into: string };
  await Deno.mkdir(into, { recursive: true });
  const code = await createNotice() + await bundle();
  await Deno.writeTextFile(`${into}/devutils.js`, code);
}
