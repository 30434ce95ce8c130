import { expect, test } from 'vitest';
import { file, NOW, pending, submitted } from '../../test-support/verifications.ts';
import { createChangeVerification, removedFiles } from './change-verification.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { renewLink } from './manage-verification.ts';
import { toRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** Renews the link of a verification that someone else changes before each of the first commits. */
async function renewAfter(conflicts: number) {
  let commits = 0;
  const commit: VerificationRepository['commit'] = async () => {
    commits += 1;
    return { outcome: commits <= conflicts ? 'conflict' : 'committed' };
  };
  const change = createChangeVerification(
    {
      verifications: { commit } as VerificationRepository,
      flows: BUILT_IN_FLOWS,
      clock: { now: () => NOW },
      ids: { next: () => 'event-1' },
      evidence: { discard: async () => undefined },
      indexLabels: { label: async () => undefined },
      caseWarnings: { ahead: async () => undefined, after: () => undefined },
    },
    { sendsMail: false },
  );
  const result = await change({
    find: async () => toRecord(pending()),
    decide: (current, now) => renewLink(current, { now, linkLifetimeDays: 30 }),
    actor: { kind: 'operator', id: null },
  }).catch((error: unknown) => error);
  return { result, commits };
}

test('a change that lost a race is decided again, at most five times', async () => {
  expect(await renewAfter(4)).toMatchObject({ result: { version: 2 }, commits: 5 });
  expect(await renewAfter(5)).toMatchObject({ result: { code: 'VERSION_CONFLICT' }, commits: 5 });
});

test('removedFiles: lists the files that are gone, with their places', () => {
  const before = { ...submitted(), files: [file('selfie', 'selfie', 'a'), file('selfie', 'selfie', 'b')] };
  expect(removedFiles(before, { ...before, files: before.files.slice(1) })).toEqual([
    { clientId: 'client-1', verificationId: 'verification-1', fileId: 'a' },
  ]);
  expect(removedFiles(before, before)).toEqual([]);
});

test('removedFiles: lists the thumbnail of a file that is gone', () => {
  const thumbnail = { size: 3, sha256: 'b'.repeat(64) };
  const before = { ...submitted(), files: [{ ...file('selfie', 'selfie', 'a'), thumbnail }] };
  expect(removedFiles(before, { ...before, files: [] }).map(({ fileId }) => fileId)).toEqual(['a', 'a-thumbnail']);
});
