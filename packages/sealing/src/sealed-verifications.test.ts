import type { JsonObject } from '@countersign/domain';
import type { Storage, VerificationRecord, VerificationRepository } from '@countersign/domain/storage';
import { LIST } from '@countersign/test-support/records/queries';
import { commitNext, createRequest, eventTo } from '@countersign/test-support/records/verification';
import { beforeEach, describe, expect, test } from 'vitest';
import { givenSealed } from '../test-support/given-sealed.ts';
import { aRecord, CLIENT, createCharged, fullRecord, recordIn, SECRET_NAME } from '../test-support/records.ts';
import { createSealedStorage } from './sealed-storage.ts';

const WARNINGS: JsonObject = { rules: 1, list: [{ code: 'under_age', path: SECRET_NAME, others: [] }] };

let { raw, calls, keys, sealed } = givenSealed();
beforeEach(() => {
  ({ raw, calls, keys, sealed } = givenSealed());
});

/** Seals around a repository with some operations replaced. */
const sealedAround = (operations: Partial<VerificationRepository>): Storage =>
  createSealedStorage({ ...raw, verifications: { ...raw.verifications, ...operations } }, { keys });

describe('commit', () => {
  test('commit: without personal data it asks for no key and makes none', async () => {
    await createCharged(sealed, aRecord(1));
    expect(await commitNext(sealed, aRecord(1, { currentStep: 1 }))).toEqual({ outcome: 'committed' });
    expect(await recordIn(raw, 1)).toEqual(aRecord(1, { currentStep: 1, version: 2 }));
    expect(keys.asked).toBe(0);
  });

  test('commit: warnings to keep are sealed, even beside a record without documents', async () => {
    await createCharged(sealed, aRecord(1));
    const record = aRecord(1, { version: 2 });
    const kept = { warnings: WARNINGS, severity: 'warning' } as const;
    const change = { record, expectedVersion: 1, events: [eventTo(record)], kept };
    expect(await sealed.verifications.commit(change)).toEqual({ outcome: 'committed' });

    expect(JSON.stringify(calls)).not.toContain(SECRET_NAME);
    expect(await recordIn(raw, 1)).toMatchObject({ warnings: { countersignSealed: 1 }, severity: 'warning' });
    expect(await recordIn(sealed, 1)).toEqual({ ...record, ...kept });
  });

  test('commit: warnings in the record, which it does not store, never reach the inner storage', async () => {
    await createCharged(sealed, aRecord(1));
    await commitNext(sealed, aRecord(1, { warnings: WARNINGS }));
    expect(JSON.stringify(calls)).not.toContain(SECRET_NAME);
    expect(await recordIn(sealed, 1)).toEqual(aRecord(1, { version: 2 }));
  });
});

describe('records that are passed on without a copy', () => {
  test('commit: passes the same record object on if it has no personal data', async () => {
    const given: VerificationRecord[] = [];
    const around = sealedAround({
      async commit({ record }) {
        given.push(record);
        return { outcome: 'committed' };
      },
    });
    const record = aRecord(1, { version: 2 });
    await around.verifications.commit({ record, expectedVersion: 1, events: [] });
    expect(given).toHaveLength(1);
    expect(given[0]).toBe(record);
  });

  test('createCharged: does not copy unsealed values if keys wrap immediately', async () => {
    const given: JsonObject[] = [];
    const around = sealedAround({
      async createCharged({ record }) {
        given.push(record.metadata);
        return { outcome: 'created' };
      },
    });
    const metadata = { order: { id: 7 } };
    await around.verifications.createCharged(createRequest({ ...fullRecord(1), metadata }));
    expect(given).toHaveLength(1);
    expect(given[0]).toBe(metadata);
  });
});

/** Counts the turns of the event loop until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  await work;
  clearImmediate(next);
  return turns;
}

test.each([
  [20, 0],
  [21, 1],
  [40, 1],
  [41, 2],
])('list: a page of %i sealed verifications lets other work run %i times', async (count, turns) => {
  await createCharged(sealed, fullRecord(1));
  const record = await recordIn(raw, 1);
  const records = Array.from({ length: count }, () => record);
  const around = sealedAround({ list: async () => ({ records, totalCount: count }) });
  const listing = around.verifications.list(CLIENT, LIST);
  expect(await turnsDuring(listing)).toBe(turns);
  const expected = records.map(() => fullRecord(1));
  expect(await listing).toEqual({ records: expected, totalCount: count });
});
