import type { EventType } from '@countersign/domain';
import type { Erasure, RetentionPolicy } from '@countersign/domain/retention';
import type {
  RetainedVerification,
  RetentionRepository,
  Storage,
  VerificationPlace,
  VerificationRecord,
} from '@countersign/domain/storage';
import { expect } from 'vitest';
import { aDataKey, replace } from './data-keys.ts';
import { eventOf } from './events.ts';
import { clientId, minute, verificationId } from './ids.ts';
import { inState, keyedBy } from './records.ts';
import { givenVerification } from './verifications.ts';

export const place = (n: number, owner = 1): VerificationPlace => ({
  clientId: clientId(owner),
  verificationId: verificationId(n),
});

/** Reads a verification as retention does. */
export async function retained({ retention }: Storage, n: number, owner = 1): Promise<RetainedVerification> {
  const found = await retention.find(place(n, owner));
  if (found === null) throw new Error(`The storage has no verification ${n} of client ${owner}`);
  return found;
}

/** The verification after a change of facts: one version up, with one event more. */
export function changed(
  verification: RetainedVerification,
  facts: Partial<RetainedVerification>,
): RetainedVerification {
  return { ...verification, version: verification.version + 1, eventCount: verification.eventCount + 1, ...facts };
}

/** Stores a verification over the version before it, with an event of this type. */
export function change(
  { retention }: Storage,
  verification: RetainedVerification,
  type: EventType = 'verification.erasure_requested',
): ReturnType<RetentionRepository['change']> {
  const { version } = verification;
  const events = [eventOf(asRecord(verification), { type })];
  return retention.change({ verification, expectedVersion: version - 1, events });
}

/** Events are made of records; documents do not matter to them. */
export function asRecord({ decidedBy: _, ...columns }: RetainedVerification): VerificationRecord {
  return { ...columns, metadata: {}, answers: {}, reviewData: {}, notify: null, warnings: null, dataKey: null };
}

/** Changes facts of the `n`th verification and returns it. */
export async function givenFacts(
  storage: Storage,
  n: number,
  facts: Partial<RetainedVerification>,
  owner = 1,
): Promise<RetainedVerification> {
  const after = changed(await retained(storage, n, owner), facts);
  expect(await change(storage, after), 'set-up of the case: retention.change').toEqual({ outcome: 'committed' });
  return after;
}

/** Creates an approved verification with a value in every personal column, and a data key. */
export async function givenPersonal(
  storage: Storage,
  n: number,
  given: Partial<VerificationRecord> = {},
): Promise<VerificationRecord> {
  const requestedAt = minute(n);
  const { answers } = inState('approved', 'kyc', requestedAt);
  const record = await givenVerification(storage, n, {
    status: 'approved',
    metadata: { order: `order ${n}` },
    answers: { ...answers, drafts: { person: `draft ${n}` } },
    sandboxOutcome: 'approved',
    returnUrl: `https://client.example/return/${n}`,
    locale: 'de',
    notify: { email: `person-${n}@example.org` },
    ...keyedBy(`key ${n}`),
    ...given,
  });
  // A sealed storage has created one.
  const { dataKeys } = storage;
  if ((await dataKeys.find(record.clientId, record.id)) === null) {
    const { outcome } = await replace(storage, n, aDataKey(n), { clientId: record.clientId });
    expect(outcome, 'set-up of the case: dataKeys.replace').toBe('replaced');
  }
  return record;
}

export const ERASED_AT: Date = minute(600, 7);

/** Creates a verification like `givenPersonal` and begins its erasure. */
export async function givenBegun(
  storage: Storage,
  n: number,
  given: Partial<VerificationRecord> = {},
): Promise<RetainedVerification> {
  const { clientId: owner } = await givenPersonal(storage, n, given);
  const found = await storage.retention.find({ clientId: owner, verificationId: verificationId(n) });
  if (found === null) throw new Error(`The storage has no verification ${n}`);
  const begun = changed(found, { erasedAt: ERASED_AT, retentionCheckAt: ERASED_AT });
  expect(await change(storage, begun), 'set-up of the case: retention.change').toEqual({ outcome: 'committed' });
  return begun;
}

type Request = Parameters<RetentionRepository['erase']>[0];

/** The erasure of a verification. */
export function erasureOf(
  verification: RetainedVerification,
  given: Partial<Request['erasure']> & { expectedVersion?: number } = {},
): Request {
  const { expectedVersion = verification.version, ...erasure } = given;
  const { clientId: owner, id, eventCount } = verification;
  const erased = changed(verification, { version: expectedVersion + 1 });
  return {
    expectedVersion,
    event: eventOf(asRecord(erased), { type: 'verification.data_erased', at: ERASED_AT, data: {} }),
    erasure: {
      number: null,
      clientId: owner,
      verificationId: id,
      at: ERASED_AT,
      rule: 'requested',
      steps: 3,
      files: 2,
      events: eventCount,
      hash: HASH,
      ...erasure,
    },
  };
}

const HASH = '0123456789abcdef'.repeat(4);

/** The `n`th receipt, which is finished, of the first client's `n`th verification. */
export function aReceipt(n: number, given: Partial<Erasure> = {}): Erasure & { readonly finishedAt: Date } {
  return {
    number: n,
    ...place(n),
    at: minute(700 + n, n),
    rule: 'log',
    steps: 0,
    files: 0,
    events: 0,
    hash: HASH,
    finishedAt: minute(800 + n, n),
    ...given,
  } as Erasure & { readonly finishedAt: Date };
}

/** Lists all receipts. */
export function receipts({ retention }: Storage): Promise<readonly Erasure[]> {
  return retention.erasures({ after: 0, limit: 1_000 });
}

export function aPolicy(given: Partial<RetentionPolicy> = {}): RetentionPolicy {
  return {
    approvedAfterEnd: 'P5Y',
    approvedLongest: 'P10Y6M',
    rejected: 'P3W',
    unfinished: 'P90D',
    replacedUploads: 'P0D',
    ...given,
  };
}

/** Unknown ids, and texts that cannot be ids. */
export const NO_IDS: readonly string[] = [
  verificationId(99),
  clientId(99),
  '',
  'not-an-id',
  `${verificationId(1)}\u0000`,
  '🦉',
];
