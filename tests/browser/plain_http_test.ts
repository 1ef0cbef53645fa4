/// <reference lib="dom" />

/** Every tool over plain HTTP, where browsers have no clipboard and only part of Web Crypto. */

import { assert, assertEquals } from "@std/assert";
import { UUID } from "../_examples.ts";
import { test, waitUntilComplete } from "./_browser.ts";
import { clipboard, digest } from "./_page.ts";

/** Lengths at and below which operations compute differently, and a large one. */
const LENGTHS = [3, 2_047, 2_048, 70_000, 1_100_000];

const insecure = { isInsecure: true };

test(
  "over plain HTTP text and files of every size are hashed and encoded",
  async (open, t) => {
    const { hash, base64 } = await open("#hash", insecure);
    for (const length of LENGTHS) {
      await t.step(`${length}`, async () => {
        const text = `${"é".repeat(99)}\n`.repeat(length / 199 + 1);
        const bytes = new Uint8Array(length).fill(0xff);
        await hash.show();
        for (const algorithm of ["sha1", "sha256", "sha512"]) {
          await hash.set("algorithm", algorithm);
          await hash.enter(text, digest(text, algorithm));
        }
        await hash.drop(bytes);
        await hash.expect(digest(bytes, "sha512"));
        await base64.show();
        await base64.enter(text, new TextEncoder().encode(text).toBase64());
      });
    }
  },
);

test("over plain HTTP a warning is shown, and the other tools work", async (open) => {
  const { page, uuid, password, json } = await open("#json", insecure);
  assert(!await page.evaluate(() => isSecureContext));
  await page.locator(".notice.insecure", { hasText: "Your input isn’t sent" })
    .waitFor();
  const numbers = Array.from({ length: 2_000 }, (_, i) => i);
  await json.enter(JSON.stringify(numbers), JSON.stringify(numbers, null, 2));
  await json.fill(`${JSON.stringify(numbers).slice(0, -1)},]`);
  await json.expectMessage("Invalid JSON");
  await json.press("Repair");
  await json.expect(JSON.stringify(numbers, null, 2));
  await uuid.show();
  await uuid.set("count", "100");
  await uuid.expect(new RegExp(`^(${UUID}\\n){99}${UUID}$`));
  await password.show();
  await password.set("length", "128");
  await password.set("count", "100");
  await password.expect(/^(.{128}\n){99}.{128}$/);
});

test("over plain HTTP copies are exact", async (open) => {
  const { page, base64 } = await open("#base64", insecure);
  await base64.set("action", "decode");
  await base64.enter(btoa("one\r\ntwo\r\n"), "one\r\ntwo\r\n");
  await base64.copy();
  assertEquals(
    await page.evaluate(() => document.activeElement!.getAttribute("name")),
    "copy",
  );
  const secure = await open("#password");
  assert(!await secure.page.isVisible(".notice.insecure"));
  assertEquals(await clipboard(secure.page), "one\r\ntwo\r\n");
  await page.evaluate(() => document.execCommand = () => false);
  await base64.enter(btoa("other"), "other");
  await base64.click("button.primary");
  await base64.expectMessage("doesn’t let this page copy text");
});

test("a password in the URL of the page is never shown or copied", async (open) => {
  const { page, service, hash } = await open("#hash", {
    isUnloaded: true,
    userinfo: "alice:s3cret@",
    override: (service) => (request) =>
      request.headers.get("authorization") === `Basic ${btoa("alice:s3cret")}`
        ? service.handle(request)
        : new Response("", {
          status: 401,
          headers: { "www-authenticate": "Basic" },
        }),
  });
  await waitUntilComplete(page);
  await hash.enter("abc");
  await hash.showApiCall();
  const read = () =>
    page.evaluate(() => {
      const links = [...document.links].map(({ href }) => href);
      return document.body.innerText + document.baseURI + links.join();
    });
  const origin = `http://127.0.0.1:${service.port}`;
  for (const language of ["curl", "fetch", "python", "powershell"]) {
    await hash.set("language", language);
    const shown = await read();
    assert(!/alice|s3cret/.test(shown), shown);
    assert(shown.includes(`${origin}/api/hash`), shown);
    assert(shown.includes(`${origin}/mcp`), shown);
  }
  await hash.copy("[name=copyLink]");
  assertEquals(await clipboard(page), `${origin}/#hash?input=abc`);
});
