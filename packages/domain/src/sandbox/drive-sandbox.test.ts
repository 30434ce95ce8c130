import { beforeEach, describe, expect, it } from 'vitest';
import { someFlowRules } from '../../test-support/flow-rules.ts';
import { inState, NOW, pending, submitted } from '../../test-support/verifications.ts';
import { BUILT_IN_FLOWS } from '../verification/flow.ts';
import { fromRecord } from '../verification/from-record.ts';
import type { SubmittedVerification, Verification } from '../verification/verification.ts';
import { toRecord, type VerificationRecord } from '../verification/verification-record.ts';
import type { VerificationRepository } from '../verification/verification-repository.ts';
import { createDriveSandbox } from './drive-sandbox.ts';

const OUTCOME = { sandboxOutcome: 'approved' } as const;

let due: VerificationRecord[];
let asked: number[];
let commits: Parameters<VerificationRepository['commit']>[0][];
/** Statuses after which warnings were computed, and the events with them. */
let warned: [status: string, events: readonly string[]][];
let faults: unknown[];
let now: Date;

beforeEach(() => {
  [due, asked, commits, warned, faults, now] = [[], [], [], [], [], NOW];
});

/** A driver over a storage that finds every verification due, whatever its state. */
function drive(
  commit: () => ReturnType<VerificationRepository['commit']> = async () => ({ outcome: 'committed' }),
) {
  let ids = 0;
  return createDriveSandbox(
    {
      verifications: {
        dueInSandbox: async (limit) => {
          asked.push(limit);
          return due;
        },
        commit: (change) => {
          commits.push(change);
          return commit();
        },
      },
      flows: BUILT_IN_FLOWS,
      evidence: { put: async () => undefined, discard: async () => undefined },
      indexLabels: { label: async () => undefined },
      caseWarnings: {
        after: ({ status }, events) => void warned.push([status, events.map(({ type }) => type)]),
      },
      clock: { now: () => now },
      ids: { next: () => `id-${++ids}` },
      onFault: (fault) => faults.push(fault),
      readFlowRules: async () => someFlowRules(),
    },
    { sendsMail: false },
  );
}

describe('a verification is left alone', () => {
  const claim = { reviewerId: 'staff-1', claimedAt: NOW };
  it.each<[what: string, Verification]>([
    ['without an outcome', pending()],
    ['that a reviewer has claimed', { ...(submitted() as SubmittedVerification), ...OUTCOME, claim }],
    ['that waits for the subject', { ...inState('action_needed'), ...OUTCOME }],
    ['that is approved', { ...inState('approved'), ...OUTCOME }],
  ])('%s', async (_what, verification) => {
    due = [toRecord(verification)];
    expect(await drive().drive()).toEqual({ driven: 0 });
    expect([commits, faults]).toEqual([[], []]);
  });
});

it('the sample files have no warnings', async () => {
  due = [toRecord({ ...pending(), ...OUTCOME })];
  expect(await drive().drive()).toEqual({ driven: 1 });
  const files = commits.flatMap(({ record }) => fromRecord(record, BUILT_IN_FLOWS).files);
  expect(files.map(({ warnings }) => warnings)).toEqual([[], []]);
});

it('a verification that is moved counts its new events, and its warnings are computed after them', async () => {
  const before = { ...pending(), ...OUTCOME, eventCount: 5 };
  due = [toRecord(before)];
  await drive().drive();
  const [{ record, events } = expect.unreachable()] = commits;
  expect(events.at(-1)?.type).toBe('verification.submitted');
  expect(record.eventCount).toBe(before.eventCount + events.length);
  expect(warned).toEqual([['submitted', events.map(({ type }) => type)]]);
});

it('a verification that someone changed first is not moved, and no warnings of it are computed', async () => {
  due = [toRecord({ ...pending(), ...OUTCOME })];
  expect(await drive(async () => ({ outcome: 'conflict' })).drive()).toEqual({ driven: 0 });
  expect(warned).toEqual([]);
});

it('a verification that failed takes no place of another while it waits', async () => {
  due = [toRecord({ ...pending(), ...OUTCOME })];
  const sandbox = drive(() => Promise.reject(new Error('the disk is full')));
  await sandbox.drive();
  await sandbox.drive();
  now = new Date(NOW.getTime() + 60_000);
  await sandbox.drive();
  expect(asked).toEqual([100, 101, 100]);
  expect(faults).toHaveLength(2);
});
