import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { FACT } from '../../test-support/audit-chain.ts';
import { receipt } from '../../test-support/erasures.ts';
import { inState, NOW } from '../../test-support/verifications.ts';
import { type AuditEntry, DATA_ERASED_ACTION } from '../audit/audit-entry.ts';
import type { EventType, VerificationEvent } from '../verification/events.ts';
import { toRecord, type VerificationRecord } from '../verification/verification-record.ts';
import { auditDetailOf, type Erasure } from './erasure.ts';
import { erasedRecord, retainedVerification } from './retained-verification.ts';
import { hashOfNothing, hashOfTraces } from './stored-traces.ts';
import { createNumberSet, createVerifyErasures } from './verify-erasures.ts';

test('has the numbers that were added, and no others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 100_000 })),
      fc.integer({ min: 1, max: 200_000 }),
      (added, other) => {
        const numbers = createNumberSet();
        for (const number of added) numbers.add(number);
        expect(added.every((number) => numbers.has(number))).toBe(true);
        expect(numbers.has(other)).toBe(added.includes(other));
      },
    ),
  );
});

test('a set that grows has the numbers past its first memory, and no others', () => {
  const numbers = createNumberSet();
  for (const number of [8_191, 8_192, 8_195]) numbers.add(number);
  const near = Array.from({ length: 10 }, (_, index) => 8_190 + index);
  expect(near.filter((number) => numbers.has(number))).toEqual([8_191, 8_192, 8_195]);
});

const UNFINISHED_MS = 2 * 60 * 60 * 1000;
const after = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);
const secrets = { sha256: (text: string) => text };
const REJECTED = toRecord(inState('rejected'));
const INTACT = (erasures: number) => ({ outcome: 'intact', erasures });

let records: Map<string, { record: VerificationRecord; events: readonly VerificationEvent[] }>;
let receipts: Erasure[];
let log: AuditEntry[];
/** The positions from which the audit log was read, and the numbers of the receipts that were read for its entries. */
let listed: (number | undefined)[];
let compared: number[];

beforeEach(() => {
  [records, receipts, log, listed, compared] = [new Map(), [], [], [], []];
});

/** Stores what the erasure of a verification leaves, with its receipt. @param types of its last events */
function givenErased(
  number: number,
  values: Partial<Erasure> = {},
  types: readonly EventType[] = ['verification.data_erased'],
): Erasure {
  const [clientId, id] = ['client-1', `verification-${number}`];
  const stored = { ...REJECTED, id, erasedAt: NOW };
  const events = types.map(
    (type, index): VerificationEvent => ({
      id: `event-${index}`,
      clientId,
      verificationId: id,
      version: stored.version + 1 + index,
      type,
      status: 'rejected',
      at: after(index * UNFINISHED_MS),
      actor: { kind: 'system', id: null },
      data: {},
    }),
  );
  const [event = expect.fail('no event')] = events;
  const record = erasedRecord(stored, { event, erasure: { at: NOW } }, number);
  records.set(id, { record, events });
  const hash = hashOfTraces({ verification: retainedVerification(record, types), events }, secrets);
  const erasure = receipt(number, { hash, ...values });
  receipts.push(erasure);
  return erasure;
}

/** Appends the entry of an erasure to the audit log. */
function givenEntry(erasure: Erasure, detail = auditDetailOf(erasure)): void {
  log.push({
    ...FACT,
    action: DATA_ERASED_ACTION,
    clientId: erasure.clientId,
    targetId: erasure.verificationId,
    detail,
    at: NOW,
    sequence: log.length + 1,
    previousHash: '',
    hash: '',
  });
}

/**
 * Checks what is stored. `afterEntries` runs once the log was read for the first time. With `isGone`, rows whose traces
 * were read are no longer found.
 */
async function verifying({
  now = NOW,
  afterEntries = () => undefined,
  isGone = false,
}: {
  now?: Date;
  afterEntries?: () => unknown;
  isGone?: boolean;
} = {}) {
  let isFirst = true;
  const verify = createVerifyErasures({
    retention: {
      erasure: async (number) => {
        compared.push(number);
        return receipts.find((erasure) => erasure.number === number) ?? null;
      },
      erasures: async ({ after: last, limit }) => {
        if (isFirst) afterEntries();
        isFirst = false;
        return receipts.filter(({ number }) => number > last).slice(0, limit);
      },
      storedTraces: async ({ verificationId }) => {
        const found = records.get(verificationId);
        if (found === undefined) return null;
        const types = found.events.map(({ type }) => type);
        return { verification: retainedVerification(found.record, types), events: found.events };
      },
    },
    verifications: {
      findWithEventsForAnyClient: async (id) => (isGone ? null : (records.get(id) ?? null)),
    },
    audit: {
      list: async ({ before, limit }) => {
        listed.push(before);
        return log
          .filter(({ sequence }) => before === undefined || sequence < before)
          .reverse()
          .slice(0, limit);
      },
    },
    secrets,
    clock: { now: () => now },
  });
  return verify();
}

describe('the check of receipts', () => {
  it('reads the audit log once, in slices, if each receipt has its entry', async () => {
    for (let number = 1; number <= 150; number += 1) givenEntry(givenErased(number));
    expect(await verifying()).toEqual(INTACT(150));
    expect(listed).toEqual([undefined, 51]);
    expect(compared.toSorted((a, b) => a - b)).toEqual(receipts.map(({ number }) => number));
  });

  it.each([
    [0, [undefined]],
    [99, [undefined]],
    [100, [undefined, 1]],
  ])('ends with a slice of the audit log that is not full: %i entries', async (count, slices) => {
    for (let number = 1; number <= count; number += 1) givenEntry(givenErased(number));
    expect(await verifying()).toEqual(INTACT(count));
    expect(listed).toEqual(slices);
  });

  it.each([
    ['one entry', 1, [undefined]],
    ['a slice that ends with an entry read before', 99, [undefined]],
    ['a slice of new entries', 100, [undefined, 101]],
  ])('reads entries written meanwhile, and none of before again: %s', async (_what, count, slices) => {
    for (let number = 1; number <= 100; number += 1) givenEntry(givenErased(number));
    const added = Array.from({ length: count }, (_, index) => givenErased(101 + index));
    const afterEntries = () => {
      for (const erasure of added) givenEntry(erasure);
      [listed, compared] = [[], []];
    };
    expect(await verifying({ afterEntries })).toEqual(INTACT(100 + count));
    expect(listed).toEqual(slices);
    expect(compared.toSorted((a, b) => a - b)).toEqual(added.map(({ number }) => number));
  });

  it('finds a finished receipt that has no entry', async () => {
    givenEntry(givenErased(1));
    givenErased(2);
    expect(await verifying()).toEqual({ outcome: 'broken', number: 2, reason: 'no_audit_entry' });
  });

  it('finds a row that is gone since its traces were read', async () => {
    givenEntry(givenErased(1));
    expect(await verifying({ isGone: true })).toEqual({ outcome: 'broken', number: 1, reason: 'changed' });
  });

  it.each([-1, 1.5, 'two', null])('finds an entry whose number is none: %s', async (number) => {
    const erasure = givenErased(1);
    givenEntry(erasure, { ...auditDetailOf(erasure), number });
    expect(await verifying()).toEqual({ outcome: 'broken', number: 0, reason: 'no_receipt' });
  });

  it('allows two hours from the removal of data to the end of the erasure, whatever happened later', async () => {
    givenErased(1, { finishedAt: null }, ['verification.data_erased', 'verification.released']);
    expect(await verifying({ now: after(UNFINISHED_MS) })).toEqual(INTACT(1));
    const unfinished = { outcome: 'broken', number: 1, reason: 'unfinished' };
    expect(await verifying({ now: after(UNFINISHED_MS + 1) })).toEqual(unfinished);
  });

  it('finds an unfinished erasure without the event of the removal', async () => {
    givenErased(1, { finishedAt: null }, ['verification.released']);
    expect(await verifying()).toEqual({ outcome: 'broken', number: 1, reason: 'unfinished' });
  });

  const NOTHING = { rule: 'log', steps: 0, files: 0, events: 0, hash: hashOfNothing(secrets) } as const;

  it.each<[string, Partial<Erasure>, boolean]>([
    ['nothing', {}, true],
    ['another rule', { rule: 'rejected' }, false],
    ['unfinished', { finishedAt: null }, false],
    ['a step', { steps: 1 }, false],
    ['a file', { files: 1 }, false],
    ['an event', { events: 1 }, false],
    ['a step and a file', { steps: 1, files: 1 }, false],
    ['a step and an event', { steps: 1, events: 1 }, false],
    ['another rule, and unfinished', { rule: 'rejected', finishedAt: null }, false],
  ])(
    'accepts a receipt without traces only for an entry that removed nothing: %s',
    async (_what, values, isRight) => {
      givenErased(1, { ...NOTHING, ...values });
      records.clear();
      expect(await verifying()).toEqual(isRight ? INTACT(1) : { outcome: 'broken', number: 1, reason: 'changed' });
    },
  );
});
