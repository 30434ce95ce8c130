import { expect, test } from 'vitest';
import { NOW, submitted } from '../../test-support/verifications.ts';
import { CountersignError, type ErrorCode, VerificationFault } from '../errors.ts';
import { claimNextUseCase } from './claim-next.ts';
import { toRecord } from './verification-record.ts';
import type { QueueQuery } from './verification-repository.ts';

/** A queue in which some verifications cannot be claimed. */
function queueOf(refused: Readonly<Record<string, Error>>, ids: readonly string[]) {
  const faults: unknown[] = [];
  const queries: QueueQuery[] = [];
  const claimNext = claimNextUseCase({
    verifications: {
      async queue(query) {
        queries.push(query);
        const records = ids.map((id) => toRecord({ ...submitted(), id, submittedAt: NOW }));
        return { records, totalCount: records.length };
      },
    },
    async claim({ verificationId }) {
      const error = refused[verificationId];
      if (error !== undefined) throw error;
      return submitted();
    },
    onFault: (fault) => void faults.push(fault),
  });
  return { claimNext, faults, queries };
}

const LOST: ErrorCode[] = [
  'VERSION_CONFLICT',
  'CLAIMED_BY_ANOTHER',
  'ILLEGAL_TRANSITION',
  'VERIFICATION_NOT_FOUND',
  'EVENT_LIMIT_REACHED',
];

test.each(LOST)('claimNext: after %s, claims the next one', async (code) => {
  const { claimNext } = queueOf({ a: new CountersignError(code) }, ['a', 'b']);
  expect(await claimNext('rita', {})).toMatchObject({ verificationId: 'b' });
});

test('claimNext: passes over a damaged verification and reports it', async () => {
  const fault = new VerificationFault('damaged', { verificationId: 'a' });
  const { claimNext, faults } = queueOf({ a: fault }, ['a', 'b']);
  expect(await claimNext('rita', {})).toMatchObject({ verificationId: 'b' });
  expect(faults).toEqual([fault]);
});

test('claimNext: throws any other error', async () => {
  const { claimNext } = queueOf({ a: new CountersignError('SERVICE_UNAVAILABLE') }, ['a', 'b']);
  await expect(claimNext('rita', {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('claimNext: returns null when all are lost, and when none waits', async () => {
  const lost = new CountersignError('CLAIMED_BY_ANOTHER');
  expect(await queueOf({ a: lost, b: lost }, ['a', 'b']).claimNext('rita', {})).toBeNull();
  expect(await queueOf({}, []).claimNext('rita', {})).toBeNull();
});

test.each([
  [{}, { claimedBy: null, liveOnly: true }],
  [{ withTests: true }, { claimedBy: null, liveOnly: false }],
  [
    { clientId: 'client-1', type: 'kyb' as const },
    { clientId: 'client-1', type: 'kyb', liveOnly: false },
  ],
  [{ mine: true }, { claimedBy: 'rita' }],
  [{ warned: true }, { isWarned: true, isResubmitted: undefined }],
  [{ resubmitted: true }, { isWarned: undefined, isResubmitted: true }],
])('claimNext: %j asks for at most ten submitted verifications', async (input, query) => {
  const { claimNext, queries } = queueOf({}, []);
  await claimNext('rita', input);
  expect(queries).toMatchObject([{ status: 'submitted', limit: 10, after: undefined, ...query }]);
});

test('claimNext: refuses unknown filters', async () => {
  const { claimNext } = queueOf({}, ['a']);
  await expect(claimNext('rita', { type: 'dog' } as object)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
});
