/**
 * Measures the page with Lighthouse on a simulated slow phone and a desktop, and prints the
 * medians of scores, times, and bytes. CHROMIUM is the path of the browser.
 *
 * @module
 */

import { median, printRow } from "./_measure.ts";
import { startService } from "./_servers.ts";
import type { Options } from "./main.ts";

const SCORES = ["performance", "accessibility", "best-practices", "seo"];
const AUDITS = ["first-contentful-paint", "largest-contentful-paint"]
  .concat("total-blocking-time", "total-byte-weight");

export async function run({ rounds = "5" }: Options): Promise<void> {
  await using server = await startService();
  for (const flags of [[], ["--preset=desktop"]]) {
    const rows: number[][] = [];
    while (rows.length < Number(rounds)) {
      rows.push(await measure(server.origin, flags));
    }
    printRow(flags[0] ?? "phone", ["median"]);
    for (const [i, name] of [...SCORES, ...AUDITS].entries()) {
      printRow(`  ${name}`, [median(rows.map((row) => row[i]!))]);
    }
  }
}

async function measure(url: string, flags: readonly string[]) {
  // Lighthouse can lose the end of its output in a pipe.
  const path = await Deno.makeTempFile({ suffix: ".json" });
  const chrome = "--chrome-flags=--headless=new --no-sandbox --disable-gpu";
  await new Deno.Command("npx", {
    args: ["-y", "lighthouse@13.5.0", url, "--quiet", chrome, ...flags]
      .concat("--output=json", `--output-path=${path}`),
    env: { CHROME_PATH: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium" },
  }).spawn().status;
  const { categories, audits } = JSON.parse(await Deno.readTextFile(path));
  await Deno.remove(path);
  return [
    ...SCORES.map((name) => categories[name].score * 100),
    ...AUDITS.map((name) => audits[name].numericValue),
  ];
}
