/** A bar chart in units of its own: the drawing stretches to the room there is. */
export interface ChartShape {
  /** The top of the scale: even, so that its half is a whole number too. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly bars: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
}

const STRIDE = 10;
const GAP = 3;
const HEIGHT = 100;

/** @param counts whole numbers, 0 or more, from left to right */
export function chartShape(counts: readonly number[]): ChartShape {
  const top = topOf(Math.max(0, ...counts));
  const bars = counts.map((count, index) => {
    const height = rounded((count / top) * HEIGHT);
    return { x: index * STRIDE + GAP / 2, y: rounded(HEIGHT - height), width: STRIDE - GAP, height };
  });
  return { top, width: counts.length * STRIDE, height: HEIGHT, bars };
}

const STEPS = [2, 4, 6, 8, 10];

/** The least of 2, 4, 6, 8, 10, 20, 40 … that is not below the greatest count. */
function topOf(greatest: number): number {
  for (let unit = 1; ; unit *= 10) {
    const top = STEPS.find((step) => step * unit >= greatest);
    if (top !== undefined) return top * unit;
  }
}

/** Rounds a length to hundredths, so that a page stays small. */
export function rounded(length: number): number {
  return Math.round(length * 100) / 100;
}
