import { beforeEach, describe, expect, it } from 'vitest';
import { aClient } from '../../test-support/client.ts';
import { file, inState, NOW, submitted } from '../../test-support/verifications.ts';
import { createFilesOfClient } from './files-of-client.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { OPENING_MS, openRestricted } from './hold.ts';
import type { Verification } from './verification.ts';
import { toRecord } from './verification-record.ts';

const OF = { clientId: 'client-1', verificationId: 'verification-1' };
const withCode = (code: string) => expect.objectContaining({ code });

let stored: Verification;
let fileAccess: boolean;
let now: Date;

beforeEach(() => {
  [stored, fileAccess, now] = [submitted(), true, NOW];
});

const files = createFilesOfClient({
  clock: { now: () => now },
  flows: BUILT_IN_FLOWS,
  clients: { find: async () => ({ client: aClient({ fileAccess }), subscription: null }) },
  verifications: {
    find: async (clientId, id) => (clientId === stored.clientId && id === stored.id ? toRecord(stored) : null),
  },
  evidence: {
    read: async (_place, found) => ({ file: found, content: new Uint8Array(), contentType: found.contentType }),
  },
});

describe('the files of a client', () => {
  it('a file that the answers name is found and read', async () => {
    const selfie = file('selfie', 'selfie');
    expect(await files.find({ ...OF, fileId: 'selfie' })).toMatchObject(selfie);
    expect((await files.read({ ...OF, fileId: 'selfie' })).file).toMatchObject(selfie);
  });

  it.each<[string, object, string]>([
    ["another client's verification", { clientId: 'client-2' }, 'VERIFICATION_NOT_FOUND'],
    ['a verification that is missing', { verificationId: 'verification-2' }, 'VERIFICATION_NOT_FOUND'],
    ['a file of another verification', { fileId: 'other' }, 'FILE_NOT_FOUND'],
  ])('a file is not found by %s', async (_what, given, code) => {
    await expect(files.find({ ...OF, fileId: 'selfie', ...given })).rejects.toEqual(withCode(code));
  });

  it('access that no owner switched on is refused', async () => {
    fileAccess = false;
    await expect(files.open(OF)).rejects.toEqual(withCode('FILES_SWITCHED_OFF'));
  });
});

describe('the files of a verification whose erasure was requested', () => {
  const openedBy = 'owner-1';
  const hidden: Verification = { ...inState('approved'), erasureRequestedAt: NOW };
  const opened = openRestricted(hidden, 'A court asked', { userId: openedBy, now: NOW }).next;

  it('the files are read by the user who opened them with a reason', async () => {
    stored = opened;
    expect(await files.open({ ...OF, openedBy })).toMatchObject({ id: stored.id });
    expect(await files.find({ ...OF, openedBy, fileId: 'selfie' })).toMatchObject({ id: 'selfie' });
  });

  it.each<[string, Verification, string | undefined, number]>([
    ['without a user', opened, undefined, 0],
    ['by another user', opened, 'owner-2', 0],
    ['before the user opened them', hidden, openedBy, 0],
    ['once the opening has ended', opened, openedBy, OPENING_MS],
    ['once they are erased', { ...opened, erasedAt: NOW }, openedBy, 0],
  ])('the files are refused %s', async (_what, verification, userId, later) => {
    stored = verification;
    now = new Date(NOW.getTime() + later);
    await expect(files.open({ ...OF, openedBy: userId })).rejects.toMatchObject({
      code: 'ILLEGAL_TRANSITION',
      data: { status: 'approved' },
      message: expect.stringContaining('hidden'),
    });
  });
});
