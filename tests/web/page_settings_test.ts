import { assertEquals } from "@std/assert";
import { cleanSettings } from "../../web/settings.js";

Deno.test("cleanSettings() leaves out what has another type than the setting", () => {
  const settings = {
    theme: "dark",
    tool: "json",
    options: { json: "minify" },
    copyAs: { uuid: "json" },
    language: "python",
    isApiCallShown: true,
    isHelpKeyOn: false,
    isInputKept: true,
    isWrapped: false,
  };
  assertEquals(cleanSettings(settings), settings);
  const defaults = {
    theme: "system",
    options: {},
    copyAs: {},
    isApiCallShown: false,
    isHelpKeyOn: true,
    isInputKept: false,
    isWrapped: true,
  };
  const others: Record<string, unknown>[] = [
    {},
    { options: null, copyAs: 5, isApiCallShown: "yes", theme: null, tool: {} },
    { options: { json: null, hash: 5, uuid: {} }, copyAs: [1] },
  ];
  for (const stored of others) assertEquals(cleanSettings(stored), defaults);
});
