import { expect, test } from 'vitest';
import { createProgressLine } from './terminal.ts';

const at = (done: number, kind = 'verifications') => ({ kind, done, total: 100 });

function createProgress(isTerminal: boolean) {
  const written: string[] = [];
  const clock = { ms: 0 };
  const progress = createProgressLine((text) => written.push(text), {
    textOf: ({ kind, done, total }: ReturnType<typeof at>) => `copying ${kind}: ${done} of ${total}`,
    isTerminal,
    now: () => clock.ms,
  });
  return { written, clock, progress };
}

test('progress without a terminal: prints a line every two seconds and one at the end', () => {
  const { written, clock, progress } = createProgress(false);
  for (let done = 1; done <= 100; done += 1) {
    clock.ms += 100;
    progress.show(at(done));
  }
  progress.end();
  expect(written).toEqual([1, 21, 41, 61, 81, 100].map((done) => `copying verifications: ${done} of 100\n`));
});

test('progress on a terminal: overwrites one line, also with a longer text', () => {
  const { written, progress } = createProgress(true);
  progress.show(at(100));
  progress.show(at(100, 'usage'));
  progress.end();
  expect(written).toEqual(['\rcopying verifications: 100 of 100', '\rcopying usage: 100 of 100        ', '\n']);
});

test('progress that was never shown: writes nothing', () => {
  const { written, progress } = createProgress(true);
  progress.end();
  expect(written).toEqual([]);
});
