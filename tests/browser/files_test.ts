/// <reference lib="dom" />

/** Files as input: those that are not sent to the service, and decoded ones. */

import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { test } from "./_browser.ts";
import { clipboard, digest, findViolations } from "./_page.ts";

/** Drops a file of equal bytes on a tool, made in the page. */
function dropBytes(page: Page, tool: string, byte: number, size: number) {
  return page.evaluate(([tool, byte, size]) => {
    const dataTransfer = new DataTransfer();
    const piece = new Uint8Array(1_048_576).fill(byte);
    const pieces = Array.from({ length: size / piece.length }, () => piece);
    dataTransfer.items.add(new File(pieces, "large.bin"));
    const init = { dataTransfer, bubbles: true, cancelable: true };
    const target = document.querySelector(`#${tool} .panes`)!;
    target.dispatchEvent(new DragEvent("drop", init));
  }, [tool, byte, size] as const);
}

/** The ways in which a person gives a file to the page. */
type Way = "drop" | "open" | "paste";

/** Gives a file with a name and a media type to a tool. */
function give(
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

test("a file is dropped, opened or pasted over the text", async (open, t) => {
  const { page, base64, hash } = await open("#hash");
  const bytes = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
  const file = { name: "photo.jpg", type: "image/jpeg", bytes };
  for (const way of ["drop", "open", "paste"] as const) {
    await t.step(way, async () => {
      await hash.show();
      await hash.ask("abc", digest("abc"));
      await give(page, way, "hash", file);
      await hash.expect(digest(bytes));
      assertEquals(await hash.texts(".file-name"), ["photo.jpg"]);
      await base64.show();
      await give(page, way, "base64", file);
      await base64.expect("/9j/4A==");
      await base64.click("[name=clear]");
    });
  }
});

test("a text file is a text, and also a data URL on request", async (open) => {
  const { page, service, base64 } = await open();
  const bytes = new TextEncoder().encode(SVG);
  const file = { name: "logo.svg", type: "image/svg+xml", bytes };
  await give(page, "drop", "base64", file);
  await base64.expect(btoa(SVG));
  assertEquals((await base64.look()).input, SVG);
  assertEquals(service.calls, 1);
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
  await base64.ask(`${SVG} `, btoa(`${SVG} `));
  assertEquals((await base64.look()).message, "");
});

test("of two files, the one that was dropped last becomes the input", async (open) => {
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
  const [slow, fast] = [Uint8Array.of(0xff), Uint8Array.of(0xfe)];
  await give(page, "drop", "hash", { name: "slow", type: "", bytes: slow });
  await give(page, "drop", "hash", { name: "fast", type: "", bytes: fast });
  await hash.expect(digest(fast));
  await page.evaluate(async () => {
    (globalThis as unknown as { release(): void }).release();
    for (let i = 0; i < 20; i += 1) {
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
  assertEquals(await hash.texts(".file-name"), ["fast"]);
  await hash.expect(digest(fast));
});

test("an empty file is named, and nothing is offered for it afterwards", async (open) => {
  const { page, base64 } = await open();
  const empty = { name: "empty.txt", type: "", bytes: new Uint8Array() };
  await give(page, "drop", "base64", empty);
  await base64.expectMessage("“empty.txt” is empty.");
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
  await give(page, "drop", "base64", { name: "photo.jpg", type: "", bytes });
  await base64.expect("/9j/4A==");
  assertEquals((await base64.look()).message, "");
});

test(
  "axe-core finds no violation where a file is the input, or a list the result",
  async (open, t) => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page, base64, hash, password } = await open("", { colorScheme });
      const bytes = new TextEncoder().encode(SVG);
      const file = { name: "logo.svg", type: "image/svg+xml", bytes };
      const check = async (name: string) => {
        await t.step(`${name}, ${colorScheme}`, async () => {
          assertEquals(await findViolations(page), []);
        });
      };
      await give(page, "drop", "base64", file);
      await base64.expectMessage("This is the text of");
      await check("a text file");
      await base64.press("Encode as data URL");
      await base64.expect(/^data:/);
      await check("a data URL of an image");
      await base64.set("action", "decode");
      await base64.expectMessage("Base64 is a text");
      await check("a file that cannot be decoded");
      await base64.click("[name=clear]");
      await base64.ask("iVBORw0KGgoAAA==", "Binary data, 10 bytes (PNG)");
      await check("decoded bytes");
      await hash.show();
      await give(page, "drop", "hash", { ...file, bytes: Uint8Array.of(0xff) });
      await hash.expect(digest(Uint8Array.of(0xff)));
      await check("digests of a file");
      await password.show();
      await password.set("count", "20");
      await password.expect(/(\n.*){19}/);
      await check("passwords");
    }
  },
);

test("over plain HTTP, digests of files cannot be had, which is said; the rest works", async (open) => {
  const { service, base64, hash } = await open("#hash", { isInsecure: true });
  await hash.ask("abc", digest("abc"));
  const { calls } = service;
  await hash.drop(Uint8Array.of(0xff));
  await hash.expectMessage("This page came over plain HTTP");
  assertEquals((await hash.look()).answer, undefined);
  await base64.show();
  await base64.drop(Uint8Array.of(0xff));
  await base64.expect("/w==");
  assertEquals(service.calls, calls);
  await hash.show();
  await hash.drop("abc");
  await hash.expect(digest("abc"));
});

test("a long Base64 is shown in part, and copied and downloaded whole", async (open) => {
  const { page, base64 } = await open();
  const size = 6 * 1_048_576;
  await dropBytes(page, "base64", 0xff, size);
  await base64.expect(/^\/{10000}$/);
  const length = size / 3 * 4;
  await base64.expectMessage(
    `The first 10,000 of ${length.toLocaleString("en")} characters are shown`,
  );
  await base64.copy();
  assertEquals(await clipboard(page), "/".repeat(length));
  const started = page.waitForEvent("download");
  await base64.click(".bar [name=download]");
  const path = await (await started).path();
  assertEquals(await Deno.readTextFile(path), "/".repeat(length));
  assertEquals(
    await page.getAttribute("#base64 [name=useAsInput]", "aria-disabled"),
    "true",
    "the part is not the result",
  );
  await dropBytes(page, "base64", 0xff, 2 * size);
  await base64.expectMessage("of 16,777,216 characters");
  await base64.click(".bar [name=copy]");
  await page.locator("#base64 .copied", { hasText: "too many to be copied" })
    .waitFor();
});

test("Base64 above the limit of the service is decoded in the browser", async (open) => {
  const { page, service, base64 } = await open("#base64?decode");
  const image = Uint8Array.from({ length: 1_500_000 }, (_, i) => i);
  image.set(Uint8Array.fromHex("89504e470d0a1a0a"));
  await base64.ask(image.toBase64(), "Binary data, 1.5 MB (PNG)");
  assertEquals(
    (await base64.look()).badge,
    "Computed in this browser, not sent",
  );
  const started = page.waitForEvent("download");
  await base64.press("Download");
  const file = await started;
  assertEquals(file.suggestedFilename(), "decoded.png");
  assertEquals(await Deno.readFile(await file.path()), image);
  const text = "é\r\n".repeat(300_000);
  const encoded = new TextEncoder().encode(text).toBase64();
  await base64.drop(encoded);
  await base64.expect(text);
  assertEquals(service.calls, 0);
  await base64.fill(`${encoded}!`);
  await base64.expectMessage("The input is too large");
  await base64.ask("w6k=", "é");
  assertEquals((await base64.look()).badge, "");
});

test("a file above the limits of the page is refused with the limit", async (open) => {
  const { page, base64, hash } = await open();
  await dropBytes(page, "base64", 0, 101 * 1_048_576);
  await base64.expectMessage("“large.bin” has");
  await hash.show();
  await hash.expect(digest(""));
  await page.evaluate(() => {
    const size = { get: () => 600_000_000 };
    Object.defineProperty(File.prototype, "size", size);
  });
  await hash.drop(Uint8Array.of(0xff));
  await hash.expectMessage("this page takes at most");
});

test("a computation is cancelled by another file, a text and Escape", async (open) => {
  const { page, hash } = await open("#hash");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/digest_worker.js", async (route) => {
    await released;
    await route.continue();
  });
  await hash.drop(Uint8Array.of(0xff));
  await hash.until("badge", "Computing…");
  await page.keyboard.press("Escape");
  await hash.expectMessage("The computation was cancelled.");
  await hash.drop(Uint8Array.of(0xfe));
  await hash.until("badge", "Computing…");
  await hash.drop("abc");
  await hash.expect(digest("abc"));
  release();
  await hash.drop(Uint8Array.of(0xfd));
  await hash.expect(digest(Uint8Array.of(0xfd)));
  assertMatch((await hash.look()).badge, /not sent/);
});

test("without the service, digests of files fail until it is back", async (open) => {
  const { service, hash } = await open("#hash");
  await hash.expect(digest(""));
  await service.stop();
  await hash.drop(Uint8Array.of(0xff));
  await hash.expectMessage("The service cannot be reached");
  service.restart();
  await hash.press("Try again");
  await hash.expect(digest(Uint8Array.of(0xff)));
});
