/** Draws measurements as a bar chart in SVG. */

/** A group of bars, one for each series. */
interface Group {
  readonly label: string;
  /** Lengths of the bars, in the order of the series: from 0 to 1, the full width. */
  readonly values: readonly number[];
  /** Text to the right of the bars. */
  readonly note: string;
}

const COLOURS = ["#0b57d0", "#9aa0a6", "#e37400", "#188038", "#a142f4"];
const LABEL_WIDTH = 190;
const BAR_WIDTH = 420;
const NOTE_WIDTH = 150;
const BAR_HEIGHT = 9;
const GROUP_GAP = 10;
const HEAD_HEIGHT = 70;

/** Draws a title, a legend, and groups of horizontal bars. */
export function drawChart(
  title: string,
  series: readonly string[],
  groups: readonly Group[],
): string {
  const width = LABEL_WIDTH + BAR_WIDTH + NOTE_WIDTH;
  const groupHeight = series.length * BAR_HEIGHT + GROUP_GAP;
  const height = HEAD_HEIGHT + groups.length * groupHeight;
  const legend = series.map((name, i) => {
    const x = LABEL_WIDTH + i * 100;
    return `<rect x="${x}" y="40" width="10" height="10" fill="${
      COLOURS[i]
    }"/><text x="${x + 15}" y="49">${name}</text>`;
  });
  const bars = groups.map(({ label, values, note }, i) => {
    const top = HEAD_HEIGHT + i * groupHeight;
    const middle = top + series.length * BAR_HEIGHT / 2 + 4;
    const rects = values.map((value, j) =>
      `<rect x="${LABEL_WIDTH}" y="${top + j * BAR_HEIGHT}" width="${
        (value * BAR_WIDTH).toFixed(1)
      }" height="${BAR_HEIGHT - 1}" fill="${COLOURS[j]}"/>`
    );
    return [
      `<text x="${
        LABEL_WIDTH - 10
      }" y="${middle}" text-anchor="end">${label}</text>`,
      ...rects,
      `<text x="${width - 10}" y="${middle}" text-anchor="end">${note}</text>`,
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="10" y="24" font-size="15" font-weight="bold">${title}</text>
${legend.join("\n")}
${bars.join("\n")}
</svg>
`;
}
