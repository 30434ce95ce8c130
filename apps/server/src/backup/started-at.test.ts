import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, test } from 'vitest';
import { newOperator } from '../../test-support/operator.ts';
import type { Manifest } from '../database/manifest.ts';

test('startedAt of a backup is not before deletions are held back', async () => {
  const operator = newOperator({ SECRET_KEYS: Buffer.alloc(32, 1).toString('base64url') });
  await operator.newClient();
  const folder = join(temporaryFolder(), 'backup');

  let isRunning = true;
  const running = operator.run(`backup ${folder}`).finally(() => {
    isRunning = false;
  });
  let heldSince = 0;
  while (isRunning && heldSince === 0) {
    await setImmediate();
    for (const hold of globSync(join(operator.dataDir, 'evidence/.holds/*'))) heldSince = statSync(hold).mtimeMs;
  }

  expect(await running).toMatchObject({ exitCode: 0 });
  expect(heldSince).toBeGreaterThan(0);
  const { startedAt } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(Math.floor(heldSince));
});
