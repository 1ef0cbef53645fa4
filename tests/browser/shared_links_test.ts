/// <reference lib="dom" />

/** Links to a tool with options and an input. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { clipboard } from "./_page.ts";

/** Returns everything that must not contain the input of a link. */
async function readTraces(page: Page): Promise<string> {
  return await page.evaluate(() =>
    [
      location.href,
      document.title,
      JSON.stringify({ ...localStorage }),
      ...[...document.querySelectorAll(".message, #announcer, nav")]
        .map(({ outerHTML }) => outerHTML),
    ].join("\n")
  );
}

/** Opens another fragment, as a link or the address bar does. */
async function follow(page: Page, fragment: string): Promise<void> {
  await page.evaluate((fragment) => {
    location.hash = fragment;
  }, fragment);
}

test("the input of a link is used exactly, and removed from the URL", async (open) => {
  const { page, base64, hash, uuid } = await open(
    "#base64?decode&input=U0VDUkVUIHNlY3JldA==",
  );
  await base64.expect("SECRET secret");
  assertMatch(await readTraces(page), /#base64\?decode$/m);
  assertEquals(/U0VDU|secret/i.test(await readTraces(page)), false);
  await hash.show();
  await hash.enter("typed");
  await follow(page, "#hash?sha1&input=Secret%20%0A");
  await hash.until("input", "Secret \n");
  await page.keyboard.press("Control+Z");
  await hash.until("input", "typed");
  assertEquals(/secret/i.test(await readTraces(page)), false);
  assertMatch(await readTraces(page), /#hash\?sha1$/m);
  await follow(page, "#uuid?count=2&input=Secret");
  await uuid.expect(/\n/);
  await uuid.expectMessage('The URL contains an invalid part: "input".');
  await follow(page, "#uuids?input=Secret");
  await base64.expectMessage('There is no tool named "uuids".');
  assertEquals(/secret/i.test(await readTraces(page)), false);
});

test("a copied link contains the input, and a message states what that means", async (open) => {
  const { page, origin, base64, hash, password } = await open("#base64?decode");
  const link = "[name=copyLink]";
  const copy = async (message: string) => {
    await base64.copy(link);
    await base64.expectMessage(message);
    return await clipboard(page);
  };
  await base64.enter("4oCcPz4/w7w+", "“?>?ü>");
  assertEquals(
    await copy("keeps the input in its history"),
    `${origin}/#base64?decode&input=4oCcPz4%2Fw7w%2B`,
  );
  await base64.fill("YWJj".repeat(501));
  await base64.expect(/./);
  assertEquals(await copy("2,000 characters"), `${origin}/#base64?decode`);
  await hash.show();
  await hash.fill("é b");
  await hash.copy(link);
  await follow(page, new URL(await clipboard(page)).hash);
  await hash.until("input", "é b");
  await password.show();
  await password.expect(/./);
  assertEquals(await page.locator(`#password ${link}`).isVisible(), false);
});

test("a URL can’t write long or invisible text into the page", async (open) => {
  const { page, base64, uuid } = await open(
    `#uuid?YOUR+ACCOUNT+IS+LOCKED,+CALL+%E2%80%AE555${"!".repeat(10_000)}`,
  );
  await uuid.expectMessage(
    'The URL contains an invalid part: "YOUR ACCOUNT IS LOCKED, CALL \\u202e555!!!!!!…". ' +
      "The default is used instead.",
  );
  await follow(page, `#uuid?${"a&".repeat(5_000)}Count=5x`);
  await uuid.expectMessage(
    `The URL contains an invalid part: "${"a&".repeat(19)}a…".`,
  );
  await follow(page, `#Call\u202e${"5".repeat(1_000)}?a`);
  await base64.until("message", /^There is no tool named "Call.{35}…"\.$/);
});
