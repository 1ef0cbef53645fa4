// deno-lint-ignore-file no-console -- the figures are the output

/** Summary and output of measured figures. */

/** Returns the median; of an even number of values the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]!
    : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Prints a line of a table: a label, a figure and its unit. */
export function printFigure(
  label: string,
  figure: number,
  { unit, digits = 0 }: { readonly unit: string; readonly digits?: number },
): void {
  console.log(
    `${label.padEnd(52)} ${figure.toFixed(digits).padStart(8)} ${unit}`,
  );
}
