/**
 * The baseline of the comparison: a bare `Deno.serve` with one operation, which the
 * argument names. It sends the service's headers, and has no routing, no checks
 * and no limits; responses to GET are constant.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- the address is the output

const HEADERS = {
  "content-type": "application/json",
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

const UUID = "f47ac10b-58cc-4372-a567-0e02b2c3d479";

const CONSTANTS: Record<string, [status: number, answer: unknown]> = {
  "uuid": [200, { uuid: UUID }],
  "100 uuids": [200, { uuids: Array<string>(100).fill(UUID) }],
  "password": [200, { password: "q8L!Wm4t~d0RkX.B", strength: "very-strong" }],
  "400": [400, {
    error: '"count" must be an integer from 1 to 100, got "x"',
  }],
  "404": [404, { error: 'no such path: "/nowhere"' }],
};

type Operation = (input: string) => unknown;

const OPERATIONS: Record<string, Operation> = {
  async hash(input) {
    const bytes = new TextEncoder().encode(input);
    const digest = await crypto.subtle.digest("SHA-256", bytes);
    return { result: new Uint8Array(digest).toHex(), algorithm: "sha256" };
  },
  encode: (input) => ({ result: new TextEncoder().encode(input).toBase64() }),
  decode: (input) => ({
    result: new TextDecoder().decode(Uint8Array.fromBase64(input)),
  }),
  format: (input) => ({
    result: JSON.stringify(JSON.parse(input), null, 2),
    valid: true,
  }),
};

function createHandler(name: string): Deno.ServeHandler {
  const constant = CONSTANTS[name];
  if (constant !== undefined) {
    const [status, answer] = constant;
    const body = JSON.stringify(answer);
    return () => new Response(body, { status, headers: HEADERS });
  }
  const operation = OPERATIONS[name]!;
  return async (request) => {
    const { input } = await request.json();
    return Response.json(await operation(input), { headers: HEADERS });
  };
}

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.error(`listening on http://127.0.0.1:${port}`),
}, createHandler(Deno.args[0]!));
