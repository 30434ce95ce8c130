/** A bar chart in units of its own: the drawing stretches to the room there is. */
export interface ChartShape {
  /** The top of the scale: even, so that its half is a whole number too. */
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** For each stack its parts, from the bottom up. */
  readonly stacks: readonly (readonly Bar[])[];
}

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

// Whole units: they are written faster than fractions, and keep a page small.
const STRIDE = 20;
const GAP = 6;
const HEIGHT = 1_000;

/** @param counts from left to right the parts of each stack from the bottom up: whole numbers, 0 or more */
export function chartShape(counts: readonly (readonly number[])[]): ChartShape {
  const top = topOf(Math.max(0, ...counts.map((parts) => sumOf(parts))));
  const levelOf = (count: number): number => Math.round(HEIGHT * (1 - count / top));
  const stacks = counts.map((parts, index) =>
    parts.map((count, part) => {
      const below = sumOf(parts.slice(0, part));
      const y = levelOf(below + count);
      return { x: index * STRIDE + GAP / 2, y, width: STRIDE - GAP, height: levelOf(below) - y };
    }),
  );
  return { top, width: counts.length * STRIDE, height: HEIGHT, stacks };
}

/** Returns the path of bars, as one drawing: a page is written faster with a path than with an element for each. */
export function pathOf(bars: readonly Bar[]): string {
  return bars
    .filter(({ height }) => height > 0)
    .map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`)
    .join('');
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

const STEPS = [2, 4, 6, 8, 10];

/** The least of 2, 4, 6, 8, 10, 20, 40 … that is not below the greatest count. */
function topOf(greatest: number): number {
  for (let unit = 1; ; unit *= 10) {
    const top = STEPS.find((step) => step * unit >= greatest);
    if (top !== undefined) return top * unit;
  }
}
