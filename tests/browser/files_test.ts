/// <reference lib="dom" />

/** Files as inputs, and as results. */

import { assert, assertEquals } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { clipboard, digest, download } from "./_page.ts";
import type { Host } from "./_tool.ts";

/** The ways to enter a file. */
type Way = "drop" | "open" | "paste";

/** Enters a file with a name and a media type. */
function enterFile(
  page: Page,
  way: Way,
  tool: string,
  { name, type, bytes }: { name: string; type: string; bytes: Uint8Array },
) {
  return page.evaluate(([way, tool, name, type, bytes]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(bytes)], name, { type }));
    const init = { bubbles: true, cancelable: true, composed: true };
    const section = document.getElementById(tool)!;
    if (way === "drop") {
      const drop = new DragEvent("drop", { ...init, dataTransfer });
      section.dispatchEvent(drop);
    } else if (way === "paste") {
      const { shadowRoot } = section.querySelector(".source .editor")!;
      const paste = { ...init, clipboardData: dataTransfer };
      shadowRoot!.querySelector(".cm-content")!
        .dispatchEvent(new ClipboardEvent("paste", paste));
    } else {
      const input = section.querySelector<HTMLInputElement>("[type=file]")!;
      input.files = dataTransfer.files;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }, [way, tool, name, type, [...bytes]] as const);
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="7"/>';

test("a dropped, opened or pasted file replaces the input", async (open, t) => {
  const { page, hash } = await open("#hash");
  const bytes = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
  const file = { name: "photo.jpg", type: "image/jpeg", bytes };
  for (const way of ["drop", "open", "paste"] as const) {
    await t.step(way, async () => {
      await hash.enter("abc", digest("abc"));
      await enterFile(page, way, "hash", file);
      await hash.expect(digest(bytes));
      assertEquals(await hash.texts(".file-name"), ["photo.jpg"]);
    });
  }
});

test("a text file can be edited, or encoded as a data URL", async (open) => {
  const { page, base64 } = await open();
  const bytes = new TextEncoder().encode(SVG);
  const file = { name: "logo.svg", type: "image/svg+xml", bytes };
  await enterFile(page, "drop", "base64", file);
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
  const file = (name: string, byte: number) => {
    return { name, type: "", bytes: Uint8Array.of(byte) };
  };
  await enterFile(page, "drop", "hash", file("slow", 0xff));
  await enterFile(page, "drop", "hash", file("fast", 0xfe));
  await hash.expect(digest(Uint8Array.of(0xfe)));
  await page.evaluate(async () => {
    (globalThis as unknown as { release(): void }).release();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  assertEquals(await hash.texts(".file-name"), ["fast"]);
});

test("a long result is shown in part, and copied and downloaded completely", async (open) => {
  const { page, base64 } = await open();
  const size = 6 * 1_048_576;
  await base64.dropLarge(0xff, size);
  await base64.expect(/^\/{10000}$/);
  const length = size / 3 * 4;
  await base64.expectMessage(
    `The first 10,000 of ${length.toLocaleString("en")} characters are shown`,
  );
  await base64.copy();
  assertEquals(await clipboard(page), "/".repeat(length));
  const { text } = await download(page, "#base64 .bar [name=download]");
  assertEquals(text, "/".repeat(length));
  const useAsInput = page.locator("#base64 [name=useAsInput]");
  assertEquals(await useAsInput.getAttribute("aria-disabled"), "true");
  await base64.dropLarge(0xff, 2 * size);
  await base64.expectMessage("of 16,777,216 characters");
  await base64.click(".bar [name=copy]");
  await base64.expectMessage("too many to copy");
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
  await base64.dropLarge(0, 101 * 1_048_576);
  await base64.expectMessage("This page shows text of at most 100 MB");
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

test("a large file is hashed in chunks, with progress", async (open) => {
  const { page, hash } = await open("#hash");
  await hash.dropLarge(7, 400 * 1_048_576);
  await hash.until("badge", /^Computing… [1-9]\d? %$/);
  assert(
    await page.evaluate(() =>
      document.querySelector<HTMLProgressElement>("#hash progress")!.value > 0
    ),
  );
  await hash.dropLarge(7, 3 * 1_048_576);
  await hash.expect(digest(new Uint8Array(3 * 1_048_576).fill(7)));
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
