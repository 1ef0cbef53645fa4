import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createRequest, send } from "../../web/call.js";
import { createCode } from "../../web/code.js";
import { post } from "../_client.ts";
import { computeBits, interpret, TOOLS } from "../../web/tools.js";
import {
  CHARACTER_CLASSES,
  computeEntropy,
  removeLookAlikes,
} from "../../lib/password.ts";

const POST = "api/hash";
const GET = "api/uuid";
const BASE = "https://host/under/?x#hash?sha512";

Deno.test("createRequest() resolves against the page, and puts fields where they belong", () => {
  assertEquals(createRequest(POST, { input: "a", indent: 4 }, BASE), {
    method: "POST",
    url: "https://host/under/api/hash",
    body: '{"input":"a","indent":4}',
  });
  assertEquals(createRequest(GET, { count: 2 }, BASE), {
    method: "GET",
    url: "https://host/under/api/uuid?count=2",
  });
});

const HOSTILE = `it's "q" $HOME \`x\` \\ \u202e\u2019 %PATH% \ud800😀\0\r\n`;

Deno.test("createCode() quotes, and sends much from a file", () => {
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
    const { code, isFile } = createCode(POST, fields, {
      base: BASE,
      language,
    });
    assert(isFile && code.includes("request.json"), code);
    assert(!code.includes("xxx"));
  }
});

Deno.test("createCode() writes working JavaScript and Python for a hostile text", async () => {
  const bodies: unknown[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      bodies.push(JSON.parse(await request.text()));
      return Response.json({ result: "done" });
    },
  );
  const base = `http://127.0.0.1:${server.addr.port}/`;
  const fields = { action: "encode", input: HOSTILE };
  const commands: [string, string, (code: string) => string[]][] = [
    ["fetch", Deno.execPath(), (code) => ["eval", "--ext=js", code]],
    ["python", "python3", (code) => ["-c", code]],
  ];
  for (const [language, command, toArgs] of commands) {
    const { code } = createCode(POST, fields, { base, language });
    const { success, stderr } = await new Deno.Command(command, {
      args: toArgs(code),
    }).output().catch((error) => ({ success: true, stderr: error }));
    if (stderr instanceof Deno.errors.NotFound) continue;
    assert(success, new TextDecoder().decode(stderr));
    assertEquals(bodies.pop(), fields, language);
  }
  await server.shutdown();
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

/** Sends a request to a server of its own that answers as given. */
async function sendTo(answer: () => Response) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    answer,
  );
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const request = { method: "POST", url, body: '{"input":"é"}' };
  try {
    return await send(request, { signal: new AbortController().signal });
  } finally {
    await server.shutdown();
  }
}

Deno.test("send() tells answers, refusals and failures apart", async () => {
  const busy = { status: 503, headers: { "retry-after": "2" } };
  assertEquals(await sendTo(() => Response.json({ result: "x" })), {
    answer: { result: "x" },
  });
  assertEquals(
    await sendTo(() => Response.json({ error: "no" }, { status: 400 })),
    {
      error: "no",
    },
  );
  assertEquals(await sendTo(() => Response.json({ error: "x" }, busy)), {
    failure: "The service is busy (status 503).",
    retryAfter: 2,
  });
  assertEquals(
    await sendTo(() =>
      Response.json({ error: "internal error" }, { status: 500 })
    ),
    { failure: "The service has failed (status 500): internal error." },
  );
  const foreign = await sendTo(() => new Response("<p>", { status: 404 }));
  assertStringIncludes(
    JSON.stringify(foreign),
    "is not the service’s (status 404",
  );
});

Deno.test("interpret() finds the position that the service names", async () => {
  const input = "[\r\nx]";
  const { body } = await post("/api/json", { action: "format", input });
  const ask = () => Promise.resolve({ error: String(body!["error"]) });
  assertEquals(await interpret("json", { input }, ask), {
    wrong:
      'Not valid JSON: expected a JSON value, got "x" at line 2, column 1.',
    offset: 3,
  });
  const other = () => Promise.resolve({ error: '"input" is too long' });
  assertEquals(await interpret("json", { input }, other), {
    wrong: "The input is too long.",
    offset: undefined,
  });
});

Deno.test("interpret() takes no other server's answer for the service's", async () => {
  for (const name of Object.keys(TOOLS)) {
    const outcome = await interpret(
      name,
      { input: "x" },
      () => Promise.resolve({ answer: { result: 5, uuid: 5, password: 5 } }),
    );
    assertEquals("failure" in outcome, true, name);
  }
});

Deno.test("computeBits() is the service's entropy, for every choice of classes", () => {
  const classes = Object.entries(CHARACTER_CLASSES);
  for (let chosen = 1; chosen < 2 ** classes.length; chosen += 1) {
    for (const ambiguous of ["true", "false"]) {
      for (const length of [1, 3, 4, 16, 128]) {
        const values: Record<string, string> = {
          ambiguous,
          length: `${length}`,
        };
        const sizes: number[] = [];
        for (const [i, [name, characters]] of classes.entries()) {
          const isOn = (chosen & (1 << i)) !== 0;
          values[name] = String(isOn);
          if (!isOn) continue;
          const left = ambiguous === "true"
            ? characters
            : removeLookAlikes(characters);
          sizes.push(left.length);
        }
        assertEquals(
          computeBits(values).toFixed(6),
          computeEntropy(sizes, length).toFixed(6),
        );
      }
    }
  }
});
