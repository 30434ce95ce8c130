import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, test, vi } from 'vitest';
import { restoredMarkOf } from '../database/restored-mark.ts';
import type { Log } from '../logging/log.ts';
import { endReleasesAfterRestore } from './end-releases.ts';

function given() {
  const markFile = join(temporaryFolder(), 'countersign.db-restore');
  const log = { event: vi.fn<Log['event']>() };
  return { mark: restoredMarkOf(markFile), log, after: { replacement: { markFile }, log } };
}

test('endReleasesAfterRestore: ends all releases and hand-over codes at the first start after a restore, and at no other', async () => {
  const { mark, log, after } = given();
  const endAll = vi.fn<() => Promise<number>>(async () => 2);
  const endHandOvers = vi.fn<() => Promise<number>>(async () => 1);
  await endReleasesAfterRestore({ exports: { endAll }, endHandOvers }, after);
  expect(endAll).not.toHaveBeenCalled();

  writeFileSync(mark, 'one');
  await endReleasesAfterRestore({ exports: { endAll }, endHandOvers }, after);
  await endReleasesAfterRestore({ exports: { endAll }, endHandOvers }, after);

  expect(endAll).toHaveBeenCalledOnce();
  expect(endHandOvers).toHaveBeenCalledOnce();
  expect(log.event).toHaveBeenCalledExactlyOnceWith('ended releases of copies after a restore', { count: 2 });
});

test('endReleasesAfterRestore: a start that fails leaves them to the next one', async () => {
  const { mark, after } = given();
  writeFileSync(mark, 'one');
  const endAll = () => Promise.reject(new Error('disk full'));
  await expect(
    endReleasesAfterRestore({ exports: { endAll }, endHandOvers: async () => 0 }, after),
  ).rejects.toThrow('disk full');
  expect(existsSync(mark)).toBe(true);
});
