/** The links between the documents. */

import { assert, assertEquals } from "@std/assert";

const PAGES = new Map<string, string>();
for (const folder of ["", "docs/"]) {
  for (const { name } of Deno.readDirSync(folder || ".")) {
    if (!name.endsWith(".md")) continue;
    PAGES.set(folder + name, await Deno.readTextFile(folder + name));
  }
}

/** Returns the paths and anchors of a page's links to other files and headings. */
function listLinks(page: string): { path: string; anchor: string }[] {
  return [...PAGES.get(page)!.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
    .map(([, link]) => {
      const { pathname, hash } = new URL(link!, `file:///${page}`);
      return { path: pathname.slice(1), anchor: hash.slice(1) };
    });
}

/** Returns the anchors that GitHub generates for the headings of a page. */
function listAnchors(page: string): string[] {
  return [...PAGES.get(page)!.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!.toLowerCase().replaceAll(/[^\w\- ]/g, "").replaceAll(" ", "-")
  );
}

Deno.test("each link of a document leads to an existing file and heading", async (t) => {
  for (const page of PAGES.keys()) {
    await t.step(page, async () => {
      for (const { path, anchor } of listLinks(page)) {
        await Deno.stat(path);
        if (anchor === "") continue;
        assert(listAnchors(path).includes(anchor), `${path}#${anchor}`);
      }
    });
  }
});

Deno.test("the README links to every document", () => {
  const linked = new Set(listLinks("README.md").map(({ path }) => path));
  const missing = [...PAGES.keys()].filter((page) => !linked.has(page));
  assertEquals(missing, ["README.md"]);
});
