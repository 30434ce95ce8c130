import { expect, it } from 'vitest';
import { chartShape } from './chart-shape.ts';

it.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 4],
  [9, 10],
  [10, 10],
  [11, 20],
  [41, 60],
  [99, 100],
  [101, 200],
  [12_345, 20_000],
])('the scale for %i ends at %i', (greatest, top) => {
  expect(chartShape([0, greatest]).top).toBe(top);
});

it('draws a bar for each, from the ground up, side by side', () => {
  const { width, height, bars } = chartShape([0, 5, 10]);
  expect([width, height]).toEqual([30, 100]);
  expect(bars.map((bar) => bar.height)).toEqual([0, 50, 100]);
  for (const { x, y, width: barWidth, height: barHeight } of bars) {
    expect(y + barHeight).toBe(height);
    expect(x + barWidth).toBeLessThanOrEqual(width);
  }
  expect(new Set(bars.map(({ x }) => x)).size).toBe(3);
});
