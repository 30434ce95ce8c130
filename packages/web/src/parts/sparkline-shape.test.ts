import { expect, test } from 'vitest';
import { sparklinePoints } from './sparkline-shape.ts';

const SIZE = { width: 100, height: 20 };

test('a line goes from the first value at the left to the last at the right, from 0 at the bottom', () => {
  expect(sparklinePoints([0, 5, 10], SIZE)).toEqual([
    { x: 0, y: 20 },
    { x: 50, y: 10 },
    { x: 100, y: 0 },
  ]);
});

test('values that are all alike make a level line: at the bottom if they are 0', () => {
  expect(sparklinePoints([0, 0], SIZE).map(({ y }) => y)).toEqual([20, 20]);
  expect(sparklinePoints([3, 3], SIZE).map(({ y }) => y)).toEqual([0, 0]);
});

test('days without a value are passed over, and one value is a point at its day', () => {
  expect(sparklinePoints([null, 4, null, 2, null], SIZE)).toEqual([
    { x: 25, y: 0 },
    { x: 75, y: 10 },
  ]);
  expect(sparklinePoints([null, null, 1], SIZE)).toEqual([{ x: 100, y: 0 }]);
  expect(sparklinePoints([null], SIZE)).toEqual([]);
  expect(sparklinePoints([], SIZE)).toEqual([]);
});

test('points are rounded to hundredths, so that a page stays small', () => {
  expect(sparklinePoints([1, 3, 3, 3], SIZE)).toMatchObject([
    { y: 13.33 },
    { x: 33.33 },
    { x: 66.67 },
    { x: 100 },
  ]);
});
