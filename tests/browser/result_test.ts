/// <reference lib="dom" />

/** Results can be selected and copied, but not edited. */

import { assert, assertEquals } from "@std/assert";
import { test } from "./_browser.ts";
import { clipboard } from "./_page.ts";

test("a result can be focused and selected, but not edited", async (open) => {
  const { page, json } = await open("#json");
  await json.enter('{"a":[1,2]}', /a/);
  const result = page.locator("#json-result");
  const { isEditable, role } = await result.evaluate((element) => ({
    isEditable: (element as HTMLElement).isContentEditable,
    role: element.role,
  }));
  assertEquals([isEditable, role], [false, "group"]);
  const { result: before } = await json.read();
  await page.click("#json .result .cm-line:nth-of-type(2)");
  await page.locator("#json .result .editor:focus").waitFor();
  await page.keyboard.type("x");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+C");
  assertEquals(await clipboard(page), before);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+C");
  assertEquals(await clipboard(page), "{\n");
  assertEquals((await json.read()).result, before);
  await page.keyboard.press("Control+F");
  assert(await page.locator("#json .result [name=search]").isVisible());
});

test("a click on a generated line or a digest selects exactly that", async (open) => {
  const { page, hash, uuid } = await open("#uuid");
  const check = async (selector: string) => {
    const expected = await page.locator(selector).textContent();
    await clipboard(page, "");
    await page.click(selector, { position: { x: 12, y: 8 } });
    await page.keyboard.press("Control+C");
    assertEquals(await clipboard(page), expected);
  };
  await uuid.expect(/./);
  await check("#uuid .line");
  await uuid.set("count", "3");
  await uuid.expect(/\n.*\n/);
  await check("#uuid .item:nth-child(2) .line");
  await hash.show();
  await hash.enter("abc");
  await check("#hash code.sha512");
});

test("screen readers announce that only a part of a long result can be read", async (open) => {
  const { page, json } = await open("#json");
  const result = page.locator("#json-result");
  const readDescription = () =>
    result.evaluate(({ ariaDescription }) => ariaDescription ?? "");
  await json.enter("[1]");
  assertEquals(await readDescription(), "");
  const numbers = Array.from({ length: 5_000 }, (_, i) => i);
  const formatted = JSON.stringify(numbers, null, 2);
  await json.enter(JSON.stringify(numbers), formatted);
  const message = "Only the visible part can be read here. Copy and Download " +
    "include the entire result.";
  assertEquals(await readDescription(), message);
  await page.locator("#announcer", { hasText: message }).waitFor();
  await json.copy();
  assertEquals(await clipboard(page), formatted);
});
