import { describe, expect, test } from 'vitest';
import { planes } from '../network/convolution.ts';
import type { Networks } from '../network/networks.ts';
import { findLines } from './find-lines.ts';

const [CELL, SIDE] = [4, 384];
const picture = { width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE) };

/** A finder that marks lines across the picture in these rows of its map. */
function marking(rows: readonly number[]): Networks {
  const find: Networks['find'] = ({ width, height }) => {
    const map = planes(height / CELL, width / CELL, 1);
    map.data.fill(-5);
    for (const row of rows) {
      for (let x = 8; x < map.width - 8; x += 1) {
        map.data[row * map.width + x] = 3;
        for (const beside of [-1, 1]) map.data[(row + beside) * map.width + x] = 1;
      }
    }
    return map;
  };
  return { find, recognise: () => planes(1, 1, 38), multiplications: () => 0 };
}

describe('findLines', () => {
  test.each([
    ['a passport', [60, 64]],
    ['a card far away', [60, 64, 68]],
    ['a card close by', [60, 67, 74]],
  ])('bundles the lines of %s', (_, rows) => {
    const [bundle, ...others] = findLines(picture, marking(rows), SIDE);
    expect(others).toEqual([]);
    expect(bundle).toHaveLength(rows.length);
  });

  test.each([
    ['one line', [60]],
    ['lines that are too far apart', [30, 60]],
  ])('finds no bundle in %s', (_, rows) => {
    expect(findLines(picture, marking(rows), SIDE)).toEqual([]);
  });
});
