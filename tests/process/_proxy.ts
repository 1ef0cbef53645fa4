/** Starts the service behind nginx or Caddy, configured as in docs/deploy/. */

import { assert, assertEquals } from "@std/assert";
import { checkHandlerResponse } from "../_client.ts";
import {
  createFolder,
  exchange,
  readVersion,
  type ServerProcess,
  startOnFreePort,
  startServer,
} from "../_server.ts";
import { waitFor } from "../_within.ts";

/** A running proxy in front of the service; disposal ends both. */
export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Such as `http://127.0.0.1:40000`. */
  readonly origin: string;
  readonly service: ServerProcess;
}

interface ProxyOptions {
  /** Replacements in the documented configuration, by the part to replace. */
  readonly changes?: Readonly<Record<string, string>>;
  /** Divides every time in the configuration. */
  readonly divisor?: number;
  /** Settings of the service. */
  readonly variables?: Record<string, string>;
}

/** Ports of the loopback interface. */
interface Ports {
  readonly proxy: number;
  readonly service: number;
}

/** Reads a file of docs/deploy/, and applies the options and other changes to it. */
async function readConfiguration(
  name: string,
  { changes = {}, divisor = 1 }: ProxyOptions,
  otherChanges: Readonly<Record<string, string>>,
): Promise<string> {
  let text = await Deno.readTextFile(`docs/deploy/${name}`);
  for (
    const [part, replacement] of Object.entries({ ...changes, ...otherChanges })
  ) {
    assertEquals(text.split(part).length, 2, `${name} has once: ${part}`);
    text = text.replace(part, () => replacement);
  }
  return text.replace(
    / (\d+)s\b/g,
    (_, seconds) => ` ${Number(seconds) * 1000 / divisor}ms`,
  );
}

/** The configuration that includes the documented file: one process with its own folder. */
const NGINX = `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include devutils.conf;
}
`;

/** Starts the service behind nginx. */
export function startNginx(options: ProxyOptions = {}): Promise<Proxy> {
  const command = ["nginx", "-p", ".", "-e", "stderr", "-c", "nginx.conf"];
  return startProxy(options, command, async (ports) => ({
    "nginx.conf": NGINX,
    "devutils.conf": await readConfiguration("nginx.conf", options, {
      // Keeps bytes that a client has not read in nginx, not in the system's buffers.
      "listen 8080;": `listen 127.0.0.1:${ports.proxy} sndbuf=512k;`,
      "server 127.0.0.1:8000": `server 127.0.0.1:${ports.service}`,
    }),
  }));
}

/** Starts the service behind Caddy, without TLS. */
export function startCaddy(options: ProxyOptions = {}): Promise<Proxy> {
  const command = ["caddy", "run", "--config", "Caddyfile"];
  return startProxy(options, command, async (ports) => ({
    Caddyfile: await readConfiguration("Caddyfile", options, {
      "\tservers {": "\tadmin off\n\tservers {",
      "example.com {": `:${ports.proxy} {\n\tbind 127.0.0.1`,
      "reverse_proxy 127.0.0.1:8000":
        `reverse_proxy 127.0.0.1:${ports.service}`,
    }),
  }));
}

/** Starts the service, and a proxy in front of it. */
async function startProxy(
  { variables }: ProxyOptions,
  command: readonly string[],
  createFiles: (ports: Ports) => Promise<Record<string, string>>,
): Promise<Proxy> {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(
    await startServer({ LOG_REQUESTS: "1", ...variables }),
  );
  const port = await startOnFreePort(async (port) => {
    const files = await createFiles({ proxy: port, service: service.port });
    stack.use(await runProxy(command, files, { port, service }));
    return port;
  });
  const disposal = stack.move();
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    service,
    [Symbol.asyncDispose]: () => disposal.disposeAsync(),
  };
}

/** Starts a proxy, and waits until it forwards requests to the service. */
async function runProxy(
  [command, ...args]: readonly string[],
  files: Readonly<Record<string, string>>,
  { port, service }: { port: number; service: ServerProcess },
): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createFolder());
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  const child = new Deno.Command(command!, {
    args,
    cwd: folder,
    env: { HOME: ".", XDG_CONFIG_HOME: ".", XDG_DATA_HOME: "." },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const log = new Response(child.stderr).text();
  let hasEnded = false;
  const ended = log.then(() => hasEnded = true);
  stack.defer(async () => {
    if (!hasEnded) child.kill("SIGKILL");
    await ended;
    await child.status;
  });
  await waitFor(async () => {
    if (hasEnded) throw new Error(`the proxy ended: ${await log}`);
    // A proxy serves at its root, or under /tools/.
    for (const path of ["/started", "/tools/started"]) {
      const request = `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
      await exchange({ port }, request).catch(() => {});
    }
    // If another process has the port, the service gets no request.
    return service.log().includes('"/started"');
  });
  return stack.move();
}

const VERSION_OPTIONS = { nginx: "-v", Caddy: "version" };

/** Registers a test that needs a proxy. */
export async function testProxy(
  program: keyof typeof VERSION_OPTIONS,
  name: string,
  fn: (t: Deno.TestContext) => Promise<void>,
): Promise<void> {
  const option = VERSION_OPTIONS[program];
  const ignore = await readVersion(program.toLowerCase(), option) === "";
  Deno.test({ name: `${program} ${name} (needs ${program})`, ignore, fn });
}

/** Asserts that a response is an error of the proxy itself, in the format of the service. */
export async function assertProxyError(
  { status, head, body }: { status: number; head: string; body: string },
  expected: { readonly status: number; readonly error: string },
): Promise<void> {
  const lines = head.split("\r\n").slice(1).map((line) => line.split(": "));
  const headers = new Headers(lines as [string, string][]);
  const response = await checkHandlerResponse(
    new Response(body, { status, headers }),
  );
  const { error } = expected;
  assertEquals([response.status, response.body], [expected.status, { error }]);
  assert(body.endsWith("}\n"), "a body ends with a newline");
  const isTemporary = status === 429 || status === 503;
  assertEquals(headers.get("retry-after"), isTemporary ? "1" : null);
  const exposed = isTemporary ? "Retry-After" : null;
  assertEquals(headers.get("access-control-expose-headers"), exposed);
}

/** The error of a proxy that gets no response from the service. */
export const UNREACHABLE = {
  status: 503,
  error: "the service cannot be reached, please try again",
};
