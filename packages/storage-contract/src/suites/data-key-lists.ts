import type { DataKeyEntry, Storage } from '@countersign/domain';
import { expect } from 'vitest';
import { range } from '../records/at-once.ts';
import { givenClient, givenClients } from '../records/clients.ts';
import { aDataKey, replace } from '../records/data-keys.ts';
import { clientId, verificationId } from '../records/ids.ts';
import { givenVerification } from '../records/verifications.ts';
import { type Suite, suiteOf } from '../suite.ts';

/** What a rotation of keys goes through: every data key that another key has wrapped, page by page. */
export const dataKeyListsSuite: Suite = suiteOf('lists of data keys', {
  'without data keys there is nothing to list or to count': async (storage) => {
    await givenClient(storage);
    await givenVerification(storage, 1);

    expect(await storage.dataKeys.listNotWrappedBy('key-1', null, 10)).toEqual([]);
    expect(await storage.dataKeys.countNotWrappedBy('key-1')).toBe(0);
  },

  'those that other keys have wrapped are listed and counted, whichever client’s': async (storage) => {
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

  'pages follow one another in the order of verifications': async (storage) => {
    await givenNine(storage);
    const page = (after: string | null, limit: number) => storage.dataKeys.listNotWrappedBy('key-3', after, limit);

    expect(await page(null, 1)).toEqual(entries(1));
    expect(await page(null, 4)).toEqual(entries(1, 2, 4, 5));
    expect(await page(verificationId(5), 4)).toEqual(entries(7, 8));
    // Whether there is one to go on after, and whether it still has another key's data key, makes no difference.
    expect(await page(verificationId(3), 2)).toEqual(entries(4, 5));
    expect(await page(verificationId(8), 4)).toEqual([]);
    expect(await page(verificationId(100), 4)).toEqual([]);
  },

  'what is wrapped anew is listed and counted no more': async (storage) => {
    await givenNine(storage);
    const { dataKeys } = storage;

    for (let after: string | null = null, left = 3; ; left -= 1) {
      expect(await dataKeys.countNotWrappedBy('key-2')).toBe(left);
      const [entry]: readonly DataKeyEntry[] = await dataKeys.listNotWrappedBy('key-2', after, 1);
      if (entry === undefined) break;
      const next = { wrappedBy: 'key-2', wrapped: 'anew' };
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

/** Of two clients by turns. By turns too, their data keys are wrapped by the first key, by the second, or there is none. */
async function givenNine(storage: Storage): Promise<void> {
  await givenClients(storage, 2);
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
