import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNumberSet } from './verify-erasures.ts';

test('has the numbers that were added, and no others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000 })),
      fc.integer({ min: 1, max: 200_000 }),
      (added, other) => {
        const numbers = createNumberSet();
        for (const number of added) numbers.add(number);
        expect(added.every((number) => numbers.has(number))).toBe(true);
        expect(numbers.has(other)).toBe(added.includes(other));
      },
    ),
  );
});
