import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type * as evidence from '@countersign/evidence';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newOperator } from '../../test-support/operator.ts';
import type { Manifest } from '../database/manifest.ts';

const held = vi.hoisted(() => ({ at: Number.POSITIVE_INFINITY }));

/** Notes when the hold began, in a later millisecond than everything before it. */
vi.mock('@countersign/evidence', async (importOriginal) => {
  const original = await importOriginal<typeof evidence>();
  const holdDeletions: typeof evidence.holdDeletions = async (directory) => {
    const asked = Date.now();
    while (Date.now() === asked) await setImmediate();
    held.at = Date.now();
    return original.holdDeletions(directory);
  };
  return { ...original, holdDeletions };
});

test('startedAt of a backup is not before deletions are held back', async () => {
  const operator = newOperator({ SECRET_KEYS: Buffer.alloc(32, 1).toString('base64url') });
  onTestFinished(operator.close);
  await operator.newClient();
  const folder = join(temporaryDirectory(onTestFinished), 'backup');

  expect(await operator.run('backup', folder)).toMatchObject({ exitCode: 0 });

  const { startedAt } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(held.at);
});
