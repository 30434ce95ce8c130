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
  expect(chartShape([[0], [greatest]]).top).toBe(top);
});

it('draws a stack for each, from the ground up, side by side', () => {
  const { width, height, stacks } = chartShape([[], [2, 3], [10, 0]]);
  expect([width, height]).toEqual([30, 100]);
  expect(stacks.map((bars) => bars.map((bar) => bar.height))).toEqual([[], [20, 30], [100, 0]]);
  for (const bars of stacks) {
    let ground = height;
    for (const bar of bars) {
      expect(bar.y + bar.height).toBe(ground);
      expect(bar.x + bar.width).toBeLessThanOrEqual(width);
      ground = bar.y;
    }
  }
  expect(new Set(stacks.flat().map(({ x }) => x)).size).toBe(2);
});
