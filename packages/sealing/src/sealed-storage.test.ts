import { BROWSE, LIST, QUEUE } from '@countersign/test-support/records/queries';
import { commitNext, createRequest, eventTo } from '@countersign/test-support/records/verification';
import { beforeEach, describe, expect, test } from 'vitest';
import { givenSealed } from '../test-support/given-sealed.ts';
import { wrappingLater } from '../test-support/keys.ts';
import {
  ANSWERS,
  aRecord,
  CLIENT,
  createCharged,
  fullRecord,
  NOTIFY,
  recordIn,
  SECRET_NAME,
  verificationId,
} from '../test-support/records.ts';
import { createSealedStorage } from './sealed-storage.ts';

let { raw, calls, keys, sealed } = givenSealed();
beforeEach(() => {
  ({ raw, calls, keys, sealed } = givenSealed());
});

describe('the inner storage receives only sealed values, and every read returns the original', () => {
  test('a commit seals the values of the verification, and reads return them', async () => {
    await createCharged(
      sealed,
      aRecord(1, { notify: NOTIFY, idempotencyKey: 'key-1', idempotencyFingerprint: 'f' }),
    );
    await commitNext(sealed, fullRecord(1));

    const expected = { ...fullRecord(1), version: 2 };
    const { verifications } = sealed;
    const id = verificationId(1);
    expect(await verifications.find(CLIENT, id)).toEqual(expected);
    expect(await verifications.findForAnyClient(id)).toEqual(expected);
    expect(await verifications.findByIdempotencyKey(CLIENT, 'key-1')).toEqual(expected);
    expect((await verifications.findWithHistory(CLIENT, id))?.record).toEqual(expected);
    expect((await verifications.findWithEventsForAnyClient(id, 10))?.record).toEqual(expected);
    expect(await verifications.list(CLIENT, LIST)).toEqual({ records: [expected], totalCount: 1 });
    const queued = { ...expected, answers: {}, reviewData: {}, notify: null };
    expect(await verifications.queue(QUEUE)).toEqual({ records: [queued], totalCount: 1 });
    expect(await verifications.browse(CLIENT, BROWSE)).toEqual({ records: [queued], totalCount: 1 });
    expect(await createCharged(sealed, fullRecord(1))).toEqual({ outcome: 'key_used', record: expected });

    expect(JSON.stringify([calls, await recordIn(raw, 1)])).not.toContain(SECRET_NAME);
    expect(await recordIn(raw, 1)).toMatchObject({
      answers: { countersignSealed: 1 },
      reviewData: { countersignSealed: 1 },
      notify: { countersignSealed: 1 },
    });
  });

  test('a creation seals an address alone, which a commit neither seals again nor passes on', async () => {
    await createCharged(sealed, aRecord(1, { notify: NOTIFY }));
    const created = await recordIn(raw, 1);
    expect(created.notify).toMatchObject({ countersignSealed: 1 });
    await commitNext(sealed, aRecord(1, { notify: NOTIFY, currentStep: 1 }));

    expect(await recordIn(raw, 1)).toMatchObject({ currentStep: 1, notify: created.notify });
    const expected = aRecord(1, { notify: NOTIFY, currentStep: 1, version: 2 });
    expect(await sealed.verifications.find(CLIENT, verificationId(1))).toEqual(expected);
    expect(JSON.stringify(calls)).not.toContain(SECRET_NAME);
  });

  test('a list returns the values of its verifications, of which only some have personal data', async () => {
    const fresh = aRecord(1, { subjectReference: 'fresh' });
    await createCharged(sealed, fresh);
    await createCharged(sealed, fullRecord(2));
    const { verifications } = sealed;

    const listed = await verifications.list(CLIENT, LIST);
    expect(listed.records).toHaveLength(2);
    expect(listed.records).toEqual(expect.arrayContaining([fresh, fullRecord(2)]));
    const browsed = await verifications.browse(CLIENT, BROWSE);
    expect(browsed.records.map(({ answers, dataKey }) => ({ answers, dataKey }))).toEqual(
      browsed.records.map(() => ({ answers: {}, dataKey: null })),
    );
  });

  test('a creation with all values seals them, and reads return them', async () => {
    expect(await createCharged(sealed, fullRecord(1))).toEqual({ outcome: 'created' });
    expect(await sealed.verifications.find(CLIENT, verificationId(1))).toEqual(fullRecord(1));
    expect(calls.map(({ operation }) => operation)).toEqual(['verifications.createCharged', 'verifications.find']);
    expect(JSON.stringify(calls)).not.toContain(SECRET_NAME);
  });

  test('a creation with a data key seals the values with it, and reads return them', async () => {
    const id = verificationId(1);
    const dataKey = await keys.wrap(Buffer.alloc(32, 7), { clientId: CLIENT, verificationId: id });
    await createCharged(sealed, { ...fullRecord(1), dataKey });
    expect(await raw.dataKeys.find(CLIENT, id)).toEqual(dataKey);
    expect(await sealed.verifications.find(CLIENT, id)).toEqual(fullRecord(1));
  });

  test('empty values stay empty, beside sealed ones too', async () => {
    await createCharged(sealed, aRecord(1, { answers: ANSWERS }));
    expect(await recordIn(raw, 1)).toMatchObject({ reviewData: {} });
    await commitNext(sealed, aRecord(1));
    expect(await recordIn(raw, 1)).toMatchObject({ answers: {}, reviewData: {} });
    expect(await sealed.verifications.find(CLIENT, verificationId(1))).toEqual(aRecord(1, { version: 2 }));
  });
});

test.each([
  ['immediately', () => keys],
  ['over a network', () => wrappingLater(keys)],
])(
  'createCharged: later changes to the request change nothing stored, with keys that wrap %s',
  async (_, keysOf) => {
    const { verifications } = createSealedStorage(raw, { keys: keysOf() });
    const metadata = { order: { id: 7 } };
    const record = { ...fullRecord(1), requestedAt: new Date(0), metadata };
    const created = verifications.createCharged(createRequest(record));
    record.requestedAt.setTime(1);
    metadata.order.id = 8;
    record.subjectReference = 'changed';
    record.answers = {};

    expect(await created).toEqual({ outcome: 'created' });
    expect(await verifications.find(CLIENT, verificationId(1))).toEqual({
      ...fullRecord(1),
      requestedAt: new Date(0),
      metadata: { order: { id: 7 } },
    });
  },
);

test('records without personal data pass through unchanged, without any key', async () => {
  await createCharged(sealed, aRecord(1));
  const found = aRecord(1);
  const page = { records: [found, aRecord(2)], totalCount: 2 };
  const withEvents = { record: found, events: [eventTo(found)] };
  const handed = createSealedStorage(
    {
      ...raw,
      verifications: {
        ...raw.verifications,
        find: async () => found,
        list: async () => page,
        queue: async () => page,
        browse: async () => page,
        dueInSandbox: async () => page.records,
        findWithHistory: async () => withEvents,
      },
    },
    { keys },
  );

  expect(await handed.verifications.find(CLIENT, 'x')).toBe(found);
  expect(await handed.verifications.list(CLIENT, LIST)).toBe(page);
  expect(await handed.verifications.queue(QUEUE)).toBe(page);
  expect(await handed.verifications.browse(CLIENT, BROWSE)).toBe(page);
  expect((await handed.verifications.dueInSandbox(10))[1]).toBe(page.records[1]);
  expect(await handed.verifications.findWithHistory(CLIENT, 'x')).toBe(withEvents);
  expect(await sealed.verifications.find(CLIENT, 'unknown')).toBeNull();
  expect(await sealed.verifications.findWithHistory(CLIENT, 'unknown')).toBeNull();
  expect(keys.asked).toBe(0);
});

test('a commit of an unknown verification is a conflict', async () => {
  expect(await commitNext(sealed, fullRecord(1))).toEqual({ outcome: 'conflict' });
  expect(await raw.verifications.find(CLIENT, verificationId(1))).toBeNull();
});

test('all other operations pass through', async () => {
  const storage = {
    ...raw,
    apiKeys: { ...raw.apiKeys, list: async () => [] },
    clients: { ...raw.clients, usedIn: async () => 7 },
    dataKeys: { ...raw.dataKeys, countNotWrappedBy: async () => 8 },
    audit: { ...raw.audit, head: async () => ({ sequence: 9, hash: 'hash' }) },
    backup: () => 'copied',
    closed: false,
    close: async () => undefined,
  };
  const around = createSealedStorage(storage, { keys });
  expect(await around.apiKeys.list(CLIENT)).toEqual([]);
  expect(await around.clients.usedIn(CLIENT, '2026-03')).toBe(7);
  expect(await around.dataKeys.countNotWrappedBy('key')).toBe(8);
  expect(await around.audit.head()).toEqual({ sequence: 9, hash: 'hash' });
  expect([around.backup(), around.closed]).toEqual(['copied', false]);
  await around.ping();
  await around.close();
});

test('sealed storage: ping and close reach the inner storage', async () => {
  const reached: string[] = [];
  const both = createSealedStorage(
    {
      ...raw,
      ping: async () => void reached.push('ping'),
      close: async () => void reached.push('close'),
    },
    { keys },
  );
  await both.ping();
  await both.close();
  expect(reached).toEqual(['ping', 'close']);
});
