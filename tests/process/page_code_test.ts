import { assert, assertEquals } from "@std/assert";
import { createCode } from "../../web/code.js";
import { readVersion, run } from "../_server.ts";

const POST = { method: "POST", url: "https://host/under/api/hash" };
const GET = { method: "GET", url: "https://host/under/api/uuid" };

const HOSTILE = `it's "q" $HOME \`x\` \\ \u202e\u2019 %PATH% \ud800😀\0\r\n`;

Deno.test("createCode() writes curl for both methods, and sends much from a file", () => {
  assertEquals(
    createCode({ ...GET, fields: { count: 2 } }, "curl"),
    {
      code: "curl -sS 'https://host/under/api/uuid?count=2'",
      isFile: false,
    },
  );
  assertEquals(
    createCode({ ...POST, fields: { input: `it's "\\\u202e` } }, "curl"),
    {
      code: "curl -sS 'https://host/under/api/hash' " +
        String.raw`-d '{"input":"it\u0027s \u0022\\\u202e"}'`,
      isFile: false,
    },
  );
  const fields = { input: "x".repeat(2_001) };
  for (const language of ["curl", "fetch", "python", "powershell"]) {
    const { code, isFile } = createCode({ ...POST, fields }, language);
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
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const fields = { action: "encode", isOn: true, indent: 2, input: HOSTILE };
  const { code } = createCode({ ...POST, url, fields }, language);
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
  const fields = { input: HOSTILE };
  const { code } = createCode({ ...POST, fields }, "powershell");
  assert(/^[\x20-\x7e]+$/.test(code), code);
  const [, body] = / -Body '((?:[^']|'')+)'$/.exec(code)!;
  assertEquals(JSON.parse(body!.replaceAll("''", "'")), { input: HOSTILE });
});
