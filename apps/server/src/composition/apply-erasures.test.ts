import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { ErasureLogMismatch } from '@countersign/domain/retention';
import { createFileErasureLog } from '@countersign/evidence';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { expect, test, vi } from 'vitest';
import type { Log } from '../logging/log.ts';
import { applyErasures } from './apply-erasures.ts';

function newLog() {
  return { event: vi.fn<Log['event']>() };
}

test('applyErasures: logs how many erasures were applied, if any', async () => {
  const log = newLog();
  await applyErasures(async () => ({ applied: 0, failed: 0, missingInLog: 3, unexpected: [] }), {
    log,
    directory: '/log',
  });
  expect(log.event).not.toHaveBeenCalled();
  await applyErasures(async () => ({ applied: 2, failed: 0, missingInLog: 0, unexpected: [] }), {
    log,
    directory: '/log',
  });
  expect(log.event).toHaveBeenCalledExactlyOnceWith('applied erasures of the erasure log', { count: 2 });
});

test('applyErasures: refuses to serve while the database has data that the log names', async () => {
  const log = newLog();
  await expect(
    applyErasures(async () => ({ applied: 1, failed: 2, missingInLog: 0, unexpected: [] }), {
      log,
      directory: '/log',
    }),
  ).rejects.toThrow('2 verifications that the erasure log names could not be erased, so nothing is served');
  expect(log.event).toHaveBeenCalledExactlyOnceWith(expect.any(String), { count: 1 });
});

test('applyErasures: refuses to serve if an entry of the log is missing, and names its file', async () => {
  const directory = temporaryFolder();
  const erasureLog = createFileErasureLog({ directory });
  const read = async () => {
    await erasureLog.append({ clientId: 'c', verificationId: 'a', at: new Date(0) });
    renameSync(join(directory, '000000', '000000001.json'), join(directory, '000000', '000000002.json'));
    await erasureLog.read(0, 10);
    return { applied: 0, failed: 0, missingInLog: 0, unexpected: [] };
  };
  await expect(applyErasures(read, { log: newLog(), directory })).rejects.toMatchObject({
    name: 'ErasureError',
    message:
      'The erasure log was not applied, so nothing is served. Entry 000000/000000001.json of the erasure log is missing: restore it from a copy of the log',
  });
});

test('applyErasures: refuses to serve without the log of the database, and says what to do', async () => {
  const refused = (problem: ErasureLogMismatch['problem']) =>
    applyErasures(() => Promise.reject(new ErasureLogMismatch(problem)), { log: newLog(), directory: '/log' });
  await expect(refused('missing')).rejects.toThrow(
    'The erasure log was not applied, so nothing is served. The erasure log of the database is missing: its folder is empty or new, or its storage is not mounted. Put its newest copy in its place. ERASURE_LOG_URL is /log. If it is lost, run countersign doctor --complete-erasure-log',
  );
  await expect(refused('other_log')).rejects.toThrow(/Use the log of this database\. ERASURE_LOG_URL is \/log$/);
});
