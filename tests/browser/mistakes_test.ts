/// <reference lib="dom" />

/** The page goes on where something is wrong that is not the input, or says so. */

import { assertEquals } from "@std/assert";
import { test } from "./_browser.ts";

const MISTAKE = "Something went wrong. Please reload the page.";

test("the page works with any content of its storages", async (open) => {
  for (
    const stored of [
      "null",
      "5",
      '{"options":null,"copyAs":1,"tool":{}}',
      "[[]]",
    ]
  ) {
    const { base64 } = await open("", {
      prepare: (page) =>
        page.addInitScript((stored) => {
          if (location.protocol === "about:") return;
          localStorage.setItem("developer-utilities", stored);
          const inputs = JSON.stringify({ base64: 5, json: null, hash: "a" });
          sessionStorage.setItem("developer-utilities", inputs);
        }, stored),
    });
    await base64.ask("abc", "YWJj");
    assertEquals((await base64.look()).message, "");
  }
});

test("an error in a handler of the page or of the editor is shown", async (open) => {
  const { page, base64, json, complaints } = await open();
  await base64.ask("abc", "YWJj");
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error("on purpose");
    };
  });
  await base64.click("[name=download]");
  await base64.until("message", MISTAKE);
  await json.show();
  await page.evaluate(() => {
    Object.assign(globalThis, {
      setTimeout() {
        throw new Error("on purpose");
      },
    });
  });
  await json.fill("[1]");
  await json.until("message", MISTAKE);
  assertEquals(new Set(complaints.splice(0)), new Set(["on purpose"]));
});

test("a notice of the browser is no mistake of the page", async (open) => {
  const { page, base64 } = await open();
  await page.evaluate(() => {
    dispatchEvent(new ErrorEvent("error", { message: "ResizeObserver loop" }));
  });
  await base64.ask("abc", "YWJj");
  assertEquals((await base64.look()).message, "");
});
