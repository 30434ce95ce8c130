import { expect } from 'vitest';
import { givenClient, givenClients } from '../records/clients.ts';
import { aDataKey, givenDataKey, replace } from '../records/data-keys.ts';
import { eventOf } from '../records/events.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { pictureOf } from '../records/picture.ts';
import { aQuery } from '../records/queries.ts';
import { aQueueQuery, asQueued } from '../records/queue.ts';
import { aRecord, moved } from '../records/records.ts';
import { commit, createCharged, givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

const KEYED = { idempotencyKey: 'key', idempotencyFingerprint: '1'.repeat(64) };

/** The data key of one verification: replaced by compare-and-set, and by nothing else. */
export const dataKeysSuite: Suite = suiteOf('data keys', {
  'a verification has none at first': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);

    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toBeNull();
  },

  'the first one is put where none is, and is read the same by every way': async (storage) => {
    await givenClient(storage);
    const record = await givenVerification(storage, 1, { status: 'submitted', ...KEYED });
    const dataKey = await givenDataKey(storage, 1, aDataKey(1));
    const sealed = { ...record, dataKey };
    const { verifications } = storage;

    expect(await storage.dataKeys.find(clientId(1), record.id)).toEqual(dataKey);
    expect(await verifications.find(clientId(1), record.id)).toEqual(sealed);
    expect(await verifications.findForAnyClient(record.id)).toEqual(sealed);
    expect(await verifications.findByIdempotencyKey(clientId(1), 'key')).toEqual(sealed);
    expect((await verifications.findWithEvents(clientId(1), record.id))?.record).toEqual(sealed);
    expect((await verifications.findWithEventsForAnyClient(record.id))?.record).toEqual(sealed);
    expect((await verifications.list(clientId(1), aQuery())).records).toEqual([sealed]);
    expect((await verifications.queue(aQueueQuery())).records).toEqual([asQueued(sealed)]);
    expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'key_used', record: sealed });
  },

  'one that a creation brings is kept': async (storage) => {
    await givenClient(storage);
    const record = aRecord(1, { dataKey: aDataKey(1) });
    await createCharged(storage, record);

    expect(await storage.dataKeys.find(clientId(1), record.id)).toEqual(aDataKey(1));
    expect(await storage.verifications.find(clientId(1), record.id)).toEqual(record);
  },

  'the longest there may be are kept whole': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
    const first = { wrappedBy: printable.slice(0, 64), wrapped: 'x_-0'.repeat(512) };
    const second = { wrappedBy: printable.slice(31), wrapped: 'A' };

    await givenDataKey(storage, 1, first);
    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(first);
    await replace(storage, 1, second, { expected: first });
    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(second);
  },

  'the one that is expected is replaced, also by itself wrapped anew': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    let expected = await givenDataKey(storage, 1, aDataKey(1));

    for (const next of [aDataKey(1, 'key-2'), aDataKey(2, 'key-2'), aDataKey(1), aDataKey(1)]) {
      expect(await replace(storage, 1, next, { expected })).toEqual({ outcome: 'replaced' });
      expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(next);
      expected = next;
    }
  },

  'where another one is expected it is a conflict, and changes nothing': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);
    await givenVerification(storage, 2);
    await givenDataKey(storage, 1, aDataKey(1));
    const before = await pictureOf(storage);

    for (const expected of [null, aDataKey(2), aDataKey(1, 'key-2'), aDataKey(1, 'KEY-1')]) {
      expect(await replace(storage, 1, aDataKey(9), { expected })).toEqual({ outcome: 'conflict' });
    }
    expect(await replace(storage, 2, aDataKey(9), { expected: aDataKey(1) })).toEqual({ outcome: 'conflict' });

    expect(await pictureOf(storage)).toEqual(before);
  },

  'of an unknown verification, and of another client’s, there is none': async (storage) => {
    await givenClients(storage, 2);
    await givenVerification(storage, 1);
    const dataKey = await givenDataKey(storage, 1, aDataKey(1));
    const before = await pictureOf(storage);
    const mine = [clientId(1), verificationId(1)] as const;

    for (const [client, verification] of [
      [clientId(2), mine[1]],
      [mine[0], verificationId(2)],
      [mine[0], 'not-an-id'],
      ['', '\u0000'],
    ] as const) {
      expect(await storage.dataKeys.find(client, verification)).toBeNull();
      for (const expected of [null, dataKey]) {
        const other = { clientId: client, verificationId: verification, expected };
        expect(await replace(storage, 1, aDataKey(2), other)).toEqual({ outcome: 'conflict' });
      }
    }

    expect(await pictureOf(storage)).toEqual(before);
  },

  'replacing it touches nothing else, of this verification or of another': async (storage) => {
    await givenClient(storage);
    const record = await givenVerification(storage, 1, { status: 'submitted', metadata: { kept: true } });
    await givenVerification(storage, 2);
    const before = await pictureOf(storage);

    await givenDataKey(storage, 1, aDataKey(1));
    await replace(storage, 1, aDataKey(2), { expected: aDataKey(1) });

    const [picture] = before;
    const others = picture?.verifications.filter((other) => other?.id !== record.id) ?? [];
    const sealed = { ...record, dataKey: aDataKey(2) };
    expect(await pictureOf(storage)).toEqual([{ ...picture, verifications: [sealed, ...others] }]);
    expect(await commit(storage, moved(record, 'approved'))).toEqual({ outcome: 'committed' });
  },

  'a commit leaves it, whatever the record says': async (storage) => {
    await givenClient(storage);
    const first = await givenVerification(storage, 1);
    await commit(storage, moved(first, 'pending', { dataKey: aDataKey(8) }));
    expect(await storage.dataKeys.find(clientId(1), first.id)).toBeNull();

    const dataKey = await givenDataKey(storage, 1, aDataKey(1));
    for (const [index, said] of [null, aDataKey(9), aDataKey(1, 'key-2')].entries()) {
      const version = index + 3;
      const record = { ...moved(first, 'pending', { answers: { index } }), version, dataKey: said };
      expect(await commit(storage, record)).toEqual({ outcome: 'committed' });
      const stored = await storage.verifications.findWithEvents(clientId(1), first.id);
      expect(stored?.record).toEqual({ ...record, dataKey });
      expect(stored?.events.at(-1)).toEqual(eventOf(record));
    }
  },
});
