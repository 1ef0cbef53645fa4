/** Characters that a text is easily harmed at: pairs of surrogates, marks, spaces. */

import { assertEquals } from "@std/assert";
import { test } from "./_browser.ts";
import { digest, paste } from "./_page.ts";

test("what is pasted after a file gets between characters", async (open) => {
  const { page, hash } = await open("#hash");
  await page.keyboard.insertText("😀");
  await hash.drop("😁");
  await hash.until("input", "😁");
  await page.focus("#hash-input");
  await paste(page, "x");
  assertEquals((await hash.look()).input, "x😁");
});

test("a plus sign that became a space comes back, and letters are composed", async (open) => {
  const { base64, hash } = await open("#base64?decode");
  await base64.ask("Pz4/Pj8 ", "?>?>?");
  await base64.expectMessage("spaces in place of plus signs");
  await base64.press("Decode the Base64");
  await base64.expect("?>?>?>");
  await hash.show();
  await hash.ask("e\u0301", digest("e\u0301"));
  await hash.expectMessage("U+0301");
  await hash.press("Use whole letters");
  await hash.expect(digest("é"));
});
