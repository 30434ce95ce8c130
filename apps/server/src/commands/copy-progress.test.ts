import type { CopyProgress } from '@countersign/domain';
import { expect, test } from 'vitest';
import { createCopyProgress } from './copy-progress.ts';

const at = (done: number, kind: CopyProgress['kind'] = 'verifications'): CopyProgress => ({
  phase: 'copy',
  kind,
  done,
  total: 100,
});

function given(isTerminal: boolean) {
  const said: string[] = [];
  const clock = { ms: 0 };
  const progress = createCopyProgress((text) => said.push(text), { isTerminal, now: () => clock.ms });
  return { said, clock, progress };
}

test('without a terminal there is a line now and then, and one at the end of each kind', () => {
  const { said, clock, progress } = given(false);
  for (let done = 1; done <= 100; done += 1) {
    clock.ms += 100;
    progress.tell(at(done));
  }
  progress.end();
  expect(said).toEqual([1, 21, 41, 61, 81, 100].map((done) => `copying verifications: ${done} of 100\n`));
});

test('on a terminal one line is written over, whatever stood there before', () => {
  const { said, progress } = given(true);
  progress.tell(at(100));
  progress.tell(at(100, 'usage'));
  progress.end();
  expect(said).toEqual(['\rcopying verifications: 100 of 100', '\rcopying usage: 100 of 100        ', '\n']);
});

test('where nothing was told, nothing is written', () => {
  const { said, progress } = given(true);
  progress.end();
  expect(said).toEqual([]);
});
