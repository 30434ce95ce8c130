import type { CountersignError } from '@countersign/domain';
import { NEW_FLOW_SETTINGS, NO_TEMPLATES } from '@countersign/domain/clients';
import { BUILT_IN_FLOWS } from '@countersign/domain/flows';
import {
  findUnreadable,
  isUnreadable,
  type Storage,
  unreadableRecord,
  type VerificationRecord,
} from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { BROWSE, LIST, QUEUE } from '@countersign/test-support/records/queries';
import { beforeEach, describe, expect, test } from 'vitest';
import { countingKeys, NEW, OLD } from '../test-support/keys.ts';
import {
  ANSWERS,
  aRecord,
  CLIENT,
  createCharged,
  fullRecord,
  recordIn,
  SECRET_NAME,
  verificationId,
} from '../test-support/records.ts';
import { createKeyRing } from './key-ring.ts';
import { createSealedStorage } from './sealed-storage.ts';

let raw: Storage;
let keys: ReturnType<typeof countingKeys>;
let sealed: Storage;
beforeEach(() => {
  raw = createMemoryStorage();
  keys = countingKeys();
  sealed = createSealedStorage(raw, { keys });
});

describe('a read rejects with the id of the verification and none of its content,', () => {
  beforeEach(async () => {
    await createCharged(sealed, fullRecord(1));
    await createCharged(sealed, fullRecord(2));
  });

  type Part = 'answers' | 'reviewData' | 'notify';
  /** The part with the sealed value of another place. */
  const copied = (part: Part, n: number, from: Part) => async () => ({ [part]: (await recordIn(raw, n))[from] });
  const wrappedBy = (secret: Uint8Array, length: number) => async () => {
    const context = { clientId: CLIENT, verificationId: verificationId(1) };
    return { dataKey: await createKeyRing([secret]).wrap(Buffer.alloc(length), context) };
  };
  const tamperings: [name: string, code: string, change: () => Promise<object>][] = [
    ['where answers are in the clear', 'NOT_SEALED', async () => ({ answers: ANSWERS })],
    ['if answers were copied from reviewData', 'DAMAGED', copied('answers', 1, 'reviewData')],
    ['if answers were copied from another verification', 'DAMAGED', copied('answers', 2, 'answers')],
    [
      'if answers and data key were copied from another verification',
      'DAMAGED',
      async () => {
        const { answers, reviewData, dataKey } = await recordIn(raw, 2);
        return { answers, reviewData, dataKey };
      },
    ],
    ['where the address is in the clear', 'NOT_SEALED', async () => ({ notify: { email: SECRET_NAME } })],
    ['if the address was copied from another verification', 'DAMAGED', copied('notify', 2, 'notify')],
    ['if the address was copied from answers', 'DAMAGED', copied('notify', 1, 'answers')],
    ['where the data key is gone', 'NO_DATA_KEY', async () => ({ dataKey: null })],
    ['where it belongs to another client', 'DAMAGED', async () => ({ clientId: 'client-2' })],
    ['if no known key wrapped the data key', 'UNKNOWN_KEY', wrappedBy(NEW, 32)],
    ['if the data key has another length', 'DAMAGED', wrappedBy(OLD, 16)],
  ];

  test.each(tamperings)('%s', async (_, code, change) => {
    const record = { ...(await recordIn(raw, 1)), ...(await change()) };
    const tampered = createSealedStorage(
      { ...raw, verifications: { ...raw.verifications, find: async () => record } },
      { keys },
    );
    const refusal: unknown = await tampered.verifications
      .find(CLIENT, verificationId(1))
      .catch((error: unknown) => error);
    const fault = code === 'UNKNOWN_KEY' ? (refusal as CountersignError).cause : refusal;
    if (code === 'UNKNOWN_KEY') expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(fault).toMatchObject({ name: 'SealingError', code, verificationId: verificationId(1) });
    expect(String(fault)).toContain(verificationId(1));
    expect(String(fault)).not.toContain(SECRET_NAME);
  });
});

describe('if one of several is damaged,', () => {
  beforeEach(async () => {
    for (const n of [1, 2, 3]) await createCharged(sealed, fullRecord(n));
    await raw.verifications.commit({
      record: { ...(await recordIn(raw, 2)), version: 2, answers: { countersignSealed: 1, data: 'AAAA' } },
      expectedVersion: 1,
      events: [],
    });
  });
  const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
  const all = [1, 2, 3].map(verificationId);

  test('the queue lists all of them, without answers and reviewData, and asks for no key', async () => {
    keys.asked = 0;
    const { records, totalCount } = await sealed.verifications.queue(QUEUE);
    expect(totalCount).toBe(3);
    expect(idsOf(records)).toEqual(all);
    expect(records.map(({ answers, reviewData, dataKey }) => ({ answers, reviewData, dataKey }))).toEqual(
      all.map(() => ({ answers: {}, reviewData: {}, dataKey: null })),
    );
    expect(keys.asked).toBe(0);
  });

  test('the queue lists all of them even if every secret is lost', async () => {
    const withoutSecret = createSealedStorage(raw, { keys: countingKeys([NEW]) });
    expect(idsOf((await withoutSecret.verifications.queue(QUEUE)).records)).toEqual(all);
  });

  test('browse and counts include all of them and ask for no key', async () => {
    keys.asked = 0;
    const { records, totalCount } = await sealed.verifications.browse(CLIENT, BROWSE);
    expect(totalCount).toBe(3);
    expect(idsOf(records)).toEqual(all.toReversed());
    expect(records.map(({ answers, reviewData, dataKey }) => ({ answers, reviewData, dataKey }))).toEqual(
      all.map(() => ({ answers: {}, reviewData: {}, dataKey: null })),
    );
    expect(await sealed.verifications.counts(CLIENT)).toEqual([
      { day: 20_522, type: 'kyc', counts: expect.objectContaining({ pending: 3 }) },
    ]);
    expect(keys.asked).toBe(0);
  });

  test('list: the damaged one keeps its place and throws when its documents are read', async () => {
    const { records, totalCount } = await sealed.verifications.list(CLIENT, LIST);
    expect(totalCount).toBe(3);
    expect(idsOf(records).toSorted()).toEqual(all);
    const damaged = records.filter(isUnreadable);
    expect(idsOf(damaged)).toEqual([verificationId(2)]);
    expect(() => damaged[0]?.answers).toThrow(
      `The sealed answers of verification ${verificationId(2)} are damaged`,
    );
    for (const n of [1, 3]) {
      expect(records.find(({ id }) => id === verificationId(n))).toEqual({ ...fullRecord(n), dataKey: null });
    }
  });

  test('the others can be read', async () => {
    expect(await sealed.verifications.find(CLIENT, verificationId(3))).toEqual(fullRecord(3));
    await expect(sealed.verifications.findWithEventsForAnyClient(verificationId(2), 10)).rejects.toMatchObject({
      verificationId: verificationId(2),
    });
  });
});

// A row with metadata `[]` once made the dashboard answer 500 and ended `doctor` without the id.
describe('where the inner storage cannot parse one of several records,', () => {
  const fault = new Error(
    `The stored verification ${verificationId(2)} is corrupt: metadata is not a JSON object`,
  );
  const damaged = (record: VerificationRecord) =>
    record.id === verificationId(2) ? unreadableRecord({ ...record, metadata: {} }, fault) : record;
  const damagedPage = <P extends { readonly records: readonly VerificationRecord[] }>(page: P): P => ({
    ...page,
    records: page.records.map(damaged),
  });
  let store: Storage;
  beforeEach(async () => {
    await raw.clients.create({
      client: {
        id: CLIENT,
        name: 'Acme',
        createdAt: new Date('2026-03-01T00:00:00Z'),
        returnAddresses: [],
        testOf: null,
        fileAccess: false,
        flowSettings: NEW_FLOW_SETTINGS,
        reasonTemplates: NO_TEMPLATES,
      },
      subscription: null,
    });
    for (const n of [1, 2, 3]) await createCharged(sealed, n === 3 ? aRecord(3) : fullRecord(n));
    const { verifications } = raw;
    const inner: Storage['verifications'] = {
      ...verifications,
      queue: (query) => verifications.queue(query).then(damagedPage),
      browse: (clientId, query) => verifications.browse(clientId, query).then(damagedPage),
      list: (clientId, query) => verifications.list(clientId, query).then(damagedPage),
      findForAnyClient: (id) =>
        id === verificationId(2) ? Promise.reject(fault) : verifications.findForAnyClient(id),
    };
    store = createSealedStorage({ ...raw, verifications: inner }, { keys });
  });

  test.each([
    ['queue', () => store.verifications.queue(QUEUE)],
    ['browse', () => store.verifications.browse(CLIENT, BROWSE)],
    ['list', () => store.verifications.list(CLIENT, LIST)],
  ])('%s: the unreadable record keeps its place, and the others are as ever', async (_operation, read) => {
    const { records, totalCount } = await read();
    expect(totalCount).toBe(3);
    expect(records.map(({ id }) => id).toSorted()).toEqual([1, 2, 3].map(verificationId));
    const unreadable = records.filter(isUnreadable);
    expect(unreadable.map(({ id, status }) => [id, status])).toEqual([[verificationId(2), 'pending']]);
    expect(() => unreadable[0]?.answers).toThrow(fault);
  });

  test('findUnreadable names it', async () => {
    const faults = new Map<string, unknown>();
    for await (const found of findUnreadable(store, BUILT_IN_FLOWS)) faults.set(found.verificationId, found.fault);
    expect(faults.get(verificationId(2))).toBe(fault);
  });
});
