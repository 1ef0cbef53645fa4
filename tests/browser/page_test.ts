/// <reference lib="dom" />

/**
 * What holds of the whole page in a real browser. Run by `deno task test:browser`;
 * it needs Chromium.
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createHash } from "node:crypto";
import {
  browser,
  clipboard,
  copy,
  dropFile,
  expectMessage,
  expectResult,
  fill,
  readText,
  sha256,
  visit,
} from "./_browser.ts";
import { startServer } from "../_server.ts";

const TOOLS = ["base64", "hash", "uuid", "password", "json"];

Deno.test("copy buttons copy the whole result and a curl command that works", async () => {
  await using visited = await visit();
  const { page } = visited;
  await fill(page, "base64", 'it\'s "quoted" \\ $HOME `é`');
  await expectResult(page, "base64", /^aXQn/);
  await copy(page, "#base64 .copy.primary");
  assertEquals(
    await clipboard(page),
    await readText(page, "base64", "result"),
  );
  await page.click("#base64 .code");
  await page.click("#base64 .command .copy");
  await page.waitForFunction(async () =>
    (await navigator.clipboard.readText()).startsWith("curl")
  );
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", await clipboard(page)],
  }).output();
  assertEquals(JSON.parse(new TextDecoder().decode(stdout)), {
    result: btoa(unescape(encodeURIComponent('it\'s "quoted" \\ $HOME `é`'))),
  });
});

Deno.test("1 MiB goes through, shown, copied and downloaded whole", async () => {
  await using visited = await visit();
  const { page } = visited;
  const text = "x".repeat(1_048_576 - 40);
  await dropFile(page, "base64", new TextEncoder().encode(text));
  await expectResult(page, "base64", btoa(text));
  assertEquals(
    await page.innerText("#base64 .sizes"),
    "1,048,536 bytes → 1,398,048 bytes",
  );
  await copy(page, "#base64 .copy.primary");
  assertEquals(await clipboard(page), btoa(text));
  const started = page.waitForEvent("download");
  await page.click("#base64 .download");
  const file = await (await started).path();
  assertEquals(await Deno.readTextFile(file), btoa(text));
  assertMatch(
    (await page.textContent("#base64 .command pre"))!,
    /-d @request\.json$/,
  );
});

Deno.test("a result of several MiB can be seen to its end", async () => {
  await using visited = await visit("#json");
  const { page } = visited;
  const depth = 2_000;
  await fill(page, "json", `${"[".repeat(depth)}"end"${"]".repeat(depth)}`);
  await expectResult(page, "json", / "end"\n/);
  assert((await readText(page, "json", "result")).length > 7_900_000);
  await page.click("#json .result .cm-line");
  await page.keyboard.press("Control+End");
  await page.locator("#json .result .cm-lineNumbers", { hasText: "4001" })
    .waitFor();
});

Deno.test("the newest answer wins, whatever the order of arrival", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  const release = Promise.withResolvers<void>();
  await page.route("**/api/hash", async (route) => {
    if (route.request().postData()?.includes('"first"')) await release.promise;
    await route.continue().catch(() => {});
  });
  await fill(page, "hash", "first");
  await page.locator("#hash .badge", { hasText: "Waiting for the service…" })
    .waitFor();
  await fill(page, "hash", "second");
  const expected = createHash("sha256").update("second").digest("hex");
  await expectResult(page, "hash", expected);
  release.resolve();
  await page.waitForTimeout(300);
  await expectResult(page, "hash", expected);
});

Deno.test("a failed call says so and can be tried again", async () => {
  await using visited = await visit("#hash");
  const { page } = visited;
  await page.route("**/api/hash", (route) => route.abort());
  await fill(page, "hash", "abc");
  await expectMessage(page, "hash", "The service cannot be reached.");
  await page.unroute("**/api/hash");
  await page.click("#hash .message button");
  await expectResult(page, "hash", /^ba7816bf/);
});

Deno.test("links lead to each tool, and the address never has the input", async () => {
  await using visited = await visit("#json");
  const { page, origin } = visited;
  assert(await page.isVisible("#json .editor"));
  for (const tool of TOOLS) {
    await page.click(`nav a[href^="#${tool}"]`);
    await page.locator(`#${tool} form`).waitFor();
    assertEquals(await page.locator("main > section:visible").count(), 1);
    assertEquals(
      await page.getAttribute("nav a[aria-current]", "href"),
      `#${tool}`,
    );
  }
  await page.goBack();
  await page.locator("#password form").waitFor();
  await page.click('nav a[href="#json"]');
  await fill(page, "json", '"secret"');
  await expectResult(page, "json", '"secret"');
  assertEquals(page.url(), `${origin}/#json`);
});

Deno.test("the keyboard alone is enough", async () => {
  await using visited = await visit();
  const { page } = visited;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.keyboard.type("abc");
  await expectResult(page, "base64", "YWJj");
  // Tab leaves the editor; Shift+Tab leads back through Copy, Download, Swap.
  await press("Tab");
  assertEquals(await readText(page, "base64"), "abc");
  await press("Shift+Tab", "Shift+Tab", "Enter");
  await page.locator("#base64 .copy.primary", { hasText: "Copied" }).waitFor();
  assertEquals(await clipboard(page), "YWJj");
  await press("Shift+Tab", "Shift+Tab", "Enter");
  await expectResult(page, "base64", "abc");
  await press("Control+Shift+Digit2");
  await page.locator("#hash form").waitFor();
  await page.keyboard.type("abc");
  await expectResult(page, "hash", sha256("abc"));
  await press("Control+Shift+Enter");
  await page.locator("#hash .copy", { hasText: "Copied" }).waitFor();
  assertEquals(await clipboard(page), sha256("abc"));
  await press("Control+Shift+Digit1");
  await press("Control+Shift+S");
  await expectResult(page, "base64", "YWJj");
});

Deno.test("the page follows the system's colours", async () => {
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

Deno.test("the page works under a sub-path behind a proxy", async () => {
  await using visited = await visit("#hash", { prefix: "/tools" });
  const { page, origin } = visited;
  await fill(page, "hash", "abc");
  await expectResult(page, "hash", /^ba7816bf/);
  assertStringIncludes(
    (await page.textContent("#hash .command pre"))!,
    `${origin}/tools/api/hash`,
  );
});

Deno.test("a page on another origin may call everything, errors included", async () => {
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
