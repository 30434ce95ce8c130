import { beforeEach, expect, test } from 'vitest';
import { GOOD_ANSWERS } from '../../test-support/answers.ts';
import { portWith } from '../../test-support/port-with.ts';
import { actionNeeded, completing, file, NOW } from '../../test-support/verifications.ts';
import { createChangeVerification } from '../verification/change-verification.ts';
import { BUILT_IN_FLOWS } from '../verification/flow.ts';
import { fromRecord } from '../verification/from-record.ts';
import { attachFile } from '../verification/subject-moves.ts';
import { toRecord, type VerificationRecord } from '../verification/verification-record.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import { createDropUploads } from './drop-uploads.ts';
import { DEFAULT_RETENTION_SETTINGS } from './retained-rules.ts';
import { retainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

const HOUR_MS = 60 * 60 * 1000;
const after = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);
/** The period of an upload replaced at `NOW` has ended. */
const ENDED = after(31 * 24 * HOUR_MS);

let stored: Map<string, VerificationRecord>;
let scheduled: Parameters<RetentionRepository['schedule']>[0][];
let commits: number;
let discarded: string[];
let faults: unknown[];

beforeEach(() => {
  [stored, scheduled, commits, discarded, faults] = [new Map(), [], 0, [], []];
});

/** Stores a verification with the upload `document_front`, which another one replaced at `NOW`. */
function givenReplaced(id: string, values: Partial<VerificationRecord> = {}): void {
  const { next } = attachFile(actionNeeded(['document']), file('document', 'document_front', 'better'));
  const input = { ...GOOD_ANSWERS.kyc.document, frontFileId: 'better' };
  const redone = { ...completing(next, 'document', input), id, uploadsCheckAt: NOW };
  stored.set(id, { ...toRecord(redone), ...values });
}

/**
 * Drops the replaced uploads of all stored verifications. `afterFound` runs once the due ones are found, and
 * `beforeChange` before one is read again to change it.
 */
function dropping({
  afterFound = () => undefined,
  beforeChange = () => undefined,
  failsFor = null,
}: {
  afterFound?: () => unknown;
  beforeChange?: () => unknown;
  failsFor?: string | null;
} = {}) {
  const commit: VerificationRepository['commit'] = async ({ record }) => {
    commits += 1;
    stored.set(record.id, record);
    return { outcome: 'committed' };
  };
  const change = createChangeVerification(
    {
      verifications: portWith<VerificationRepository>({ commit }),
      flows: BUILT_IN_FLOWS,
      clock: { now: () => ENDED },
      ids: { next: () => 'event-1' },
      evidence: { discard: async (places) => void discarded.push(...places.map(({ fileId }) => fileId)) },
      indexLabels: { label: async () => undefined },
      caseWarnings: { ahead: async () => undefined, after: () => undefined },
    },
    { sendsMail: false },
  );
  const retained = (record: VerificationRecord | undefined) =>
    record === undefined ? null : retainedVerification(record, []);
  return createDropUploads({
    flows: BUILT_IN_FLOWS,
    onFault: (fault) => void faults.push(fault),
    retention: {
      find: async ({ verificationId }) => retained(stored.get(verificationId)),
      uploadsDue: async ({ limit }) => {
        const found = [...stored.values()].slice(0, limit).flatMap((record) => retained(record) ?? []);
        afterFound();
        return found;
      },
      schedule: async (request) => {
        scheduled.push(request);
        return { outcome: 'scheduled' };
      },
    },
    verifications: {
      find: async (_, id) => {
        if (id === failsFor) throw new Error(`cannot read ${id}`);
        return stored.get(id) ?? null;
      },
    },
    change: async (request) => {
      beforeChange();
      return change(request);
    },
    rulesOf: async () => DEFAULT_RETENTION_SETTINGS,
  });
}

function filesOf(id: string): readonly string[] {
  const record = stored.get(id) ?? expect.fail(`no ${id}`);
  return fromRecord(record, BUILT_IN_FLOWS).files.map((kept) => kept.id);
}

test('replaced uploads whose period has ended are deleted, and the other files stay', async () => {
  givenReplaced('a');
  const before = filesOf('a');
  expect(await dropping()(ENDED)).toBe(true);
  expect(discarded).toEqual(['document_front']);
  expect(filesOf('a')).toEqual(before.filter((id) => id !== 'document_front'));
  expect(stored.get('a')?.uploadsCheckAt).toBeNull();
  expect([scheduled, faults]).toEqual([[], []]);
});

test('replaced uploads whose period goes on stay, and the job looks again a day later', async () => {
  givenReplaced('a', { version: 7 });
  // A change after the due ones were found must not make the plan lose the race.
  const afterFound = () => givenReplaced('a', { version: 8 });
  await dropping({ afterFound })(NOW);
  expect([commits, discarded, faults]).toEqual([0, [], []]);
  expect(scheduled).toMatchObject([
    {
      place: { clientId: 'client-1', verificationId: 'a' },
      expected: { version: 8, uploadsCheckAt: NOW },
      checkAt: null,
      uploadsCheckAt: after(24 * HOUR_MS),
    },
  ]);
});

test('replaced uploads of a verification that is being erased are left to the erasure', async () => {
  const erasing = { status: 'rejected', resolvedAt: NOW, erasedAt: NOW, retentionCheckAt: after(1) } as const;
  givenReplaced('a', erasing);
  await dropping()(ENDED);
  expect([commits, discarded, faults]).toEqual([0, [], []]);
  const place = { clientId: 'client-1', verificationId: 'a' };
  expect(scheduled).toMatchObject([{ place, checkAt: after(1), uploadsCheckAt: null }]);
});

test('a verification that is gone since it was found is passed over', async () => {
  givenReplaced('a');
  await dropping({ afterFound: () => stored.clear() })(ENDED);
  expect([commits, scheduled, faults]).toEqual([0, [], []]);
});

test('replaced uploads stay if a hold began since they were found to be due', async () => {
  givenReplaced('a');
  await dropping({ beforeChange: () => givenReplaced('a', { heldAt: ENDED }) })(ENDED);
  expect([commits, discarded, faults]).toEqual([0, [], []]);
});

test('a verification that fails is reported and tried again after an hour, and the next one is handled', async () => {
  for (const id of ['a', 'b']) givenReplaced(id);
  expect(await dropping({ failsFor: 'a' })(ENDED)).toBe(true);
  expect(faults).toEqual([new Error('cannot read a')]);
  expect(scheduled).toMatchObject([
    { place: { verificationId: 'a' }, uploadsCheckAt: new Date(ENDED.getTime() + HOUR_MS) },
  ]);
  expect(filesOf('b')).not.toContain('document_front');
});

test('a verification that fails and is gone is reported, and not tried again', async () => {
  givenReplaced('a');
  await dropping({ failsFor: 'a', afterFound: () => stored.clear() })(ENDED);
  expect(faults).toEqual([new Error('cannot read a')]);
  expect(scheduled).toEqual([]);
});

test.each([
  [49, true],
  [50, false],
])('a run that finds %i due verifications returns whether none is left: %s', async (count, isDone) => {
  for (let n = 1; n <= count; n += 1) givenReplaced(`verification-${n}`);
  expect(await dropping()(NOW)).toBe(isDone);
  expect(scheduled).toHaveLength(count);
});
