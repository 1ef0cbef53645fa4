/// <reference lib="dom" />

/** Output: digests, messages, copies, code, printing. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { createHash } from "node:crypto";
import {
  clipboard,
  copy,
  holdAnswers,
  type Host,
  sha256,
  test,
} from "./_browser.ts";

test("Hash: compares with a digest, and says nothing of an old one", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.fill("abc");
  const digest = sha256("abc");
  await hash.expect(digest);
  const verdict = () => page.innerText("#hash .verdict");
  assertEquals(await verdict(), "");
  await page.fill("#hash-expected", `${digest}  file.txt`);
  assertEquals(await verdict(), "✓ Equal: SHA-256");
  const release = await holdAnswers(page, "api/hash");
  await hash.look("abcd");
  assertEquals(await verdict(), "");
  await release();
  await page.locator("#hash .verdict", { hasText: "✗ Not equal" }).waitFor();
});

test("Hash says what it hashes, and compares where the digests are", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.expect(sha256(""));
  assertEquals(
    await page.innerText("#hash .result h3"),
    "Digests of the empty text",
  );
  await hash.ask("abc", sha256("abc"));
  assertEquals(await page.innerText("#hash .result h3"), "Digests");
  const box = (selector: string) => page.locator(selector).boundingBox();
  const last = (await box("#hash .digest:last-child"))!;
  const field = (await box("#hash-expected"))!;
  assert(field.y - last.y - last.height < 60);
  await page.fill("#hash-expected", "0".repeat(128));
  const isCut = await page.locator("#hash-expected").evaluate(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight,
  );
  assert(!isCut, "a SHA-512 is seen whole");
});

test("Base64: Show selects the offending character", async (open) => {
  const { page, base64 } = await open("#base64?decode");
  await base64.look(`${"QUJD\n".repeat(300)}QU*D`);
  await base64.expectMessage('got "*" at line 301, column 3');
  await page.click("#base64 .message button");
  assertEquals(await base64.readSelection(), "*");
  assert(
    await page.evaluate(() => {
      const host = document.querySelector("#base64 .editor") as Host;
      return host.view.scrollDOM.scrollTop > 1_000;
    }),
  );
  await base64.fill("/w==");
  await base64.expectMessage("This decodes to 1 byte");
});

test("messages are for people, and copying has a place of its own", async (open) => {
  const { page, json, tools } = await open("#base64?decode");
  const cases: [string, string, string][] = [
    ["base64", "YQ=", "must end in the padding that its length needs"],
    ["base64", "-_+", "must not mix the standard and the URL-safe alphabet"],
    ["base64", "YWJjZ", "The input must be whole Base64 text"],
    ["json", "{'a'}", "Not valid JSON: "],
  ];
  for (const [tool, text, words] of cases) {
    await tools[tool]!.show();
    await tools[tool]!.fill(text);
    await tools[tool]!.expectMessage(words);
    const { message } = await tools[tool]!.look();
    assert(!/"input"|"action"/.test(message), message);
  }
  await page.click("#json [name=code]");
  await copy(page, "#json .command [name=copy]");
  assertMatch((await json.look()).message, /^Not valid JSON/);
});

test("Copied goes with the password that was copied, and each UUID has a button", async (open) => {
  const { page, uuid, password } = await open("#password");
  await password.expect(/./);
  await copy(page, "#password button.primary");
  const answered = page.waitForResponse("**/api/password");
  await page.click("#password [name=again]");
  await answered;
  await page.locator("#password button.primary .label", { hasText: /^Copy$/ })
    .waitFor({ timeout: 1_000 });
  await uuid.show();
  await page.fill("#uuid [name=count]", "3");
  await uuid.expect(/^(.{36}\n){2}.{36}$/);
  await copy(page, "#uuid .item:nth-child(2) [name=copy]");
  assertEquals(
    await clipboard(page),
    await page.textContent("#uuid .item:nth-child(2) .line"),
  );
});

test("the curl line is quoted, silent but for errors, and shows what is hidden", async (open) => {
  const { page, origin, hash, uuid } = await open("#hash");
  const text =
    'it\'s "q" $HOME `x` \\ !\x01\x7f\x85\u202etxt.\u2066\u200b\ufeff\n\ttab 漢😀';
  await hash.look(text);
  await hash.expect(createHash("sha256").update(text).digest("hex"));
  const line = (await page.textContent("#hash .command pre"))!;
  assert(line.startsWith(`curl -sS '${origin}/api/hash' -d '{`), line);
  assert(
    !/[\p{Cc}\p{Cf}]/u.test(line),
  );
  assertStringIncludes(line, "\\u202etxt.\\u2066");
  const { stdout } = await new Deno.Command("bash", { args: ["-c", line] })
    .output();
  assertEquals(
    JSON.parse(new TextDecoder().decode(stdout)).result,
    createHash("sha256").update(text).digest("hex"),
  );
  await uuid.show();
  assertEquals(
    (await page.textContent("#uuid .command pre"))!,
    `curl -sS '${origin}/api/uuid'`,
  );
});

test("printing prints all of the input and the result", async (open) => {
  const { page, json } = await open("#json");
  const numbers = Array.from({ length: 2_000 }, (_, i) => i);
  await json.ask(JSON.stringify(numbers), JSON.stringify(numbers, null, 2));
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assertEquals(
    await page.locator("#json .print").allInnerTexts(),
    [JSON.stringify(numbers), JSON.stringify(numbers, null, 2)],
  );
  assert(!await page.isVisible("#json .editor"));
});
