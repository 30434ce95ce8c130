import type { Child, FC } from 'hono/jsx';
import { sparklinePoints } from './sparkline-shape.ts';

/** A line over the last days: what it counts, and its values from left to right. */
export interface Trend {
  readonly title: string;
  /** Null: nothing on that day. The line passes it over. */
  readonly values: readonly (number | null)[];
}

interface StatProps {
  readonly title: Child;
  readonly figure: string;
  /** The number by day. A line of another number would mislead. */
  readonly trend: Trend;
  readonly note: Child;
}

/** One number of a row of numbers: what it is, a line of how it came about, and what to hold it against. */
export const Stat: FC<StatProps> = ({ title, figure, trend, note }) => (
  <li class="card stat">
    <p class="stat-title">{title}</p>
    <p class="figure">{figure}</p>
    <Sparkline {...trend} />
    <p class="quiet">{note}</p>
  </li>
);

/** The lines of `.sparkline` are drawn in units of their own, and stretched to the width of their card. */
const SIZE = { width: 120, height: 32 };
/** Keeps the stroke of the highest and the lowest point inside the drawing. */
const MARGIN = 2;

/** A line over an axis that begins at 0. Screen readers hear its title; the figure beside it says the value. */
const Sparkline: FC<Trend> = ({ title, values }) => {
  const points = sparklinePoints(values, { ...SIZE, height: SIZE.height - 2 * MARGIN });
  return (
    <svg
      class="sparkline"
      {...SIZE}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      fill="none"
      stroke="currentcolor"
      preserveAspectRatio="none"
      role="img"
    >
      <title>{title}</title>
      {/* A line that ends where it begins is a dot. */}
      <polyline points={[...points, ...points.slice(-1)].map(({ x, y }) => `${x},${y + MARGIN}`).join(' ')} />
    </svg>
  );
};
