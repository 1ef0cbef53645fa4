import { assertEquals } from "@std/assert";
import { cleanSettings } from "../../web/settings.js";

Deno.test("cleanSettings() replaces values of another type by the default", () => {
  const settings = {
    theme: "dark",
    tool: "json",
    options: { json: "minify" },
    copyAs: { uuid: "json" },
    language: "python",
    isApiCallShown: true,
    isInputKept: true,
    isWrapped: false,
  };
  assertEquals(cleanSettings(settings), settings);
  const defaults = {
    theme: "system",
    tool: "",
    language: "curl",
    options: {},
    copyAs: {},
    isApiCallShown: false,
    isInputKept: false,
    isWrapped: true,
  };
  const invalid: Record<string, unknown>[] = [
    {},
    { options: null, copyAs: 5, isApiCallShown: "yes", theme: null, tool: {} },
    { options: { json: null, hash: 5, uuid: {} }, copyAs: [1] },
  ];
  for (const stored of invalid) assertEquals(cleanSettings(stored), defaults);
});
