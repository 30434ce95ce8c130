import type { ExportRequest } from '@countersign/domain/exports';
import type { ExportQuery, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce } from '../../records/at-once.ts';
import { aRefusal, givenReleased, givenRequest } from '../../records/exports.ts';
import { clientId, exportId, minute } from '../../records/ids.ts';
import { NO_IDS } from '../../records/retention.ts';
import { type Suite, suiteGiven } from '../../suite.ts';
import { givenExportable } from './requests.ts';

/** Exports 1 and 3 are released, and expire one after the other; 2 and 4 wait, 4 for another client. */
async function givenExports(storage: Storage): Promise<readonly ExportRequest[]> {
  await givenExportable(storage);
  return [
    await givenReleased(storage, 3, { expiresAt: minute(210) }),
    await givenRequest(storage, 2),
    await givenReleased(storage, 1, { expiresAt: minute(220) }),
    await givenRequest(storage, 4, { clientId: clientId(2) }),
  ].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

const idsOf = async ({ exports }: Storage, given: Partial<ExportQuery> = {}): Promise<string[]> =>
  (await exports.list({ waiting: false, after: null, limit: 10, ...given })).map(({ id }) => id);
const ids = (...numbers: number[]): string[] => numbers.map(exportId);

/** Lists of exports, and the deletion of those that ended long ago. */
export const exportListsSuite: Suite = suiteGiven('export lists', givenExports, {
  'list: returns whole exports of all clients, the newest first': async ({ exports }, stored) => {
    expect(await exports.list({ waiting: false, after: null, limit: 10 })).toEqual(stored.toReversed());
  },

  'list: returns those of one client, and those that wait for a release': async (storage) => {
    expect(await idsOf(storage, { clientId: clientId(1) })).toEqual(ids(3, 2, 1));
    expect(await idsOf(storage, { clientId: clientId(2) })).toEqual(ids(4));
    expect(await idsOf(storage, { waiting: true })).toEqual(ids(4, 2));
    expect(await idsOf(storage, { waiting: true, clientId: clientId(1) })).toEqual(ids(2));
  },

  'list: leaves out declined requests of those that wait': async (storage) => {
    await storage.exports.decline(aRefusal(2));
    expect(await idsOf(storage, { waiting: true })).toEqual(ids(4));
    expect(await idsOf(storage)).toEqual(ids(4, 3, 2, 1));
  },

  'list: continues after an export, up to the limit': async (storage) => {
    expect(await idsOf(storage, { limit: 2 })).toEqual(ids(4, 3));
    expect(await idsOf(storage, { limit: 2, after: exportId(3) })).toEqual(ids(2, 1));
    expect(await idsOf(storage, { limit: 2, after: exportId(1) })).toEqual([]);
    expect(await idsOf(storage, { clientId: clientId(1), after: exportId(3), limit: 1 })).toEqual(ids(2));
    expect(await idsOf(storage, { waiting: true, after: exportId(4) })).toEqual(ids(2));
  },

  'list: finds nothing for a client that is unknown or cannot be one': async (storage) => {
    for (const id of NO_IDS) expect(await idsOf(storage, { clientId: id }), JSON.stringify(id)).toEqual([]);
  },

  'forget: deletes those that expired before a time, and leaves those that wait': async (storage) => {
    expect(await storage.exports.forget({ before: minute(220), limit: 10 })).toBe(1);
    expect(await idsOf(storage)).toEqual(ids(4, 2, 1));
    expect(await storage.exports.forget({ before: minute(220, 1), limit: 10 })).toBe(1);
    expect(await idsOf(storage)).toEqual(ids(4, 2));
    expect(await storage.exports.forget({ before: minute(99_999), limit: 10 })).toBe(0);
  },

  'forget: deletes those that were declined before a time, up to the limit': async (storage) => {
    const { exports } = storage;
    await exports.decline(aRefusal(2, { declinedAt: minute(200) }));
    await exports.decline(aRefusal(4, { clientId: clientId(2), declinedAt: minute(205) }));

    expect(await exports.forget({ before: minute(200), limit: 10 })).toBe(0);
    expect(await exports.forget({ before: minute(206), limit: 1 })).toBe(1);
    expect(await idsOf(storage)).toEqual(ids(4, 3, 1));
    expect(await exports.forget({ before: minute(215), limit: 10 })).toBe(2);
    expect(await idsOf(storage)).toEqual(ids(1));
  },

  'forget: deletes up to the limit, those that expired first': async (storage) => {
    expect(await storage.exports.forget({ before: minute(500), limit: 1 })).toBe(1);
    expect(await idsOf(storage)).toEqual(ids(4, 2, 1));
  },

  'forget: of several at once, each export is counted once': async (storage) => {
    const counts = await atOnce(6, () => storage.exports.forget({ before: minute(500), limit: 10 }));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await idsOf(storage)).toEqual(ids(4, 2));
  },
});
