/** @module */
export function drawChart(_r: unknown): string {
  return "";
}
