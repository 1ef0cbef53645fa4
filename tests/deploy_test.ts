/** Checks the configurations in docs/deploy/ against the settings and the documentation. */

import { assert, assertEquals } from "@std/assert";
import { DEFAULT_SETTINGS } from "../lib/process/settings.ts";

const read = (name: string) => Deno.readTextFile(`docs/${name}`);
const { maxBodyBytes } = DEFAULT_SETTINGS;

Deno.test("nginx.conf and Caddyfile accept bodies up to the default of MAX_BODY_BYTES", async () => {
  const nginx = await read("deploy/nginx.conf");
  const mebibytes = maxBodyBytes / 1024 ** 2;
  assert(nginx.includes(`client_max_body_size ${mebibytes}m;`));
  const caddy = await read("deploy/Caddyfile");
  assert(caddy.includes(`> ${maxBodyBytes}\n`));
  assert(caddy.includes(`max_size ${mebibytes}MiB\n`));
  for (const file of [nginx, caddy]) {
    assert(file.includes(`the body must be at most ${mebibytes} MiB"`));
  }
});

Deno.test("nginx.conf limits each address as its message and docs/operations.md say", async () => {
  const nginx = await read("deploy/nginx.conf");
  const [, rate] = /rate=(\d+)r\/s;/.exec(nginx)!;
  const [, burst] = /burst=(\d+) nodelay;/.exec(nginx)!;
  const [, connections] = /limit_conn devutils_connections (\d+);/.exec(nginx)!;
  assertEquals([rate, burst, connections], ["20", "40", "50"]);
  const page = (await read("operations.md")).replaceAll(/\s+/g, " ");
  assert(page.includes(
    `limits each address to ${rate} requests a second under \`/api/\` and of \`/mcp\`, ${burst} more in a burst, and ${connections} connections`,
  ));
  assert(nginx.includes(
    `429 "at most ${rate} requests a second, ${burst} more in a burst and ${connections} connections are allowed`,
  ));
});

Deno.test("nginx.conf has a message for each status that it words, and Retry-After for 429 and 503 only", async () => {
  const nginx = await read("deploy/nginx.conf");
  const messages = [...nginx.matchAll(/^ {2}(\d{3}) "/gm)].map(([, n]) => n!);
  const [, worded] = /error_page ([\d ]+) \/nginx-error;/.exec(nginx)!;
  const replaced = [...nginx.matchAll(/error_page [\d ]+ =(\d+) /g)]
    .map(([, n]) => n!);
  // 500 and 501 have the message by default.
  assertEquals(
    messages.toSorted(),
    [...worded!.split(" "), ...replaced]
      .filter((status) => !["500", "501"].includes(status)).toSorted(),
  );
  const [, retried] = /devutils_retry_after \{\n([^}]+)\}/.exec(nginx)!;
  assertEquals(
    [...retried!.matchAll(/^ {2}(\S+) 1;/gm)].map(([, status]) => status),
    ["429", "503"],
  );
});
