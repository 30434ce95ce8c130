import { LIST } from '@countersign/test-support/records/queries';
import { commitNext, eventTo } from '@countersign/test-support/records/verification';
import { beforeEach, describe, expect, test } from 'vitest';
import { givenSealed } from '../test-support/given-sealed.ts';
import { OLD } from '../test-support/keys.ts';
import { aRecord, CLIENT, createCharged, fullRecord, recordIn, verificationId } from '../test-support/records.ts';
import { createKeyRing } from './key-ring.ts';
import { createSealedStorage } from './sealed-storage.ts';

let { raw, calls, keys, sealed } = givenSealed();
beforeEach(() => {
  ({ raw, calls, keys, sealed } = givenSealed());
});

describe('the data key', () => {
  test('the data key is stored before any value is sealed with it', async () => {
    await createCharged(sealed, aRecord(1));
    calls.length = 0;
    await commitNext(sealed, fullRecord(1));
    expect(calls.map(({ operation }) => operation)).toEqual([
      'dataKeys.find',
      'dataKeys.replace',
      'verifications.commit',
    ]);
  });

  test('the data key is made once for each verification and kept', async () => {
    await createCharged(sealed, aRecord(1));
    await commitNext(sealed, fullRecord(1));
    const { dataKey } = await recordIn(raw, 1);
    await commitNext(sealed, { ...fullRecord(1), version: 2 });
    expect(await recordIn(raw, 1)).toMatchObject({ version: 3, dataKey });
    expect(calls.filter(({ operation }) => operation === 'dataKeys.replace')).toHaveLength(1);
  });

  test('differs for each verification', async () => {
    await createCharged(sealed, fullRecord(1));
    await createCharged(sealed, fullRecord(2));
    const contextOf = (n: number) => ({ clientId: CLIENT, verificationId: verificationId(n) });
    const unwrapped = await Promise.all(
      [1, 2].map(async (n) => {
        const { dataKey } = await recordIn(raw, n);
        return Buffer.from(await keys.unwrap(dataKey ?? { wrappedBy: '', wrapped: '' }, contextOf(n))).toString(
          'hex',
        );
      }),
    );
    expect(new Set(unwrapped).size).toBe(2);
  });

  test('the data key is the same for several first writes at once', async () => {
    await createCharged(sealed, aRecord(1));
    const others = Array.from({ length: 20 }, () => createSealedStorage(raw, { keys: createKeyRing([OLD]) }));
    const outcomes = await Promise.all(others.map((storage) => commitNext(storage, fullRecord(1))));
    expect(outcomes.filter(({ outcome }) => outcome === 'committed')).toHaveLength(1);
    expect(calls.filter(({ operation }) => operation === 'dataKeys.replace').length).toBeGreaterThan(1);
    expect(await sealed.verifications.find(CLIENT, verificationId(1))).toEqual({
      ...fullRecord(1),
      notify: null,
      version: 2,
    });
  });

  test('the data key in a committed record is ignored: the stored one is used', async () => {
    const dataKey = { wrappedBy: 'somebody', wrapped: 'AAAA' };
    await createCharged(sealed, aRecord(1));
    await commitNext(sealed, { ...fullRecord(1), dataKey });
    expect(await sealed.verifications.find(CLIENT, verificationId(1))).toEqual({
      ...fullRecord(1),
      notify: null,
      version: 2,
    });
  });

  test('the data key is never returned', async () => {
    await createCharged(sealed, fullRecord(1));
    await createCharged(sealed, aRecord(2, { dataKey: { wrappedBy: 'somebody', wrapped: 'AAAA' } }));
    const { records } = await sealed.verifications.list(CLIENT, LIST);
    expect(records.map(({ dataKey }) => dataKey)).toEqual([null, null]);
  });
});

test('changes to a given record while a key is made have no effect', async () => {
  const record = structuredClone({ ...fullRecord(1), metadata: { tier: 'gold' } });
  const created = createCharged(sealed, record);
  Object.assign(record.metadata, { tier: 'tin' });
  Object.assign(record.answers, { steps: {} });
  await created;
  expect(await sealed.verifications.find(CLIENT, verificationId(1))).toEqual({
    ...fullRecord(1),
    metadata: { tier: 'gold' },
  });
});

test('changes to a returned record have no effect', async () => {
  await createCharged(sealed, fullRecord(1));
  Object.assign((await sealed.verifications.find(CLIENT, verificationId(1))) ?? {}, { metadata: 1, answers: 1 });
  expect(await sealed.verifications.find(CLIENT, verificationId(1))).toEqual(fullRecord(1));
});

test('changes to a given record while a key is fetched have no effect', async () => {
  await createCharged(sealed, aRecord(1));
  const record = structuredClone({ ...fullRecord(1), version: 2, metadata: { tier: 'gold' } });
  const events = [eventTo(record)];
  const committed = sealed.verifications.commit({ record, expectedVersion: 1, events });
  Object.assign(record, { metadata: { tier: 'tin' }, answers: {} });
  Object.assign(record.reviewData, { internalNotes: [] });
  events.length = 0;
  await committed;
  expect(await sealed.verifications.findWithEventsForAnyClient(verificationId(1), 10)).toMatchObject({
    record: { ...fullRecord(1), notify: null, version: 2, metadata: { tier: 'gold' } },
    events: [{ version: 1 }, { version: 2 }],
  });
});
