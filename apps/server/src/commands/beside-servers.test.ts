import { getPriority } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { besideServers, pauseMs, progressText, shareOption } from './beside-servers.ts';

test.each([
  [0.5, 1_990],
  [25, 30],
  [100, 0],
])('pauseMs: after 10 ms of work with %d %% of a processor, the pause takes %i ms', (share, pause) => {
  expect(pauseMs(10, share)).toBe(pause);
});

test.each([
  [{ done: 0, total: 3, workedMs: 0, share: 25 }, '0 of 3'],
  [{ done: 300, total: 1_200, workedMs: 10_000, share: 25 }, '300 of 1200, about 2 min left'],
  [{ done: 3, total: 3, workedMs: 10, share: 25 }, '3 of 3'],
])('progressText: %o is shown as %s', (at, text) => {
  expect(progressText(at)).toBe(text);
});

test.each(['0', '0.09', '100.1', '1e1', '-1', '', 'all'])('--share: %j is refused', (text) => {
  expect(() => shareOption().parseArg?.(text, undefined)).toThrow(InvalidArgumentError);
});

test('--share: is a number of percent', () => {
  expect(['0.1', '2.5', '100'].map((text) => shareOption().parseArg?.(text, undefined))).toEqual([0.1, 2.5, 100]);
});

test('besideServers: the process gets its low priority before the work, where it does no other work', async () => {
  const steps: unknown[] = [];
  const setPriority = (niceness: number): void => void steps.push(niceness);
  const work = async (): Promise<void> => void steps.push('work');
  const before = getPriority();
  await besideServers({ err: () => undefined, setPriority }, { doing: 'working', share: 100 }, work);
  await besideServers({ err: () => undefined }, { doing: 'working', share: 100 }, work);
  expect(steps).toEqual([10, 'work', 'work']);
  expect(getPriority()).toBe(before);
});
