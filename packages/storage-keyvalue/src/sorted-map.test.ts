import { expect, it } from 'vitest';
import { createSortedMap } from './sorted-map.ts';

const ALL = { from: '', until: '\uffff', backwards: false, limit: Infinity };

/** Texts in an order of their own, the same in every run. */
const mixed = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String((index * 7_919) % 10_007).padStart(5, '0'));

it.each([true, false])('range: returns what was set and not deleted, in order; backwards: %s', (backwards) => {
  const map = createSortedMap<number>();
  const model = new Map<string, number>();
  for (const [index, key] of mixed(600).entries()) {
    map.set(key, index);
    model.set(key, index);
    if (index % 3 === 0) {
      const gone = mixed(600)[index / 3] ?? '';
      map.delete(gone);
      model.delete(gone);
    }
    if (index % 5 === 0) {
      map.set(key, -index);
      model.set(key, -index);
    }
  }
  const sorted = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
  const expected = (from: string, until: string, limit: number) => {
    const within = sorted.filter(([key]) => key >= from && key < until);
    return (backwards ? within.reverse() : within).slice(0, limit);
  };

  expect(map.range({ ...ALL, backwards })).toEqual(expected('', '\uffff', Infinity));
  for (const [from, until] of [
    ['01000', '02000'],
    ['', '00500'],
    ['05000', '99999'],
    ['03', '03'],
    ['9', '1'],
  ] as const)
    for (const limit of [1, 7, 1_000])
      expect(map.range({ from, until, backwards, limit })).toEqual(expected(from, until, limit));
  for (const key of mixed(600)) expect(map.get(key)).toBe(model.get(key));
});

it('range: includes its start and leaves out its end', () => {
  const map = createSortedMap<number>();
  for (const key of ['a', 'b', 'c']) map.set(key, 0);

  expect(map.range({ ...ALL, from: 'a', until: 'c' }).map(([key]) => key)).toEqual(['a', 'b']);
});

it('set and delete: 10,000 keys in order do not overflow the stack', () => {
  const map = createSortedMap<number>();
  for (let index = 0; index < 10_000; index += 1) map.set(String(index).padStart(5, '0'), index);
  for (let index = 0; index < 10_000; index += 2) map.delete(String(index).padStart(5, '0'));
  map.delete('absent');

  expect(map.range({ ...ALL, limit: 2 })).toEqual([
    ['00001', 1],
    ['00003', 3],
  ]);
  expect(map.range(ALL)).toHaveLength(5_000);
});
