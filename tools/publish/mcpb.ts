/**
 * Prints the manifest of a bundle (MCPB, manifest version 0.3) for one of the binaries,
 * which clients such as Claude Desktop install with one click. Argument: the name of
 * the binary, such as `devutils-1.2.3-aarch64-apple-darwin`.
 *
 * @module
 */

import config from "../../deno.json" with { type: "json" };
import { print } from "../print.ts";
import { MCP_SERVER } from "../../routes/mcp.ts";

/** The format's names of platforms, by a word in the names of Deno's targets. */
const PLATFORMS = { windows: "win32", darwin: "darwin", linux: "linux" };

/** Creates the manifest for a binary, which the bundle contains in `server/`. */
export function createManifest(binary: string) {
  const platforms = Object.entries(PLATFORMS)
    .filter(([word]) => binary.includes(word)).map(([, name]) => name);
  if (platforms.length === 0) throw new Error(`no platform: ${binary}`);
  const { serverInfo, instructions, tools } = MCP_SERVER;
  const { name, title, description } = serverInfo;
  const entryPoint = `server/${binary}`;
  return {
    manifest_version: "0.3",
    name,
    display_name: title,
    version: config.version,
    description,
    long_description: instructions,
    author: { name: "The authors of devutils" },
    license: config.license,
    server: {
      type: "binary",
      entry_point: entryPoint,
      mcp_config: { command: `\${__dirname}/${entryPoint}`, args: ["mcp"] },
    },
    tools: tools.map(({ name, operation }) => (
      { name, description: operation.summary }
    )),
    compatibility: { platforms },
  };
}

if (import.meta.main) {
  print(JSON.stringify(createManifest(Deno.args[0]!), null, 2));
}
