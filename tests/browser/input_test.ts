/// <reference lib="dom" />

/** Input: focus, pastes, dropped and opened files, keyboard shortcuts. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { Buffer } from "node:buffer";
import { dropFiles, holdAnswers, sha256, test, visit } from "./_browser.ts";

test("the focus is in the editor on load, and a paste anywhere goes there", async (open) => {
  const { page, base64, hash } = await open();
  await page.keyboard.type("a");
  await base64.expectInput("a");
  await page.evaluate(() => navigator.clipboard.writeText("b\r\n"));
  await page.focus("#base64 button.primary");
  await page.keyboard.press("Control+V");
  await page.click("#base64 .result .cm-line");
  await page.keyboard.press("Control+V");
  await base64.expectInput("ab\r\nb\r\n");
  await hash.show();
  await page.focus("#hash-expected");
  await page.keyboard.press("Control+V");
  assertEquals(await page.inputValue("#hash-expected"), "b\n");
  assertEquals(await hash.read(), "");
});

test("the focus is in the editor on a deep link too", async (open) => {
  const { page, json } = await open("#json");
  await page.locator("#json .source .editor:focus").waitFor();
  await page.keyboard.type("1");
  await json.expectInput("1");
});

test("files can be opened, inputs cleared, and Ctrl+Enter calls", async (open) => {
  const { page, json } = await open("#json");
  const chosen = page.waitForEvent("filechooser");
  await page.click("#json [name=open]");
  await (await chosen).setFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"a":\r\n1}'),
  });
  await json.expect('{\n  "a": 1\n}');
  assertEquals(await page.inputValue("#json [name=ends]"), "CRLF");
  const asked = page.waitForRequest("**/api/json");
  await page.focus("#json [name=open]");
  await page.keyboard.press("Control+Enter");
  await asked;
  await json.expect('{\n  "a": 1\n}');
  await page.click("#json [name=clear]");
  assertEquals(await json.read(), "");
  assertEquals((await json.look()).state, "empty");
});

test("a file that is dragged over the page is told what will happen", async (open) => {
  const { page, uuid } = await open("#base64");
  const drag = () =>
    page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["a"], "a.txt"));
      const init = { dataTransfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent("dragover", init));
    });
  await drag();
  await page.locator(".drop-here:visible", {
    hasText: "Drop one text file: it becomes the input",
  }).waitFor();
  await uuid.show();
  await drag();
  await page.locator(".drop-here:visible", { hasText: "no input" }).waitFor();
});

test("a refused drop says why, and changes neither input nor result", async (open) => {
  const refusals: [string, (Uint8Array | string)[], string][] = [
    [
      "too large",
      [new Uint8Array(1_048_577)],
      "is too large: it has 1,048,577 bytes",
    ],
    ["not UTF-8", [Uint8Array.of(0xff, 0xfe)], "is not UTF-8 text"],
    ["several", ["a", "b"], "Please drop one file"],
  ];
  for (const [name, files, words] of refusals) {
    await open.step(name, async () => {
      await using visited = await visit("#hash");
      const { page, hash } = visited;
      await hash.ask("abc", sha256("abc"));
      await dropFiles(page, "#hash .source .editor", files);
      await hash.expectMessage(words);
      await hash.expect(sha256("abc"));
      // A call that is on its way does not remove the message either.
      const release = await holdAnswers(page, "api/hash");
      await hash.fill("abcd");
      await dropFiles(page, "header", files);
      await hash.expectMessage(words);
      await release();
      await hash.expect(sha256("abcd"));
      assertStringIncludes((await hash.look()).message, words);
    });
  }
  for (const tool of ["uuid", "password"]) {
    await open.step(tool, async () => {
      await using visited = await visit(`#${tool}`);
      const { page, tools } = visited;
      await tools[tool]!.expect(/./);
      const { result } = await tools[tool]!.look();
      await dropFiles(page, "header", ["a"]);
      await tools[tool]!.expectMessage("this tool has no input");
      await tools[tool]!.expect(result);
    });
  }
});

test("? lists the shortcuts, outside a text", async (open) => {
  const { page, base64 } = await open();
  await page.keyboard.type("?");
  await base64.expectInput("?");
  await page.focus("#base64 button.primary");
  await page.keyboard.press("Shift+?");
  await page.locator("#shortcuts[open]").waitFor();
  await page.keyboard.press("Escape");
  assert(!await page.isVisible("#shortcuts"));
  await page.click("#help");
  assertMatch(await page.innerText("#shortcuts"), /Make the result the input/);
});

test("shortcuts have the names of the person's keyboard", async () => {
  for (const platform of ["MacIntel", "Linux x86_64"]) {
    await using visited = await visit("", {
      prepare: (page) =>
        page.addInitScript(
          (platform) =>
            Object.defineProperty(navigator, "platform", { value: platform }),
          platform,
        ),
    });
    const keys = await visited.page.locator("#shortcuts dt").allTextContents();
    const expected = platform === "MacIntel"
      ? ["⌃ ⇧ 1 … 5", "⌘ Enter"]
      : ["Ctrl Shift 1 … 5", "Ctrl Enter"];
    assertEquals(keys.slice(0, 2), expected);
  }
});
