/// <reference lib="dom" />

/** Links to a tool, with options and with a text. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { clipboard } from "./_page.ts";

/** The places in which a text of a link may not stay. */
async function readPlaces(page: Page): Promise<string> {
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

/** Goes to an address as a person does who changes it, or follows a link. */
async function follow(page: Page, fragment: string): Promise<void> {
  await page.evaluate((fragment) => {
    location.hash = fragment;
  }, fragment);
}

test("a link brings its text with its case, and the address forgets it", async (open) => {
  const { page, base64, hash, uuid } = await open(
    "#base64?decode&input=U0VDUkVUIHNlY3JldA==",
  );
  await base64.expect("SECRET secret");
  assertMatch(await readPlaces(page), /#base64\?decode$/m);
  assertEquals(/U0VDU|secret/i.test(await readPlaces(page)), false);
  // On the next visit, it is an ordinary input.
  await follow(page, "#hash?sha1&input=Secret%20%0A");
  await hash.until("input", "Secret \n");
  assertEquals(/secret/i.test(await readPlaces(page)), false);
  assertMatch(await readPlaces(page), /#hash\?sha1$/m);
  await follow(page, "#uuid?count=2&input=Secret");
  await uuid.expect(/\n/);
  await uuid.expectMessage('Invalid in the URL: "input".');
  await follow(page, "#uuids?input=Secret");
  await base64.expectMessage('There is no tool "uuids".');
  assertEquals(/secret/i.test(await readPlaces(page)), false);
});

test("over a typed input, a link can be undone", async (open) => {
  const { page, base64, json } = await open();
  await base64.ask("typed");
  await follow(page, "#base64?url&input=linked&nonsense");
  await base64.until("input", "linked");
  await base64.expectMessage("The link has replaced the input.");
  await base64.expectMessage('"nonsense"');
  await base64.press("Undo");
  await base64.expect("dHlwZWQ");
  await page.keyboard.press("Control+Z");
  await base64.until("input", "linked");
  await json.show();
  await follow(page, "#json?input=[1]");
  await json.expect("[\n  1\n]");
  assertEquals((await json.look()).message, "");
});

test("a link with the text is copied, and says what that means", async (open) => {
  const { page, origin, base64, hash, password } = await open("#base64?decode");
  const link = "[name=copyLink]";
  const copy = async (words: string) => {
    await base64.copy(link);
    await base64.expectMessage(words);
    return await clipboard(page);
  };
  await base64.ask("4oCcPz4/w7w+", "“?>?ü>");
  assertEquals(
    await copy("keeps it in its history"),
    `${origin}/#base64?decode&input=4oCcPz4%2Fw7w%2B`,
  );
  await base64.fill("YWJj".repeat(501));
  await base64.expect(/./);
  assertEquals(await copy("2,000 characters"), `${origin}/#base64?decode`);
  await base64.until("message", /2,000/);
  await page.locator("#base64 [name=copyLink]", { hasText: "Copy link" })
    .waitFor();
  await hash.show();
  await hash.fill("é b");
  await hash.copy(link);
  await follow(page, new URL(await clipboard(page)).hash);
  await hash.until("input", "é b");
  await password.show();
  await password.expect(/./);
  assertEquals(await page.locator(`#password ${link}`).isVisible(), false);
});

test("the address writes no text of its choice into the page", async (open) => {
  const { page, base64, uuid } = await open(
    `#uuid?YOUR+ACCOUNT+IS+LOCKED,+CALL+%E2%80%AE555${"!".repeat(10_000)}`,
  );
  await uuid.expect(/./);
  const { message } = await uuid.look();
  assertEquals(
    message,
    'Invalid in the URL: "YOUR ACCOUNT IS LOCKED, CALL \\u202e555!!!!!!…". ' +
      "The default is used instead.",
  );
  await follow(page, `#uuid?${"a&".repeat(5_000)}Count=5x`);
  await uuid.expectMessage('"a", "a", "a" and 4998 more.');
  await follow(page, `#Call\u202e${"5".repeat(1_000)}?a`);
  await base64.expectMessage("There is no tool");
  assertMatch(
    (await base64.look()).message,
    /^There is no tool "Call.{35}…"\.$/,
  );
});
