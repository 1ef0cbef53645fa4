/// <reference lib="dom" />

/** Options: in the address, in the storage of the browser, invalid ones. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { test, visit, waitUntilUsable } from "./_browser.ts";

test("the address has the options, never the input", async (open) => {
  const { page, origin, hash, password, json } = await open("#HASH?SHA512");
  const readAddress = () => page.evaluate(() => location.hash);
  assert(await page.isChecked("#hash [value=sha512]"));
  assertEquals(await readAddress(), "#hash?sha512");
  await hash.fill("secret");
  await page.check("#hash [value=sha1]");
  await page.waitForFunction(() => location.hash === "#hash?sha1");
  await json.show();
  await page.check("#json [value='4']");
  await page.waitForFunction(() => location.hash === "#json?indent=4");
  await page.goBack();
  await page.locator("#hash form").waitFor();
  assert(await page.isChecked("#hash [value=sha1]"));
  const addresses = {
    "#base64?nonsense&url": "#base64?url",
    "#password?length=24&symbols=false": "#password?length=24&symbols=false",
    "#JSON?Indent=4&action=format": "#json?indent=4",
    "#nonsense?x": "#base64",
  };
  for (const [given, kept] of Object.entries(addresses)) {
    await open.step(given, async () => {
      await page.goto(`${origin}/${given}`);
      await page.waitForFunction((kept) => location.hash === kept, kept);
    });
  }
  await page.goto(`${origin}/#password?length=24&symbols=false`);
  await password.expect(/^[A-Za-z0-9]{24}$/);
});

test("an invalid option is neither kept nor silently replaced", async (open) => {
  const { page, origin, tools, uuid, password } = await open("#uuid?count=500");
  await uuid.expectMessage("Not valid in the address: “count=500”.");
  await uuid.expect(/^\S{36}$/);
  const readKept = () =>
    page.evaluate(() =>
      `${location.hash} ${localStorage.getItem("developer-utilities")}`
    );
  await page.fill("#uuid [name=count]", "5");
  await uuid.expect(/(\S{36}\s?){5}/);
  await page.fill("#uuid [name=count]", "500");
  await uuid.expectMessage("The count must be");
  assertMatch(await readKept(), /^#uuid\?count=5 .*"uuid":"count=5"/);
  await password.show();
  for (const name of ["uppercase", "lowercase", "numbers"]) {
    await page.uncheck(`#password [name=${name}]`);
  }
  await page.waitForFunction(() => /numbers=false/.test(location.hash));
  await page.uncheck("#password [name=symbols]");
  await password.expectMessage("Choose at least one");
  assert(!/symbols=false/.test(await readKept()));
  await page.reload();
  await password.expect(/^[^A-Za-z0-9\s]{16}$/);
  const links = {
    "#nonsense?x": "There is no tool “nonsense”.",
    "#password?symbols=maybe": "“symbols=maybe”",
    "#json?tabs": "“tabs”",
  };
  for (const [link, words] of Object.entries(links)) {
    await page.goto(`${origin}/${link}`);
    const name = /\w+/.exec(link)![0];
    await (tools[name] ?? tools.base64!).expectMessage(words);
  }
});

test("Password: look-alikes are avoided without their box, and a length is typed", async (open) => {
  const { page, password } = await open("#password");
  await password.expect(/^\S{16}$/);
  await page.uncheck("#password [name=ambiguous]");
  await page.waitForFunction(() =>
    location.hash === "#password?ambiguous=false"
  );
  await password.expect(/^[^0O1Il5S]{16}$/);
  assertMatch(
    (await page.textContent("#password .command pre"))!,
    /\?ambiguous=false'$/,
  );
  await page.fill("#password [name=length]", "24");
  await password.expect(/^\S{24}$/);
  assertEquals(await page.inputValue("#password [type=range]"), "24");
  await page.locator("#password [type=range]").press("ArrowRight");
  await password.expect(/^\S{25}$/);
  assertEquals(await page.inputValue("#password [name=length]"), "25");
});

test("tool, options and theme are remembered, texts are not", async (open) => {
  const { page, origin, json } = await open("#hash?sha512");
  await json.show();
  await page.check("#json [value='4']");
  await json.ask('"secret"', '"secret"');
  const started = page.waitForEvent("download");
  await page.click("#json [name=save]");
  assertEquals((await started).suggestedFilename(), "json.json");
  await page.selectOption("#theme", "dark");
  const next = await page.context().newPage();
  await next.goto(origin);
  await waitUntilUsable(next);
  assert(await next.isChecked("#json [value='4']"));
  assertEquals(new URL(next.url()).hash, "#json?indent=4");
  await next.locator("#json .empty").waitFor();
  const ground = () =>
    next.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assertEquals(await ground(), "rgb(15, 19, 18)");
  await next.click('nav a[href^="#hash"]');
  assert(await next.isChecked("#hash [value=sha512]"));
  const stored = await next.evaluate(() => JSON.stringify({ ...localStorage }));
  assert(!stored.includes("secret"), stored);
  await next.close();
});

test("without storage the page works all the same", async () => {
  await using visited = await visit("", {
    prepare: (page) =>
      page.addInitScript(() => {
        for (const name of ["getItem", "setItem"] as const) {
          Storage.prototype[name] = () => {
            throw new DOMException("denied", "SecurityError");
          };
        }
      }),
  });
  const { page, base64 } = visited;
  await page.keyboard.type("abc");
  await base64.expect("YWJj");
  await page.selectOption("#theme", "light");
});
