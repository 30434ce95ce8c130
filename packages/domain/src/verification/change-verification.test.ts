import { expect, test } from 'vitest';
import { portWith } from '../../test-support/port-with.ts';
import { actionNeeded, completed, file, NOW, pending, submitted } from '../../test-support/verifications.ts';
import { type Change, createChangeVerification, labelsAfter, removedFiles } from './change-verification.ts';
import { type EventDraft, eventOf } from './events.ts';
import { expire } from './expire-verifications.ts';
import { BUILT_IN_FLOWS } from './flow.ts';
import { renewLink, withdraw } from './manage-verification.ts';
import { reject } from './reviewer-moves.ts';
import { submit } from './subject-moves.ts';
import { changed, event, type Transition } from './transition.ts';
import { toRecord } from './verification-record.ts';
import type { VerificationRepository } from './verification-repository.ts';

const COMPLETED = event('verification.step_completed');
const OPERATOR = { kind: 'operator', id: null } as const;

/** Makes changes of a new verification, which someone else changes before each of the first commits. */
function given({ conflicts = 0 } = {}) {
  const commits: Parameters<VerificationRepository['commit']>[0][] = [];
  const commit: VerificationRepository['commit'] = async (committed) => {
    commits.push(committed);
    return { outcome: commits.length <= conflicts ? 'conflict' : 'committed' };
  };
  const change = createChangeVerification(
    {
      verifications: portWith<VerificationRepository>({ commit }),
      flows: BUILT_IN_FLOWS,
      clock: { now: () => NOW },
      ids: { next: () => 'event-1' },
      evidence: { discard: async () => undefined },
      indexLabels: { label: async () => undefined },
      caseWarnings: { ahead: async () => undefined, after: () => undefined },
    },
    { sendsMail: false },
  );
  const decide = (decision: Change['decide']) =>
    change({
      find: async () => toRecord(pending()),
      decide: decision,
      actor: OPERATOR,
    });
  return { commits, decide };
}

/** Renews the link of a verification that someone else changes before each of the first commits. */
async function renewAfter(conflicts: number) {
  const { commits, decide } = given({ conflicts });
  const renew = decide((current, now) => renewLink(current, { now, linkLifetimeDays: 30 }));
  const result = await renew.catch((error: unknown) => error);
  return { result, commits: commits.length };
}

test('a change that lost a race is decided again, at most five times', async () => {
  expect(await renewAfter(4)).toMatchObject({ result: { version: 2 }, commits: 5 });
  expect(await renewAfter(5)).toMatchObject({ result: { code: 'VERSION_CONFLICT' }, commits: 5 });
});

test('a change deletes the events that its transitions supersede, by default none', async () => {
  const { commits, decide } = given();
  await decide((current) => [
    changed(current, COMPLETED),
    { ...changed(current, COMPLETED), supersededVersion: 4 },
  ]);
  await decide((current) => changed(current, COMPLETED));
  expect(commits.map(({ supersededVersions }) => supersededVersions)).toEqual([[4], []]);
});

test('a change without a transition fails and commits nothing', async () => {
  const { commits, decide } = given();
  await expect(decide(() => [])).rejects.toThrow('A change has no transition');
  expect(commits).toEqual([]);
});

const labels = { keyVersion: 1, rulesVersion: 1, labels: [] };

test.each<[string, typeof labels | undefined, Transition, (readonly EventDraft[])?]>([
  ['a submission', labels, submit(completed(), NOW)],
  ['a submission with its last step', labels, submit(completed(), NOW), [COMPLETED]],
  ['a withdrawal during a redo', labels, withdraw(actionNeeded(), NOW)],
  ['an expiry during a redo', labels, expire(actionNeeded(), NOW)],
  ['a rejection for fraud', labels, reject(submitted(), { reasonCodes: ['suspected_fraud'] }, NOW)],
  ['a withdrawal before a submission', undefined, withdraw(pending(), NOW)],
  ['a rejection for another reason', undefined, reject(submitted(), { reasonCodes: ['data_mismatch'] }, NOW)],
])('labelsAfter: %s has the labels %j', async (_what, expected, { next, event: last }, earlier = []) => {
  const events = [...earlier, last].map((draft) =>
    eventOf(next, draft, { id: 'event-1', at: NOW, actor: OPERATOR }),
  );
  expect(await labelsAfter(events, next, { indexLabels: { label: async () => labels } })).toEqual(expected);
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
