/// <reference lib="dom" />

/** Errors that the input doesn't cause. */

import { assertEquals } from "@std/assert";
import { test } from "./_browser.ts";

const MESSAGE = "Something went wrong. Please reload the page.";

test("the page works with any content of its storages", async (open) => {
  const contents = [
    ...["null", "5", "{", '{"options":null,"copyAs":1,"tool":{}}'],
    '{"options":{"base64":5},"copyAs":[1],"isWrapped":"no","theme":null}',
  ];
  for (const stored of contents) {
    const { base64 } = await open("", {
      prepare: (page) =>
        page.addInitScript((stored) => {
          if (location.protocol === "about:") return;
          localStorage.setItem("developer-utilities", stored);
          const inputs = JSON.stringify({ base64: 5, json: null, hash: "a" });
          sessionStorage.setItem("developer-utilities", inputs);
        }, stored),
    });
    await base64.enter("abc", "YWJj");
    assertEquals((await base64.read()).message, "");
  }
});

test("an error in a handler of the page or of the editor is shown", async (open) => {
  const { page, base64, json, problems } = await open();
  // A browser reports some notices as errors.
  await page.evaluate(() => {
    dispatchEvent(new ErrorEvent("error", { message: "ResizeObserver loop" }));
  });
  await base64.enter("abc", "YWJj");
  assertEquals((await base64.read()).message, "");
  await page.evaluate(() => {
    URL.createObjectURL = () => {
      throw new Error("on purpose");
    };
  });
  await base64.click("[name=download]");
  await base64.until("message", MESSAGE);
  await json.show();
  await page.evaluate(() => {
    JSON.stringify = () => {
      throw new Error("on purpose");
    };
  });
  await json.fill("[1]");
  await json.until("message", MESSAGE);
  assertEquals(new Set(problems.splice(0)), new Set(["on purpose"]));
});
