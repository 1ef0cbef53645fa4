/// <reference lib="dom" />

/**
 * Tests of the whole page in a real browser. Run by `deno task test:browser`;
 * it needs Chromium.
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createHash } from "node:crypto";
import { browser, clipboard, copy, sha256, test, visit } from "./_browser.ts";
import { startServer } from "../_server.ts";

const TOOLS = ["base64", "hash", "uuid", "password", "json"];

test("1 MiB goes through, shown, copied and downloaded whole", async (open) => {
  const { page, base64 } = await open();
  const text = "x".repeat(1_048_576 - 60);
  await base64.drop(new TextEncoder().encode(text));
  await base64.expect(btoa(text));
  assertEquals(
    await page.innerText("#base64 .sizes"),
    "1,048,516 bytes → 1,398,024 bytes",
  );
  await copy(page, "#base64 button.primary");
  assertEquals(await clipboard(page), btoa(text));
  const started = page.waitForEvent("download");
  await page.click("#base64 [name=save]");
  const file = await (await started).path();
  assertEquals(await Deno.readTextFile(file), btoa(text));
  assertMatch(
    (await page.textContent("#base64 .command pre"))!,
    /-d @request\.json$/,
  );
});

test("a result of several MiB can be seen to its end", async (open) => {
  const { page, json } = await open("#json");
  const depth = 2_000;
  await json.ask(`${"[".repeat(depth)}"end"${"]".repeat(depth)}`, / "end"\n/);
  assert((await json.read("result")).length > 7_900_000);
  await page.click("#json .result .cm-line");
  await page.keyboard.press("Control+End");
  await page.locator("#json .result .cm-lineNumbers", { hasText: "4001" })
    .waitFor();
});

test("the newest answer wins, whatever the order of arrival", async (open) => {
  const { page, hash } = await open("#hash");
  const release = Promise.withResolvers<void>();
  await page.route("**/api/hash", async (route) => {
    if (route.request().postData()?.includes('"first"')) await release.promise;
    await route.continue().catch(() => {});
  });
  await hash.fill("first");
  await page.locator("#hash .badge", { hasText: "Waiting for the service…" })
    .waitFor();
  await hash.fill("second");
  const expected = createHash("sha256").update("second").digest("hex");
  await hash.expect(expected);
  release.resolve();
  await page.waitForTimeout(300);
  await hash.expect(expected);
});

test("links lead to each tool, and the address never has the input", async (open) => {
  const { page, origin, json, tools } = await open("#json");
  assert(await page.isVisible("#json .editor"));
  for (const tool of TOOLS) {
    await tools[tool]!.show();
    assertEquals(await page.locator("main > section:visible").count(), 1);
    assertEquals(
      await page.getAttribute("nav a[aria-current]", "href"),
      `#${tool}`,
    );
  }
  await page.goBack();
  await page.locator("#password form").waitFor();
  await json.show();
  await json.ask('"secret"', '"secret"');
  assertEquals(page.url(), `${origin}/#json`);
});

test("the keyboard alone is enough", async (open) => {
  const { page, base64, hash } = await open();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.keyboard.type("abc");
  await base64.expect("YWJj");
  // Tab leaves the editor; Shift+Tab leads back through Copy, Download, Swap.
  await press("Tab");
  assertEquals(await base64.read(), "abc");
  await press("Shift+Tab", "Shift+Tab", "Enter");
  await page.locator("#base64 button.primary", { hasText: "Copied" }).waitFor();
  assertEquals(await clipboard(page), "YWJj");
  await press("Shift+Tab", "Shift+Tab", "Enter");
  await base64.expect("abc");
  await press("Control+Shift+Digit2");
  await page.locator("#hash form").waitFor();
  await page.keyboard.type("abc");
  await hash.expect(sha256("abc"));
  await press("Control+Shift+Enter");
  await page.locator("#hash [name=copy]", { hasText: "Copied" }).waitFor();
  assertEquals(await clipboard(page), sha256("abc"));
  await press("Control+Shift+Digit1");
  await page.locator("#base64 form").waitFor();
  await press("Control+Shift+S");
  await base64.expect("YWJj");
});

test("the page follows the system's colours", async () => {
  const grounds: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await using visited = await visit("", { colorScheme });
    grounds.push(
      await visited.page.evaluate(() =>
        getComputedStyle(document.body).backgroundColor
      ),
    );
  }
  assertEquals(grounds, ["rgb(243, 245, 244)", "rgb(15, 19, 18)"]);
});

test("the page works under a sub-path behind a proxy, and tells agents where to go", async (open) => {
  const { page, origin, hash } = await open("#hash", { prefix: "/tools" });
  await hash.ask("abc", /^ba7816bf/);
  assertStringIncludes(
    (await page.textContent("#hash .command pre"))!,
    `${origin}/tools/api/hash`,
  );
  assertEquals(await page.innerText(".agents"), `${origin}/tools/mcp`);
});

test("a page on another origin may call everything, errors included", async () => {
  await using server = await startServer();
  const elsewhere = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () =>
      new Response("<!DOCTYPE html><title>elsewhere</title>", {
        headers: { "content-type": "text/html" },
      }),
  );
  const page = await browser.newPage();
  await page.goto(`http://localhost:${elsewhere.addr.port}/`);
  const call = (path: string, init: RequestInit = {}) =>
    page.evaluate(async ([url, init]) => {
      const response = await fetch(url, init);
      return { status: response.status, body: await response.json() };
    }, [server.origin + path, init] as const);
  // This type and this header make the browser ask with a preflight first.
  const headers = { "content-type": "application/json", "x-anything": "1" };
  const post = (path: string, fields: unknown) =>
    call(path, { method: "POST", headers, body: JSON.stringify(fields) });
  assertEquals(await post("/api/base64", { action: "encode", input: "a" }), {
    status: 200,
    body: { result: "YQ==" },
  });
  assertEquals(
    (await post("/api/hash", { algorithm: "sha1", input: "abc" })).body
      .algorithm,
    "sha1",
  );
  assertEquals(
    (await post("/api/json", { action: "minify", input: "[ ]" })).body.result,
    "[]",
  );
  assertEquals((await call("/api/uuid", { headers })).status, 200);
  assertEquals((await call("/api/password", { headers })).status, 200);
  const errors = [
    await post("/api/hash", { algorithm: "md5" }),
    await post("/api/json", { action: "x" }),
    await post("/api/base64", "x".repeat(1_048_576)),
    await call("/nowhere", { headers }),
    await call("/api/hash", { headers }),
    await call("/api/uuid?count=0", { headers }),
  ];
  assertEquals(errors.map(({ status }) => status), [
    501,
    400,
    413,
    404,
    405,
    400,
  ]);
  for (const { body } of errors) assertEquals(Object.keys(body), ["error"]);
  // Without a path of its own a preflight lets no other method through.
  const refused = await call("/api/hash", { method: "DELETE", headers }).catch((
    error,
  ) => error.message);
  assertStringIncludes(refused, "Failed to fetch");
  await page.close();
  await elsewhere.shutdown();
});
