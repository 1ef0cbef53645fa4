/// <reference lib="dom" />

/** Files as inputs, and as results. */

import { assertEquals } from "@std/assert";
import { test } from "./_browser.ts";
import { clipboard, digest, download } from "./_page.ts";
import type { Host } from "./_tool.ts";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>';

test("a text file can be edited, or encoded as a data URL", async (open) => {
  const { page, base64 } = await open();
  const file = { name: "logo.svg", type: "image/svg+xml" };
  await base64.drop(SVG, "#base64", file);
  await base64.expect(btoa(SVG));
  assertEquals((await base64.read()).input, SVG);
  await base64.expectMessage("This is the text of “logo.svg”.");
  await base64.press("Encode as data URL");
  await base64.expect(`data:image/svg+xml;base64,${btoa(SVG)}`);
  await page.waitForFunction(() => {
    const image = document.querySelector<HTMLImageElement>(".file img")!;
    return image.checkVisibility() && image.naturalWidth === 7;
  });
  await base64.click("[name=clear]");
  await page.keyboard.press("Control+Z");
  await base64.expect(btoa(SVG));
  await base64.enter(`${SVG} `, btoa(`${SVG} `));
  assertEquals((await base64.read()).message, "");
  await base64.drop(btoa(SVG));
  await base64.set("action", "decode");
  await base64.expect(SVG);
  assertEquals(await base64.texts(".message button"), []);
});

test("the file that was dropped last becomes the input", async (open) => {
  const { page, hash } = await open("#hash");
  // The first file is read slowly.
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    const { promise, resolve } = Promise.withResolvers<void>();
    let reads = 0;
    Blob.prototype.arrayBuffer = async function () {
      reads += 1;
      if (reads === 1) await promise;
      return arrayBuffer.call(this);
    };
    Object.assign(globalThis, { release: resolve });
  });
  await hash.drop(Uint8Array.of(0xff), "#hash", { name: "slow" });
  await hash.drop(Uint8Array.of(0xfe), "#hash", { name: "fast" });
  await hash.expect(digest(Uint8Array.of(0xfe)));
  await page.evaluate(async () => {
    (globalThis as unknown as { release(): void }).release();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  assertEquals(await hash.texts(".file-name"), ["fast"]);
});

test("a long result is shown in part, and copied and downloaded completely", async (open) => {
  const { page, base64 } = await open();
  await base64.drop({ byte: 0xff, megabytes: 6 });
  await base64.expect(/^\/{10000}$/);
  const length = 8 * 1_048_576;
  await base64.expectMessage(
    `The first 10,000 of ${length.toLocaleString("en")} characters are shown`,
  );
  await base64.copy();
  assertEquals(await clipboard(page), "/".repeat(length));
  const { text } = await download(page, "#base64 .bar [name=download]");
  assertEquals(text, "/".repeat(length));
  const useAsInput = page.locator("#base64 [name=useAsInput]");
  assertEquals(await useAsInput.getAttribute("aria-disabled"), "true");
  await base64.drop({ byte: 0xff, megabytes: 12 });
  await base64.expectMessage("of 16,777,216 characters");
  await base64.click(".bar [name=copy]");
  await base64.expectMessage("too long to copy");
});

test("large Base64 is decoded to bytes or text", async (open) => {
  const { page, base64 } = await open("#base64?decode");
  const image = Uint8Array.from({ length: 1_500_000 }, (_, i) => i);
  image.set(Uint8Array.fromHex("89504e470d0a1a0a"));
  await base64.enter(image.toBase64(), "Binary data, 1.5 MB (PNG)");
  const file = await download(page, "#base64 [name=download]");
  assertEquals([file.name, file.bytes], ["decoded.png", image]);
  await base64.enter("/w==", "Binary data, 1 byte");
  const { name } = await download(page, "#base64 [name=download]");
  assertEquals(name, "decoded.bin");
  const text = "é\r\n".repeat(300_000);
  const encoded = new TextEncoder().encode(text).toBase64();
  await base64.drop(encoded);
  await base64.expect(text);
  await base64.fill(`${encoded}!`);
  await base64.expectMessage('got "!" at line 1, column');
});

test("text above the limit is rejected before it is computed", async (open) => {
  const { page, base64, hash } = await open("#base64?decode");
  await base64.drop({ byte: 0, megabytes: 101 });
  await base64.expectMessage("This page shows text files of up to 100 MB");
  await hash.show();
  await hash.expect(digest(""));
  await page.evaluate(() => {
    const { view } = document.querySelector("#hash .editor") as Host;
    const line = "x".repeat(1_000_000);
    const text = view.state.toText(Array(101).fill(line).join("\n"));
    view.dispatch({ changes: { from: 0, insert: text } });
  });
  await hash.expectMessage("this page accepts at most 100,000,000.");
});

test("without WebAssembly text is hashed, and a message names the command for files", async (open) => {
  const { hash } = await open("#hash", {
    override: (service) => async (request) => {
      const response = await service.handle(request);
      if (!request.url.endsWith("/worker.js")) return response;
      const headers = new Headers(response.headers);
      const policy = headers.get("content-security-policy")!;
      headers.set(
        "content-security-policy",
        policy.replace(" 'wasm-unsafe-eval'", ""),
      );
      return new Response(response.body, { headers });
    },
  });
  await hash.enter("abc", digest("abc"));
  await hash.drop(Uint8Array.of(0xff));
  await hash.expectMessage("hash sha256 FILE");
});

test("a deleted file has an error message", async (open) => {
  const { page, hash } = await open("#hash");
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, new Uint8Array(2_000_000).fill(255));
  await page.setInputFiles("#hash [type=file]", path);
  await hash.expect(digest(new Uint8Array(2_000_000).fill(255)));
  await Deno.remove(path);
  await page.keyboard.press("Control+Enter");
  await hash.expectMessage("The file");
});
