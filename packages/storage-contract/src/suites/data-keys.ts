import type { DataKeyEntry, Storage, WrappedDataKey } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../records/at-once.ts';
import { givenClient } from '../records/clients.ts';
import { aDataKey, givenDataKey, replace } from '../records/data-keys.ts';
import { eventOf } from '../records/events.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { expectUnchanged, pictureOf } from '../records/picture.ts';
import { expectEveryRead } from '../records/queries.ts';
import { aRecord, keyedBy, moved } from '../records/records.ts';
import {
  commit,
  createCharged,
  givenVerification,
  givenVerifications,
  wholeOf,
} from '../records/verifications.ts';
import { type Suite, suiteGiven } from '../suite.ts';

const KEYED = keyedBy('key');

/** Data keys: changed only by compare-and-set. */
export const dataKeysSuite: Suite = suiteGiven('data keys', givenClient, {
  'find: a new verification has no data key': async (storage) => {
    await givenVerification(storage, 1);

    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toBeNull();
  },

  'replace: writes the first data key, and every read operation returns it': async (storage) => {
    const record = await givenVerification(storage, 1, { status: 'submitted', ...KEYED });
    const dataKey = await givenDataKey(storage, 1, aDataKey(1));
    const sealed = { ...record, dataKey };

    expect(await storage.dataKeys.find(clientId(1), record.id)).toEqual(dataKey);
    await expectEveryRead(storage, sealed);
    expect(await createCharged(storage, aRecord(2, KEYED))).toEqual({ outcome: 'key_used', record: sealed });
  },

  'create: keeps the data key of the request': async (storage) => {
    const record = aRecord(1, { dataKey: aDataKey(1) });
    await createCharged(storage, record);

    expect(await storage.dataKeys.find(clientId(1), record.id)).toEqual(aDataKey(1));
    expect(await storage.verifications.find(clientId(1), record.id)).toEqual(record);
  },

  'replace: keeps the longest data keys whole': async (storage) => {
    await givenVerification(storage, 1);
    const printable = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
    const first = { wrappedBy: printable.slice(0, 64), wrapped: 'x_-0'.repeat(512) };
    const second = { wrappedBy: printable.slice(31), wrapped: 'A' };

    await givenDataKey(storage, 1, first);
    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(first);
    await replace(storage, 1, second, { expected: first });
    expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(second);
  },

  'replace: replaces the expected data key, also with the same key wrapped again': async (storage) => {
    await givenVerification(storage, 1);
    let expected = await givenDataKey(storage, 1, aDataKey(1));

    for (const next of [aDataKey(1, 'key-2'), aDataKey(2, 'key-2'), aDataKey(1), aDataKey(1)]) {
      expect(await replace(storage, 1, next, { expected })).toEqual({ outcome: 'replaced' });
      expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(next);
      expected = next;
    }
  },

  'replace: is a conflict and changes nothing when another data key is expected': async (storage) => {
    await givenVerification(storage, 1);
    await givenVerification(storage, 2);
    await givenDataKey(storage, 1, aDataKey(1));

    await expectUnchanged(storage, async () => {
      for (const expected of [null, aDataKey(2), aDataKey(1, 'key-2'), aDataKey(1, 'KEY-1')]) {
        expect(await replace(storage, 1, aDataKey(9), { expected })).toEqual({ outcome: 'conflict' });
      }
      expect(await replace(storage, 2, aDataKey(9), { expected: aDataKey(1) })).toEqual({ outcome: 'conflict' });
    });
  },

  'find: an unknown verification and another client’s have no data key': async (storage) => {
    await givenClient(storage, 2);
    await givenVerification(storage, 1);
    const dataKey = await givenDataKey(storage, 1, aDataKey(1));

    await expectUnchanged(storage, async () => {
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
    });
  },

  'replace: changes nothing else of this verification or others': async (storage) => {
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

  'commit: ignores the data key of the record': async (storage) => {
    const first = await givenVerification(storage, 1);
    await commit(storage, moved(first, 'pending', { dataKey: aDataKey(8) }));
    expect(await storage.dataKeys.find(clientId(1), first.id)).toBeNull();

    const dataKey = await givenDataKey(storage, 1, aDataKey(1));
    for (const [index, said] of [null, aDataKey(9), aDataKey(1, 'key-2')].entries()) {
      const version = index + 3;
      const record = { ...moved(first, 'pending', { answers: { index } }), version, dataKey: said };
      expect(await commit(storage, record)).toEqual({ outcome: 'committed' });
      const stored = await wholeOf(storage, first.id);
      expect(stored?.record).toEqual({ ...record, dataKey });
      expect(stored?.events.at(-1)).toEqual(eventOf(record));
    }
  },
});

/** Concurrent replacements have one winner; a replacement and a change of the verification both hold. */
export const dataKeysAtOnceSuite: Suite = suiteGiven('concurrent data keys', givenClient, {
  'replace: of twenty at once that write the first, one succeeds': async (storage) => {
    await givenVerification(storage, 1);

    await expectOneOfTwenty(storage, 'key-1', null);
  },

  'replace: of twenty at once that rewrap one, one succeeds': async (storage) => {
    await givenVerification(storage, 1);

    await expectOneOfTwenty(storage, 'key-2', await givenDataKey(storage, 1, aDataKey(100)));
  },

  'replace: of many at once for different verifications, all succeed': async (storage) => {
    await givenVerifications(storage, [1, 20]);

    const outcomes = await atOnce(20, (n) => replace(storage, n + 1, aDataKey(n + 1)));

    expect(tally(outcomes)).toEqual({ replaced: 20 });
    for (const n of range(1, 20)) {
      expect(await storage.dataKeys.find(clientId(1), verificationId(n))).toEqual(aDataKey(n));
    }
  },

  'replace: holds beside a change of the verification at the same time': async (storage) => {
    await givenVerifications(storage, [1, 20]);
    for (const n of range(1, 20)) if (n % 2 === 0) await givenDataKey(storage, n, aDataKey(n));
    const changes = range(1, 20).map((n) => moved(aRecord(n), 'submitted', { answers: { n } }));
    const next = (n: number) => aDataKey(n, 'key-2');

    const outcomes = await Promise.all(
      range(1, 20).flatMap((n) => {
        const expected = n % 2 === 0 ? aDataKey(n) : null;
        const change = changes[n - 1] ?? aRecord(n);
        const both = [() => replace(storage, n, next(n), { expected }), () => commit(storage, change)];
        return (n % 3 === 0 ? both : both.toReversed()).map((begin) => begin());
      }),
    );

    expect(tally(outcomes)).toEqual({ replaced: 20, committed: 20 });
    for (const [index, change] of changes.entries()) {
      const stored = await storage.verifications.find(clientId(1), change.id);
      expect(stored).toEqual({ ...change, dataKey: next(index + 1) });
    }
  },
});

async function expectOneOfTwenty(storage: Storage, key: string, expected: WrappedDataKey | null): Promise<void> {
  const outcomes = await atOnce(20, (n) => replace(storage, 1, aDataKey(n, key), { expected }));

  expect(tally(outcomes)).toEqual({ replaced: 1, conflict: 19 });
  const winner = outcomes.findIndex(({ outcome }) => outcome === 'replaced');
  expect(await storage.dataKeys.find(clientId(1), verificationId(1))).toEqual(aDataKey(winner, key));
}

/** Pages of the data keys that other keys have wrapped, as a rotation reads them. */
export const dataKeyListsSuite: Suite = suiteGiven('lists of data keys', givenClient, {
  'list: is empty without data keys': async (storage) => {
    await givenVerification(storage, 1);

    expect(await storage.dataKeys.listNotWrappedBy('key-1', null, 10)).toEqual([]);
    expect(await storage.dataKeys.countNotWrappedBy('key-1')).toBe(0);
  },

  'list: returns and counts data keys wrapped by other keys, of all clients': async (storage) => {
    await givenNine(storage);
    const { dataKeys } = storage;

    expect(await dataKeys.listNotWrappedBy('key-1', null, 100)).toEqual(entries(2, 5, 8));
    expect(await dataKeys.listNotWrappedBy('key-2', null, 100)).toEqual(entries(1, 4, 7));
    expect(await dataKeys.listNotWrappedBy('key-3', null, 100)).toEqual(entries(1, 2, 4, 5, 7, 8));
    for (const [key, count] of [
      ['key-1', 3],
      ['key-2', 3],
      ['key-3', 6],
      ['KEY-1', 6],
      ['key', 6],
    ] as const) {
      expect(await dataKeys.countNotWrappedBy(key), key).toBe(count);
    }
  },

  'list: pages follow the order of verifications': async (storage) => {
    await givenNine(storage);
    const page = (after: string | null, limit: number) => storage.dataKeys.listNotWrappedBy('key-3', after, limit);

    expect(await page(null, 1)).toEqual(entries(1));
    expect(await page(null, 4)).toEqual(entries(1, 2, 4, 5));
    expect(await page(verificationId(5), 4)).toEqual(entries(7, 8));
    // A page may start after a verification that is not listed.
    expect(await page(verificationId(3), 2)).toEqual(entries(4, 5));
    expect(await page(verificationId(8), 4)).toEqual([]);
    expect(await page(verificationId(100), 4)).toEqual([]);
  },

  'listOneOfEachKey: returns one data key of each wrapping key, of all clients': async (storage) => {
    await givenNine(storage);
    const { dataKeys } = storage;
    await replace(storage, 8, aDataKey(8, 'KEY-1'), { clientId: ownerOf(8), expected: aDataKey(8, 'key-2') });

    const found = await dataKeys.listOneOfEachKey(10);

    expect(found.map(({ dataKey }) => dataKey.wrappedBy).sort()).toEqual(['KEY-1', 'key-1', 'key-2']);
    for (const entry of found)
      expect(await dataKeys.find(entry.clientId, entry.verificationId)).toEqual(entry.dataKey);
    expect(await dataKeys.listOneOfEachKey(2)).toHaveLength(2);
  },

  'listOneOfEachKey: is empty without data keys, and forgets a key that wraps none any more': async (storage) => {
    const { dataKeys } = storage;
    await givenVerification(storage, 1);
    expect(await dataKeys.listOneOfEachKey(10)).toEqual([]);

    const expected = await givenDataKey(storage, 1, aDataKey(1));
    const next = aDataKey(1, 'key-2');
    await replace(storage, 1, next, { expected });

    expect(await dataKeys.listOneOfEachKey(10)).toEqual([
      { clientId: clientId(1), verificationId: verificationId(1), dataKey: next },
    ]);
  },

  'list: leaves out data keys that were rewrapped': async (storage) => {
    await givenNine(storage);
    const { dataKeys } = storage;

    for (let after: string | null = null, left = 3; ; left -= 1) {
      expect(await dataKeys.countNotWrappedBy('key-2')).toBe(left);
      const [entry]: readonly DataKeyEntry[] = await dataKeys.listNotWrappedBy('key-2', after, 1);
      if (entry === undefined) break;
      const next = { wrappedBy: 'key-2', wrapped: 're-wrapped' };
      const { dataKey: expected, ...whose } = entry;
      expect(await dataKeys.replace({ ...whose, expected, next })).toEqual({ outcome: 'replaced' });
      after = entry.verificationId;
    }

    expect(await dataKeys.listNotWrappedBy('key-2', null, 100)).toEqual([]);
    expect(await dataKeys.countNotWrappedBy('key-1')).toBe(6);
  },
});

const wrappedBy = (n: number): string => `key-${n % 3}`;
const ownerOf = (n: number): string => clientId(n % 2 === 0 ? 1 : 2);

/** Nine verifications of two clients; a third of them wrapped by key-1, a third by key-2, a third without a data key. */
async function givenNine(storage: Storage): Promise<void> {
  await givenClient(storage, 2);
  for (const n of range(1, 9).reverse()) {
    await givenVerification(storage, n, { clientId: ownerOf(n) });
    const given = { clientId: ownerOf(n) };
    if (n % 3 > 0) await replace(storage, n, aDataKey(n, wrappedBy(n)), given);
  }
}

function entries(...numbers: number[]): DataKeyEntry[] {
  return numbers.map((n) => ({
    clientId: ownerOf(n),
    verificationId: verificationId(n),
    dataKey: aDataKey(n, wrappedBy(n)),
  }));
}
