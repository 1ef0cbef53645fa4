/** Draws measurements as a bar chart in SVG. */

const COLOURS = "#0b57d0 #9aa0a6 #e37400 #188038 #a142f4 #444746".split(" ");
const WIDTH = 760;
const LABEL_WIDTH = 190;
const BAR_WIDTH = 420;
const BAR_HEIGHT = 9;
const HEAD_HEIGHT = 70;

/** Draws groups of bars, whose values are from 0 to 1, with a note to their right. */
export function drawChart(
  title: string,
  series: readonly string[],
  groups: readonly [label: string, values: readonly number[], note: string][],
): string {
  const groupHeight = series.length * BAR_HEIGHT + 10;
  const height = HEAD_HEIGHT + groups.length * groupHeight;
  const rows = groups.flatMap(([label, values, note], i) => {
    const top = HEAD_HEIGHT + i * groupHeight;
    const middle = top + groupHeight / 2;
    return [
      drawText(LABEL_WIDTH - 10, middle, label, 'text-anchor="end"'),
      ...values.map((value, j) =>
        drawBar(j, LABEL_WIDTH, top + j * BAR_HEIGHT, value * BAR_WIDTH)
      ),
      drawText(WIDTH - 10, middle, note, 'text-anchor="end"'),
    ];
  });
  const legend = series.flatMap((name, i) => [
    drawBar(i, LABEL_WIDTH + i * 95, 40, 10),
    drawText(LABEL_WIDTH + i * 95 + 15, 49, name),
  ]);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${drawText(10, 24, title, 'font-size="15" font-weight="bold"')}
${[...legend, ...rows].join("\n")}
</svg>
`;
}

function drawText(x: number, y: number, text: string, style = ""): string {
  return `<text x="${x}" y="${y}" ${style}>${text}</text>`;
}

function drawBar(series: number, x: number, y: number, width: number): string {
  const size = `width="${width.toFixed(1)}" height="${BAR_HEIGHT - 1}"`;
  return `<rect x="${x}" y="${y}" ${size} fill="${COLOURS[series]}"/>`;
}
