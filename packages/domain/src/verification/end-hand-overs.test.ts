import { expect, test } from 'vitest';
import { NOW } from '../../test-support/verifications.ts';
import { createEndHandOvers } from './end-hand-overs.ts';

test('codes that end within a day, by the clocks of all servers, are deleted in rounds of 500 and counted', async () => {
  const rounds = [500, 500, 3];
  const asked: unknown[] = [];
  const end = createEndHandOvers({
    handOvers: {
      forget: async (which) => {
        asked.push(which);
        return rounds.shift() ?? 0;
      },
    },
    clock: { now: () => NOW },
  });
  expect(await end()).toBe(1003);
  expect(asked).toEqual(
    Array.from({ length: 3 }, () => ({ before: new Date('2026-03-02T10:00:00.000Z'), limit: 500 })),
  );
});
