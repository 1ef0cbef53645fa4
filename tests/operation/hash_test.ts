import { setImmediate } from "node:timers/promises";
import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { post } from "../_client.ts";
import { replace } from "../_replace.ts";

Deno.test("a digest function can read its bytes late", async () => {
  // The page's digest functions do so over plain HTTP, where Web Crypto isn't available.
  using _ = replace(crypto.subtle, {
    async digest(_name, bytes) {
      await setImmediate();
      const hash = createHash("sha256").update(
        new Uint8Array(bytes as ArrayBuffer),
      );
      return Uint8Array.from(hash.digest()).buffer;
    },
  });
  const input = "é".repeat(5_000);
  const { body } = await post("/api/hash", { algorithm: "sha256", input });
  const expected = createHash("sha256").update(input).digest("hex");
  assertEquals(body, { result: expected, algorithm: "sha256" });
});
