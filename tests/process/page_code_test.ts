/** The code for the API that the page offers, pasted into a shell or a program. */

import { assert, assertEquals } from "@std/assert";
import { createCode } from "../../web/code.js";
import { readVersion, run } from "../_server.ts";

const POST = { method: "POST", url: "https://host/under/api/hash" };
const GET = { method: "GET", url: "https://host/under/api/uuid" };

const HOSTILE = `it's "q" $HOME \`x\` \\ \u202e\u2019 %PATH% \ud800😀\0\r\n`;

/** The program that runs the code of each language, and its command. */
const LANGUAGES = {
  curl: { program: "curl", run: ["sh", "-c"] },
  fetch: { program: "deno", run: [Deno.execPath(), "eval", "--ext=js"] },
  python: { program: "python3", run: ["python3", "-c"] },
};

for (const [language, { program, run: command }] of Object.entries(LANGUAGES)) {
  const isInstalled = program === "deno" ||
    Deno.build.os !== "windows" && await readVersion(program) !== "";
  Deno.test({
    name:
      `the code for ${language} sends a hostile string unchanged (needs ${program})`,
    ignore: !isInstalled,
    async fn() {
      const bodies: unknown[] = [];
      await using server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        async (request) => {
          bodies.push(await request.json());
          return Response.json({ result: "done" });
        },
      );
      const url = `http://127.0.0.1:${server.addr.port}/`;
      const fields = {
        action: "encode",
        isOn: true,
        indent: 2,
        input: HOSTILE,
      };
      const { code } = createCode({ ...POST, url, fields }, language);
      const { log } = await run([...command, code]);
      assertEquals([bodies, log], [[fields], ""]);
    },
  });
}

Deno.test("the code for PowerShell is ASCII, with its quotes doubled", () => {
  const fields = { input: HOSTILE };
  const { code } = createCode({ ...POST, fields }, "powershell");
  assert(/^[\x20-\x7e]+$/.test(code), code);
  const [, body] = / -Body '((?:[^']|'')+)'$/.exec(code)!;
  assertEquals(JSON.parse(body!.replaceAll("''", "'")), { input: HOSTILE });
});

Deno.test("the code for curl has no quote in its body that a shell could read", () => {
  const { code } = createCode({ ...POST, fields: { input: HOSTILE } }, "curl");
  const [, body] = / -d '([^']+)'$/.exec(code)!;
  assert(!/\\"|[\u2018-\u201b]/.test(body!), body);
  assertEquals(JSON.parse(body!), { input: HOSTILE });
});

Deno.test("the code for a GET has a query, and a long body is sent from a file", () => {
  const code = "curl -sS 'https://host/under/api/uuid?count=2'";
  const get = { ...GET, fields: { count: 2 } };
  assertEquals(createCode(get, "curl"), { code, isFile: false });
  const fields = { input: "x".repeat(2_001) };
  for (const language of [...Object.keys(LANGUAGES), "powershell"]) {
    const { code, isFile } = createCode({ ...POST, fields }, language);
    assert(isFile && code.includes("request.json"), code);
    assert(!code.includes("xxx"));
  }
});
