/**
 * The page by Lighthouse in Chromium: medians of its four categories, its times
 * and the bytes transferred, on its slow phone and its desktop. Takes the number
 * of runs, 5 by default, and a part of the address such as `#json`. Needs Node
 * and npm; CHROME_PATH is the path of the browser.
 *
 * @module
 */

import { startServer } from "../tests/_server.ts";
import { median, printFigure } from "./_figures.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";

const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/** Audits with a number, and its unit. */
const AUDITS = {
  "first-contentful-paint": "ms",
  "largest-contentful-paint": "ms",
  "total-blocking-time": "ms",
  "total-byte-weight": "bytes",
};

/** The part of a report that is read. */
interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue: number }>>;
  readonly environment: { readonly benchmarkIndex: number };
}

const [runs = "5", hash = ""] = Deno.args;
await using server = await startServer();
for (const device of ["phone", "desktop"]) {
  const reports: Report[] = [];
  for (let run = 0; run < Number(runs); run += 1) {
    reports.push(await measure(`${server.origin}/${hash}`, device));
  }
  const print = (name: string, unit: string, read: (_: Report) => number) =>
    printFigure(`${device}: ${name}`, median(reports.map(read)), { unit });
  for (const name of CATEGORIES) {
    print(name, "of 100", ({ categories }) => categories[name]!.score * 100);
  }
  for (const [name, unit] of Object.entries(AUDITS)) {
    print(name, unit, ({ audits }) => audits[name]!.numericValue);
  }
  // Of the machine, which must be at rest: about 1,500 and more.
  print(
    "speed of the machine",
    "",
    (report) => report.environment.benchmarkIndex,
  );
}

/** Runs Lighthouse once. */
async function measure(url: string, device: string): Promise<Report> {
  // Of what Lighthouse writes to a pipe, its end may be missing.
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    const { success, stderr } = await new Deno.Command("npx", {
      args: [
        ...["-y", LIGHTHOUSE, url, "--quiet", "--output=json"],
        `--output-path=${path}`,
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
        ...device === "desktop" ? ["--preset=desktop"] : [],
      ],
      env: { CHROME_PATH: Deno.env.get("CHROME_PATH") ?? "/usr/bin/chromium" },
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return JSON.parse(await Deno.readTextFile(path));
  } finally {
    await Deno.remove(path);
  }
}
