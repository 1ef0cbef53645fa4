import { assert, assertEquals } from "@std/assert";
import { createCode } from "../../web/code.js";
import { readVersion, run } from "../_server.ts";

const POST = "api/hash";
const GET = "api/uuid";
const BASE = "https://host/under/?x#hash?sha512";

const HOSTILE = `it's "q" $HOME \`x\` \\ \u202e\u2019 %PATH% \ud800😀\0\r\n`;

Deno.test("createCode() writes curl for both methods, and sends much from a file", () => {
  assertEquals(
    createCode(GET, { count: 2 }, { base: BASE, language: "curl" }),
    {
      code: "curl -sS 'https://host/under/api/uuid?count=2'",
      isFile: false,
    },
  );
  assertEquals(
    createCode(POST, { input: "it's\u202e" }, { base: BASE, language: "curl" }),
    {
      code:
        `curl -sS 'https://host/under/api/hash' -d '{"input":"it'\\''s\\u202e"}'`,
      isFile: false,
    },
  );
  const fields = { input: "x".repeat(2_001) };
  for (const language of ["curl", "fetch", "python", "powershell"]) {
    const { code, isFile } = createCode(POST, fields, { base: BASE, language });
    assert(isFile && code.includes("request.json"), code);
    assert(!code.includes("xxx"));
  }
});

/** Runs the code of a hostile text, and asserts that the text arrives. */
async function assertWorks(
  language: string,
  toCommand: (code: string) => string[],
): Promise<void> {
  const bodies: unknown[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      bodies.push(await request.json());
      return Response.json({ result: "done" });
    },
  );
  const base = `http://127.0.0.1:${server.addr.port}/`;
  const fields = { action: "encode", input: HOSTILE };
  const { code } = createCode(POST, fields, { base, language });
  const { log } = await run(toCommand(code));
  assertEquals([bodies, log], [[fields], ""]);
}

Deno.test("createCode() writes working JavaScript for a hostile text", () =>
  assertWorks("fetch", (code) => [Deno.execPath(), "eval", "--ext=js", code]));

Deno.test({
  name: "createCode() writes working Python for a hostile text (needs python3)",
  ignore: await readVersion("python3") === "",
  fn: () => assertWorks("python", (code) => ["python3", "-c", code]),
});

Deno.test("createCode() writes ASCII for PowerShell, with its quotes doubled", () => {
  const { code } = createCode(POST, { input: HOSTILE }, {
    base: BASE,
    language: "powershell",
  });
  assert(/^[\x20-\x7e]+$/.test(code), code);
  const [, body] = / -Body '((?:[^']|'')+)'$/.exec(code)!;
  assertEquals(JSON.parse(body!.replaceAll("''", "'")), { input: HOSTILE });
});
