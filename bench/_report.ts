/** Writes the figures and the chart of `docs/speed.md`. */

import config from "../deno.json" with { type: "json" };

export interface Row {
  readonly name: string;
  /** Responses per second of the service. */
  readonly perSecond: number;
  /** The service's throughput divided by the other server's, by server name. */
  readonly ratios: Readonly<Record<string, number>>;
}

const PAGE = "docs/speed.md";
const CHART = "docs/speed.svg";

const START = "<!-- figures: deno task bench speed --write -->";
const END = "<!-- end of figures -->";

/**
 * Replaces the figures and the chart. Sorts the operations by their worst ratio.
 *
 * @param packages The other servers' npm packages, with their versions.
 */
export async function writeReport(
  rows: readonly Row[],
  packages: readonly string[],
): Promise<void> {
  const page = await Deno.readTextFile(PAGE);
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start === -1 || end === -1) throw new Error(`${PAGE} has no figures`);
  const sorted = rows.toSorted((a, b) => findWorst(a)[1] - findWorst(b)[1]);
  const figures = [
    START,
    await describeRun(packages),
    summarize(sorted),
    "![The ratios in the table below](speed.svg)",
    formatTable(sorted),
    "",
  ].join("\n\n");
  await Deno.writeTextFile(
    PAGE,
    page.slice(0, start) + figures + page.slice(end),
  );
  await Deno.writeTextFile(CHART, drawChart(sorted));
  await runProgram(Deno.execPath(), "fmt", "--quiet", PAGE, CHART);
}

/** Returns the lowest ratio and the other server's name. */
function findWorst({ ratios }: Row): [server: string, ratio: number] {
  return Object.entries(ratios).toSorted(([, a], [, b]) => a - b)[0]!;
}

async function describeRun(packages: readonly string[]): Promise<string> {
  const [, cpu = "an unknown CPU"] = /^model name\s*: (.+)$/m
    .exec(await Deno.readTextFile("/proc/cpuinfo")) ?? [];
  const commit = await runProgram("git", "rev-parse", "--short", "HEAD");
  const node = await runProgram("node", "--version");
  const hono = config.scopes["./"].hono.replace("npm:", "");
  const day = new Date().toISOString().slice(0, 10);
  const cores = navigator.hardwareConcurrency;
  const versions = [`Deno ${Deno.version.deno}`, `Node ${node.slice(1)}`, hono];
  return `Measured on ${day} at commit ${commit}, with ${cores} cores of ${cpu}, ${
    [...versions, ...packages].join(", ")
  }.`;
}

async function runProgram(program: string, ...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(program, { args })
    .output();
  if (!success) throw new Error(`${program} ${args.join(" ")} failed`);
  return new TextDecoder().decode(stdout).trim();
}

/** Describes the worst case and how often the service is slower. */
function summarize(sorted: readonly Row[]): string {
  const [server, ratio] = findWorst(sorted[0]!);
  const counts = Object.keys(sorted[0]!.ratios).map((name) => {
    const slower = sorted.filter(({ ratios }) => ratios[name]! < 1);
    return `${name} in ${slower.length}`;
  });
  return `The worst case is ${sorted[0]!.name}: the service has ${
    ratio.toFixed(2)
  } times the throughput of ${server}. Of ${sorted.length} operations, it is slower than ${
    counts.join(", ")
  }.`;
}

function formatTable(sorted: readonly Row[]): string {
  const names = Object.keys(sorted[0]!.ratios);
  const lines = sorted.map(({ name, perSecond, ratios }) => [
    name,
    Number(perSecond.toPrecision(3)).toLocaleString("en"),
    ...names.map((server) => ratios[server]!.toFixed(2)),
  ]);
  return [
    ["Operation", "Responses/s", ...names],
    ["---", ...Array(names.length + 1).fill("--:")],
    ...lines,
  ].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const COLORS = ["#444746", "#e37400", "#188038", "#a142f4"];
const WIDTH = 760;
const LEFT = 130;
const PLOT_WIDTH = 600;
const HEAD_HEIGHT = 90;
const ROW_HEIGHT = 20;

/** Ratios at the ticks of the logarithmic axis, including both ends. */
const TICKS = [0.25, 0.5, 1, 2, 4, 8, 16];

/** Draws a dot for each ratio, on a logarithmic axis. */
function drawChart(sorted: readonly Row[]): string {
  const names = Object.keys(sorted[0]!.ratios);
  const height = HEAD_HEIGHT + sorted.length * ROW_HEIGHT + 10;
  const title = "Throughput of the service relative to other servers";
  const ticks = TICKS.flatMap((tick) => [
    `<line x1="${locate(tick)}" x2="${locate(tick)}" y1="${
      HEAD_HEIGHT - 12
    }" y2="${height - 10}" stroke="${tick === 1 ? "#202124" : "#dadce0"}"/>`,
    drawText(locate(tick), HEAD_HEIGHT - 18, `${tick}×`, "middle"),
  ]);
  const legend = names.flatMap((name, i) => [
    drawDot(LEFT + i * 100, 46, i),
    drawText(LEFT + i * 100 + 10, 50, name, "start"),
  ]);
  const rows = sorted.flatMap(({ name, ratios }, row) => {
    const y = HEAD_HEIGHT + row * ROW_HEIGHT + 6;
    return [
      drawText(LEFT - 15, y + 4, name, "end"),
      ...names.map((server, i) => drawDot(locate(ratios[server]!), y, i)),
    ];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="10" y="24" font-size="15" font-weight="bold">${title}</text>
${[...legend, ...ticks, ...rows].join("\n")}
</svg>
`;
}

/** Returns the horizontal position of a ratio, limited to the ends of the axis. */
function locate(ratio: number): number {
  const [first, last] = [TICKS[0]!, TICKS.at(-1)!];
  const bounded = Math.min(Math.max(ratio, first), last);
  const share = Math.log(bounded / first) / Math.log(last / first);
  return Math.round(LEFT + share * PLOT_WIDTH);
}

function drawDot(x: number, y: number, series: number): string {
  return `<circle cx="${x}" cy="${y}" r="5" fill="${COLORS[series]}"/>`;
}

function drawText(x: number, y: number, text: string, anchor: string): string {
  return `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}
