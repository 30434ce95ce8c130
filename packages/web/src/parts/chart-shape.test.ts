import { expect, it } from 'vitest';
import { chartShape, pathOf } from './chart-shape.ts';

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
  expect([width, height]).toEqual([60, 1_000]);
  expect(stacks.map((bars) => bars.map((bar) => bar.height))).toEqual([[], [200, 300], [1_000, 0]]);
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

it('draws bars as one path, without those of no height', () => {
  expect(
    pathOf([
      { x: 3, y: 200, width: 14, height: 300 },
      { x: 23, y: 1_000, width: 14, height: 0 },
      { x: 43, y: 0, width: 14, height: 1_000 },
    ]),
  ).toBe('M3 200h14v300h-14zM43 0h14v1000h-14z');
});
