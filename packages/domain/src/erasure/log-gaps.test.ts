import { expect, it } from 'vitest';
import { ErasureLogMismatch, type ErasureLogProblem } from './identify-log.ts';
import { countMissingInLog } from './log-gaps.ts';

const retention = { lastErasure: async () => 5 };
const refusing = (problem: ErasureLogProblem) => ({ head: () => Promise.reject(new ErasureLogMismatch(problem)) });

it.each([
  ['has all', 5, 0],
  ['has the entry of an erasure under way', 6, 0],
  ['lacks the newest two', 3, 2],
])('a log that %s', async (_, head, missing) => {
  expect(await countMissingInLog(retention, { head: async () => head })).toBe(missing);
});

it('a lost log lacks all erasures; a log of another database cannot be compared', async () => {
  expect(await countMissingInLog(retention, refusing('missing'))).toBe(5);
  await expect(countMissingInLog(retention, refusing('other_log'))).rejects.toMatchObject({
    problem: 'other_log',
  });
});
