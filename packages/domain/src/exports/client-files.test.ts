import { beforeEach, expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { aPrincipal } from '../../test-support/principal.ts';
import { file } from '../../test-support/verifications.ts';
import type { Permission } from '../access/api-key.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import { unknownFile } from '../evidence/evidence-keeper.ts';
import type { FilesOfClient } from '../verification/files-of-client.ts';
import { unknownVerification } from '../verification/read-verifications.ts';
import type { ClientExports } from './client-exports.ts';
import { createClientFiles } from './client-files.ts';

const SELFIE = file('selfie', 'selfie');
const PART = { file: SELFIE, content: new Uint8Array([1]), contentType: 'image/jpeg' } as const;

let recorded: [what: 'allowed' | 'refused', attempt: Attempt][];
beforeEach(() => {
  recorded = [];
});

const recorder = portWith<AuditRecorder>({
  async act({ attempt, run }) {
    recorded.push(['allowed', attempt]);
    return run();
  },
  notDone: async (attempt) => void recorded.push(['refused', attempt]),
});

/** Reads with a key that has these permissions. */
function reading(files: Partial<FilesOfClient>, permissions: readonly Permission[] = ['*']) {
  const exports = portWith<ClientExports>({});
  const { readFile, exportData } = createClientFiles({ recorder, files: portWith<FilesOfClient>(files), exports });
  const principal = aPrincipal({ permissions });
  return {
    read: () => readFile(principal, 'verification-1', 'selfie', { from: '192.0.2.1' }),
    exportIt: () => exportData(principal, 'verification-1'),
  };
}

const ATTEMPT = {
  actor: { kind: 'api_key', id: 'key-1' },
  clientId: 'client-1',
  targetId: 'verification-1',
  detail: { fileId: 'selfie' },
};

test('readFile and exportData: a key without every permission is refused before anything is read or recorded', async () => {
  const { read, exportIt } = reading({}, ['verifications:create', 'verifications:read']);
  for (const refused of [read, exportIt])
    await expect(refused()).rejects.toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' });
  expect(recorded).toEqual([]);
});

test('readFile: an entry names the key, the verification and the file, and where the request came from', async () => {
  const { read } = reading({ find: async () => SELFIE, read: async () => PART });
  expect(await read()).toEqual(PART);
  expect(recorded).toMatchObject([['allowed', { ...ATTEMPT, from: '192.0.2.1' }]]);
});

test('readFile: an unknown file leaves the entry of a refusal, and none of a reading', async () => {
  const { read } = reading({ find: () => Promise.reject(unknownFile()) });
  await expect(read()).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect(recorded).toMatchObject([['refused', ATTEMPT]]);
});

test('exportData: an unknown verification leaves no entry', async () => {
  const { exportIt } = reading({ open: () => Promise.reject(unknownVerification()) });
  await expect(exportIt()).rejects.toMatchObject({ code: 'VERIFICATION_NOT_FOUND' });
  expect(recorded).toEqual([]);
});
