/** A point of a line, from the top left corner. */
export interface SparklinePoint {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the points of a line over values at equal distances, above an axis that begins at 0 at the bottom.
 * @param values null: nothing on that day, such as the share of approvals on a day without decisions. The line passes it over
 */
export function sparklinePoints(
  values: readonly (number | null)[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly SparklinePoint[] {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  const distance = width / Math.max(1, values.length - 1);
  return values.flatMap((value, index) => {
    if (value === null) return [];
    return [{ x: rounded(index * distance), y: rounded(most === 0 ? height : height * (1 - value / most)) }];
  });
}

/** Rounds a length to hundredths, so that a page stays small. */
function rounded(length: number): number {
  return Math.round(length * 100) / 100;
}
