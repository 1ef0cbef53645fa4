import { assertEquals } from "@std/assert";
import { findKind } from "../../web/kinds.js";

Deno.test("findKind() recognizes a file by its first bytes", async (t) => {
  // The first bytes of files that common programs have written.
  const rows: readonly [string, hex: string][] = [
    ["png", "89504e470d0a1a0a0000000d49484452"],
    ["jpg", "ffd8ffe000104a464946000101000001"],
    ["webp", "524946461a000000574542505650384c"],
    ["avif", "0000001c66747970617669660000"],
    ["ico", "000001000100101000000100"],
    ["bmp", "424d46000000000000003600"],
    ["mp4", "000000206674797069736f6d00000200"],
    ["wav", "524946462408000057415645666d7420"],
  ];
  for (const [extension, hex] of rows) {
    await t.step(extension, () => {
      const kind = findKind(Uint8Array.fromHex(hex));
      assertEquals(kind?.extension, extension);
      const isShown = ["png", "jpg", "webp", "avif", "ico", "bmp"];
      const isImage = kind?.type.startsWith("image/");
      assertEquals(isImage, isShown.includes(extension));
    });
  }
  const unknown = ["", "89", "fffe", "524946461a00000041564920", "68656c6c6f"];
  for (const hex of unknown) {
    assertEquals(findKind(Uint8Array.fromHex(hex)), undefined, hex);
  }
});
