/// <reference lib="dom" />

/** A result in an editor is read, selected and copied, but not edited. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test } from "./_browser.ts";
import { clipboard, findViolations } from "./_page.ts";

test("a result is no field: it takes the focus and can be selected, but not edited", async (open) => {
  const { page, json } = await open("#json");
  await json.ask('{"a":[1,2]}', /a/);
  const result = page.locator("#json-result");
  const { isEditable, role, others } = await result.evaluate((element) => ({
    isEditable: (element as HTMLElement).isContentEditable,
    role: element.role,
    others: element.getAttributeNames().filter((name) =>
      ["aria-multiline", "aria-readonly"].includes(name)
    ),
  }));
  assertEquals([isEditable, role, others], [false, "group", []]);
  assertEquals(await findViolations(page), []);
  const { result: before } = await json.look();
  await page.click("#json .result .cm-line:nth-of-type(2)");
  await page.locator("#json .result .editor:focus").waitFor();
  await page.keyboard.type("x");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+C");
  assertEquals(await clipboard(page), before);
  // From the start of the result, the keys select a part of it.
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+C");
  assertEquals(await clipboard(page), "{\n");
  assertEquals((await json.look()).result, before);
  await page.dblclick("#json .result .tok-number >> text=2");
  await page.keyboard.press("Control+C");
  assertEquals(await clipboard(page), "2");
  await page.keyboard.press("Control+F");
  assert(await page.locator("#json .result [name=search]").isVisible());
});

test("one, two or three clicks on a generated line or a digest select all of it, and no more", async (open) => {
  const { page, hash, uuid, password } = await open("#uuid");
  const check = async (selector: string) => {
    const expected = await page.locator(selector).textContent();
    for (const clickCount of [1, 2, 3]) {
      await clipboard(page, "");
      await page.click(selector, { clickCount, position: { x: 12, y: 8 } });
      await page.keyboard.press("Control+C");
      assertEquals(await clipboard(page), expected, `${clickCount} clicks`);
    }
  };
  await uuid.expect(/./);
  await check("#uuid .line");
  await uuid.set("count", "3");
  await uuid.expect(/\n.*\n/);
  await check("#uuid .item:nth-child(2) .line");
  await uuid.set("copyAs", "json");
  await check("#uuid .item:nth-child(3) .line");
  await password.show();
  await password.expect(/./);
  await check("#password .line");
  await hash.show();
  await hash.ask("abc");
  await check("#hash code.sha512");
});

test("of a long result, screen readers hear which part they find, and how to have all", async (open) => {
  const { page, base64, json } = await open("#json?minify");
  const result = page.locator("#json-result");
  const readDescription = () =>
    result.evaluate(({ ariaDescription }) => ariaDescription ?? "");
  await json.ask("[1]");
  assertEquals(await readDescription(), "");
  const numbers = Array.from({ length: 5_000 }, (_, i) => i);
  const text = JSON.stringify(numbers);
  await json.ask(text, text);
  assertMatch(await readDescription(), /lines 1 to 1 of 1\. Copy and Download/);
  await json.click("[value=format]");
  const formatted = JSON.stringify(numbers, null, 2);
  await json.expect(formatted);
  const words =
    /^Only the part in view can be read here, lines 1 to \d\d\d? of 5,002\. Copy and Download include all\.$/;
  assertMatch(await readDescription(), words);
  await page.locator("#announcer", { hasText: words }).waitFor();
  await result.focus();
  await page.keyboard.press("Control+End");
  await page.waitForFunction(() =>
    / to 5,002 of 5,002/.test(
      document.querySelector("#json .result .editor")!.shadowRoot!
        .querySelector(".cm-content")!.ariaDescription!,
    )
  );
  await json.copy();
  assertEquals(await clipboard(page), formatted);
  await base64.show();
  await base64.ask("abc", "YWJj");
  assertEquals(await findViolations(page), []);
});
