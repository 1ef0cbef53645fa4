/** Characters that a text is easily harmed at: pairs of surrogates, marks, spaces. */

import { assertEquals } from "@std/assert";
import { test } from "./_browser.ts";
import { paste } from "./_page.ts";

test("what is pasted after a file gets between characters", async (open) => {
  const { page, hash } = await open("#hash");
  await page.keyboard.insertText("😀");
  await hash.drop("😁");
  await hash.until("input", "😁");
  await page.focus("#hash-input");
  await paste(page, "x");
  assertEquals((await hash.look()).input, "x😁");
});
