/**
 * Bundles the program into one file, `dist/devutils.js`, that `deno run` runs from any
 * address without another download: the service with its page, the tools for agents and
 * the commands. Option: `--into FOLDER` for another folder than `dist`.
 *
 * The file is not minified: it would be a sixth smaller and start no faster, and the
 * errors in the log of a service would name no function.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import config from "../deno.json" with { type: "json" };

const DENO = "Copyright 2018-2026 the Deno authors";

/**
 * The copyrights of the packages in the bundle, by the beginning of their names, on npm and
 * on JSR. All have the licence of this project.
 */
const COPYRIGHTS: Readonly<Record<string, string>> = {
  "deno-std@": DENO,
  "@std/": DENO,
};

/** Returns a comment with the licence of the service and the packages that it imports. */
async function createNotice(): Promise<string> {
  const licence = await Deno.readTextFile("LICENSE");
  const { npm, jsr } = JSON.parse(await Deno.readTextFile("deno.lock"));
  const notices = Object.keys({ ...npm, ...jsr }).map((name) => {
    const start = Object.keys(COPYRIGHTS)
      .find((start) => name.startsWith(start));
    if (start !== undefined) return `${name}: ${COPYRIGHTS[start]}`;
    throw new Error(`COPYRIGHTS must have ${name}, and its licence be checked`);
  });
  const lines = [
    `Developer Utilities Service ${config.version}`,
    "",
    ...licence.trim().split("\n"),
    "",
    "The same licence applies to these packages:",
    ...notices,
    "The packages of the page have their licences in their own text.",
  ];
  return `/*!\n${
    lines.map((line) => ` * ${line}`.trimEnd()).join("\n")
  }\n */\n`;
}

/** Returns the code of the program, the same on every machine. */
async function bundle(): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "main.ts"],
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(decoder.decode(stderr));
  // Comments and keys have the paths of modules: in place of the folder in which this
  // machine keeps packages, they get the word `npm:`.
  return decoder.decode(stdout)
    .replaceAll(/(?<=[" ])[^\s"]*\/npm\/[^\s"/]+\//g, "npm:");
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
