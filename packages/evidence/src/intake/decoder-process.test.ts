import { expect, it } from 'vitest';
import { isPastDeadline, type ProcessUse } from '../apart/deadline.ts';
import { DECODE_DEADLINE_MS, decoderDeadline } from './decoder-process.ts';

const uses: readonly [title: string, use: ProcessUse, isPast: boolean][] = [
  ['works for less than 10 s goes on', { processorMs: 9_990, clockMs: 10_000, waitedMs: 0 }, false],
  ['has worked for 10 s is ended', { processorMs: 10_000, clockMs: 10_000, waitedMs: 0 }, true],
  ['has hung for a minute is ended', { processorMs: 1_500, clockMs: 60_000, waitedMs: 0 }, true],
  // Measured on two processors beside ten busy processes.
  ['waits for a processor goes on', { processorMs: 1_500, clockMs: 61_300, waitedMs: 57_400 }, false],
  [
    'has waited for as long as the samples of proxies do is ended',
    { processorMs: 3_000, clockMs: 300_000, waitedMs: 297_000 },
    true,
  ],
];

it.each(uses)('a decoder that %s', (_title, use, isPast) => {
  expect(isPastDeadline(decoderDeadline(DECODE_DEADLINE_MS), use)).toBe(isPast);
});
