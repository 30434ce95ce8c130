import { EXPORT_CODE_ATTEMPTS, EXPORT_DOWNLOADS, type ExportRequest } from '@countersign/domain/exports';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range, tally } from '../../records/at-once.ts';
import { aRefusal, EXPIRES_AT, givenReleased, givenRequest } from '../../records/exports.ts';
import { exportId, minute } from '../../records/ids.ts';
import { NO_IDS } from '../../records/retention.ts';
import { type Suite, suiteGiven } from '../../suite.ts';
import { givenExportable } from './requests.ts';

async function givenReleasedOnce(storage: Storage): Promise<ExportRequest> {
  await givenExportable(storage);
  await givenReleased(storage, 2);
  return givenReleased(storage, 1);
}

const wrongCodes = async ({ exports }: Storage, n = 1) => (await exports.find(exportId(n)))?.wrongCodes;
const MARKED = { outcome: 'marked' };
const ENDED = { outcome: 'ended' };

/** The codes of a release: wrong ones are counted, and the right one counts until then. */
export const exportCodesSuite: Suite = suiteGiven('export codes', givenReleasedOnce, {
  'countWrongCode: counts up to the last attempt, and only this release': async (storage, release) => {
    for (const n of range(1, EXPORT_CODE_ATTEMPTS)) expect(await storage.exports.countWrongCode(release)).toBe(n);

    expect(await storage.exports.countWrongCode(release)).toBeNull();
    expect([await wrongCodes(storage), await wrongCodes(storage, 2)]).toEqual([EXPORT_CODE_ATTEMPTS, 0]);
    expect(await storage.exports.find(exportId(1))).toEqual({ ...release, wrongCodes: EXPORT_CODE_ATTEMPTS });
  },

  'countWrongCode: of many at once, each is counted once and no more than the attempts': async (
    storage,
    release,
  ) => {
    const counts = await atOnce(12, () => storage.exports.countWrongCode(release));

    const counted = counts.filter((count) => count !== null);
    expect(counted.toSorted()).toEqual(range(1, EXPORT_CODE_ATTEMPTS));
    expect(await wrongCodes(storage)).toBe(EXPORT_CODE_ATTEMPTS);
  },

  'countWrongCode, markDownloaded: find nothing before the release, of an earlier release or without an id':
    async (storage, release) => {
      const { exports } = storage;
      await givenRequest(storage, 3);
      const { id, linkVersion } = release;
      const unknown = NO_IDS.map((none) => ({ id: none, linkVersion }));
      const other = [linkVersion - 1, linkVersion + 1].map((version) => ({ id, linkVersion: version }));
      for (const each of [{ id: exportId(3), linkVersion: 0 }, ...other, ...unknown]) {
        expect(await exports.countWrongCode(each), JSON.stringify(each)).toBeNull();
        expect(await exports.markDownloaded(each, minute(110)), JSON.stringify(each)).toEqual(ENDED);
      }
      expect(await exports.find(id)).toEqual(release);
      expect(await wrongCodes(storage, 3)).toBe(0);
    },

  'markDownloaded: sets the time of the last download, until the release expires': async (storage, release) => {
    const { exports } = storage;
    const last = new Date(EXPIRES_AT.getTime() - 1);
    for (const [index, at] of [minute(110, 1), last].entries()) {
      expect(await exports.markDownloaded(release, at)).toEqual(MARKED);
      expect(await exports.find(exportId(1))).toEqual({ ...release, downloadedAt: at, downloads: index + 1 });
    }
    expect(await exports.markDownloaded(release, EXPIRES_AT)).toEqual(ENDED);
    expect((await exports.find(exportId(1)))?.downloadedAt).toEqual(last);
    expect((await exports.find(exportId(2)))?.downloadedAt).toBeNull();
  },

  'markDownloaded: of many at once, counts up to the last download, and only of this release': async (
    storage,
    release,
  ) => {
    const { exports } = storage;
    const results = await atOnce(12, () => exports.markDownloaded(release, minute(110)));

    expect(tally(results)).toEqual({ marked: EXPORT_DOWNLOADS, ended: 12 - EXPORT_DOWNLOADS });
    const marked = { ...release, downloadedAt: minute(110), downloads: EXPORT_DOWNLOADS };
    expect(await exports.find(exportId(1))).toEqual(marked);
    expect((await exports.find(exportId(2)))?.downloads).toBe(0);
  },

  'markDownloaded: is possible up to the last download, and no more after it': async ({ exports }, release) => {
    for (const n of range(1, EXPORT_DOWNLOADS))
      expect(await exports.markDownloaded(release, minute(110, n)), String(n)).toEqual(MARKED);

    expect(await exports.markDownloaded(release, minute(111))).toEqual(ENDED);
    const last = { downloadedAt: minute(110, EXPORT_DOWNLOADS), downloads: EXPORT_DOWNLOADS };
    expect(await exports.find(exportId(1))).toEqual({ ...release, ...last });
  },

  'countWrongCode, markDownloaded: find nothing of a declined export': async (storage, release) => {
    const { exports } = storage;
    const declined = await exports.decline(aRefusal(1));

    expect(await exports.countWrongCode(release)).toBeNull();
    expect(await exports.markDownloaded(release, minute(121))).toEqual(ENDED);
    expect(await exports.find(exportId(1))).toEqual(declined);
  },

  'markDownloaded: is possible before the last attempt, and no more after it': async (storage, release) => {
    const { exports } = storage;
    for (const _ of range(2, EXPORT_CODE_ATTEMPTS)) await exports.countWrongCode(release);
    expect(await exports.markDownloaded(release, minute(110))).toEqual(MARKED);
    expect(await wrongCodes(storage)).toBe(EXPORT_CODE_ATTEMPTS - 1);
    await exports.countWrongCode(release);

    expect(await exports.markDownloaded(release, minute(111))).toEqual(ENDED);
    expect((await exports.find(exportId(1)))?.downloadedAt).toEqual(minute(110));
  },

  'markDownloaded: among wrong codes at once, is marked before the last attempt or not at all': async (
    storage,
    release,
  ) => {
    const results = await atOnce(12, async (n) =>
      n === 11
        ? storage.exports.markDownloaded(release, minute(110))
        : { outcome: (await storage.exports.countWrongCode(release)) === null ? 'refused' : 'counted' },
    );

    expect(tally(results)).toMatchObject({ counted: EXPORT_CODE_ATTEMPTS });
    const found = await storage.exports.find(exportId(1));
    expect(found?.downloadedAt !== null).toBe(results[11]?.outcome === 'marked');
    expect(await storage.exports.markDownloaded(release, minute(111))).toEqual(ENDED);
  },
});
