import {
  EXPORT_CODE_ATTEMPTS,
  EXPORT_DECLINED_MS,
  EXPORT_DOWNLOADS,
  type ExportRequest,
} from '@countersign/domain/exports';
import type { Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, range } from '../../records/at-once.ts';
import { givenClient } from '../../records/clients.ts';
import {
  aRefusal,
  aRelease,
  aRequest,
  DECLINED_AT,
  EXPIRES_AT,
  givenReleased,
  givenRequest,
  requested,
} from '../../records/exports.ts';
import { clientId, exportId, minute, verificationId } from '../../records/ids.ts';
import { erasureOf, givenFacts, givenPersonal, NO_IDS } from '../../records/retention.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

/** Two clients: verifications 1 to 3 of the first, and 4 of the second. */
export async function givenExportable(storage: Storage): Promise<void> {
  await givenClient(storage);
  await givenClient(storage, 2);
  for (const n of range(1, 3)) await givenPersonal(storage, n);
  await givenPersonal(storage, 4, { clientId: clientId(2) });
}

const place = (n: number, owner = 1) => ({ clientId: clientId(owner), verificationId: verificationId(n) });
const before = (moment: Date): Date => new Date(moment.getTime() - 1);

/** Begins the erasure of a verification of the first client and removes its data. */
async function erase(storage: Storage, n: number): Promise<void> {
  const begun = await givenFacts(storage, n, { erasedAt: minute(300), retentionCheckAt: minute(300) });
  const { outcome } = await storage.retention.erase(erasureOf(begun));
  expect(outcome).toBe('erased');
}

/** Requests for exports, and their releases. */
export const exportRequestsSuite: Suite = suiteGiven('export requests', givenExportable, {
  'request: stores what it returns, to be found by the id and by the verification': async ({ exports }) => {
    for (const requestedBy of ['subject', 'team_member', 'operator'] as const) {
      const n = { subject: 1, team_member: 2, operator: 3 }[requestedBy];
      const request = aRequest(n, { requestedBy });
      expect(await exports.request(request)).toEqual(requested(request));
      expect(await exports.find(exportId(n))).toEqual(requested(request));
      expect(await exports.ofVerification(place(n))).toEqual(requested(request));
    }
  },

  'request: returns the one that has not ended, requested or released': async (storage) => {
    const first = await givenRequest(storage, 1);
    const second = await givenReleased(storage, 2);
    const late = before(EXPIRES_AT);

    expect(await storage.exports.request(aRequest(1, { id: exportId(11), requestedAt: minute(9_999) }))).toEqual(
      first,
    );
    expect(await storage.exports.request(aRequest(2, { id: exportId(12), requestedAt: late }))).toEqual(second);
    expect([await storage.exports.find(exportId(11)), await storage.exports.find(exportId(12))]).toEqual([
      null,
      null,
    ]);
  },

  'request: replaces one that has expired': async (storage) => {
    await givenReleased(storage, 1);
    const request = aRequest(1, { id: exportId(11), requestedAt: EXPIRES_AT, requestedBy: 'operator' });

    expect(await storage.exports.request(request)).toEqual(requested(request));

    expect(await storage.exports.find(exportId(1))).toBeNull();
    expect(await storage.exports.ofVerification(place(1))).toEqual(requested(request));
  },

  'request: replaces one whose attempts are used up': async (storage) => {
    const { id, linkVersion } = await givenReleased(storage, 1);
    for (const _ of range(2, EXPORT_CODE_ATTEMPTS)) await storage.exports.countWrongCode({ id, linkVersion });
    const request = aRequest(1, { id: exportId(11), requestedAt: minute(101) });
    expect((await storage.exports.request(request))?.id).toBe(id);
    await storage.exports.countWrongCode({ id, linkVersion });

    expect(await storage.exports.request(request)).toEqual(requested(request));
  },

  'request: replaces one whose downloads are used up': async (storage) => {
    const release = await givenReleased(storage, 1);
    for (const _ of range(2, EXPORT_DOWNLOADS)) await storage.exports.markDownloaded(release, minute(110));
    const request = aRequest(1, { id: exportId(11), requestedAt: minute(111) });
    expect((await storage.exports.request(request))?.id).toBe(release.id);
    await storage.exports.markDownloaded(release, minute(110));

    expect(await storage.exports.request(request)).toEqual(requested(request));
  },

  'request: returns one that was declined a short time ago, and replaces it later': async (storage) => {
    const { exports } = storage;
    await givenRequest(storage, 1);
    await givenReleased(storage, 2);
    const again = new Date(DECLINED_AT.getTime() + EXPORT_DECLINED_MS);
    for (const n of [1, 2]) {
      const declined = await exports.decline(aRefusal(n));
      const early = aRequest(n, { id: exportId(10 + n), requestedAt: before(again) });
      expect(await exports.request(early)).toEqual(declined);
      const request = aRequest(n, { id: exportId(10 + n), requestedAt: again });
      expect(await exports.request(request)).toEqual(requested(request));
      expect(await exports.ofVerification(place(n))).toEqual(requested(request));
    }
  },

  'request: finds no verification of another client, and none for a text that cannot be an id': async ({
    exports,
  }) => {
    expect(await exports.request(aRequest(1, { clientId: clientId(2) }))).toBeNull();
    for (const id of NO_IDS) {
      expect(await exports.request(aRequest(1, { verificationId: id })), JSON.stringify(id)).toBeNull();
      expect(await exports.request(aRequest(1, { clientId: id })), JSON.stringify(id)).toBeNull();
    }
    expect(await exports.find(exportId(1))).toBeNull();
  },

  'request: finds no verification whose erasure has begun': async (storage) => {
    await givenRequest(storage, 2);
    for (const n of [1, 2]) await givenFacts(storage, n, { erasedAt: minute(300), retentionCheckAt: minute(300) });

    expect(await storage.exports.request(aRequest(1))).toBeNull();
    expect(await storage.exports.request(aRequest(2, { id: exportId(12) }))).toBeNull();
    expect(await storage.exports.find(exportId(1))).toBeNull();
  },

  'request: of many at once, one is stored and all return it': async ({ exports }) => {
    const stored = await atOnce(12, (n) => exports.request(aRequest(1, { id: exportId(20 + n) })));

    const found = await exports.ofVerification(place(1));
    expect(found).not.toBeNull();
    for (const each of stored) expect(each).toEqual(found);
  },

  'release: stores it whole, with the next version of the link': async (storage) => {
    const request = await givenRequest(storage, 1);
    const first = { ...request, ...aRelease(1), linkVersion: 1 };
    expect(await storage.exports.release(aRelease(1))).toEqual(first);
    expect(await storage.exports.find(exportId(1))).toEqual(first);

    const again = aRelease(1, {
      releasedBy: null,
      codeHash: 'other',
      releasedAt: minute(150),
      expiresAt: minute(250),
    });
    const second = { ...request, ...again, linkVersion: 2 };
    expect(await storage.exports.release(again)).toEqual(second);
    expect(await storage.exports.find(exportId(1))).toEqual(second);
  },

  'release: takes back wrong codes and downloads of the release before, and a refusal': async (storage) => {
    const { exports } = storage;
    const release = await givenReleased(storage, 1);
    await exports.countWrongCode(release);
    await exports.markDownloaded(release, minute(110));
    await exports.decline(aRefusal(1));

    const again = { ...release, linkVersion: 2 };
    expect(await exports.release(aRelease(1))).toEqual(again);
    expect(await exports.find(exportId(1))).toEqual(again);
    expect(await exports.markDownloaded(again, minute(121))).toEqual({ outcome: 'marked' });
  },

  'release: finds no export of another client, and none for a text that cannot be an id': async (storage) => {
    const request = await givenRequest(storage, 1);
    const { exports } = storage;

    expect(await exports.release(aRelease(1, { clientId: clientId(2) }))).toBeNull();
    for (const id of NO_IDS) {
      expect(await exports.release(aRelease(1, { id })), JSON.stringify(id)).toBeNull();
      expect(await exports.release(aRelease(1, { clientId: id })), JSON.stringify(id)).toBeNull();
    }
    expect(await exports.find(exportId(1))).toEqual(request);
  },

  'release: of many at once, the last is stored whole': async (storage) => {
    await givenRequest(storage, 1);

    const releases = await atOnce(10, (n) =>
      storage.exports.release(
        aRelease(1, { codeHash: `code ${n}`, releasedBy: `user ${n}`, expiresAt: minute(200 + n) }),
      ),
    );

    const byVersion = releases.toSorted((a, b) => Number(a?.linkVersion) - Number(b?.linkVersion));
    expect(byVersion.map((each) => each?.linkVersion)).toEqual(range(1, 10));
    for (const each of releases) expect(each?.releasedBy).toBe(each?.codeHash?.replace('code', 'user'));
    expect(await storage.exports.find(exportId(1))).toEqual(byVersion.at(-1));
  },

  'find, ofVerification: find nothing for a text that cannot be an id, and no export of another client': async (
    storage,
  ) => {
    await givenRequest(storage, 1);
    for (const id of NO_IDS) {
      expect(await storage.exports.find(id), JSON.stringify(id)).toBeNull();
      expect(
        await storage.exports.ofVerification({ ...place(1), verificationId: id }),
        JSON.stringify(id),
      ).toBeNull();
      expect(await storage.exports.ofVerification({ ...place(1), clientId: id }), JSON.stringify(id)).toBeNull();
    }
    expect(await storage.exports.ofVerification(place(1, 2))).toBeNull();
  },

  'erase: deletes the export of the verification, and no other': async (storage) => {
    const others: ExportRequest[] = [await givenReleased(storage, 2), await givenRequest(storage, 3)];
    const { id, linkVersion } = await givenReleased(storage, 1);

    await erase(storage, 1);

    const { exports } = storage;
    expect([await exports.find(id), await exports.ofVerification(place(1))]).toEqual([null, null]);
    expect(await exports.list({ waiting: false, after: null, limit: 10 })).toEqual(others.toReversed());
    expect(await exports.countWrongCode({ id, linkVersion })).toBeNull();
    expect(await exports.markDownloaded({ id, linkVersion }, minute(110))).toEqual({ outcome: 'ended' });
    expect(await exports.release(aRelease(1))).toBeNull();
  },

  'erase: keeps the export if it changes nothing': async (storage) => {
    const request = await givenRequest(storage, 1);
    const begun = await givenFacts(storage, 1, { erasedAt: minute(300), retentionCheckAt: minute(300) });

    const { outcome } = await storage.retention.erase(erasureOf(begun, { expectedVersion: begun.version + 1 }));

    expect(outcome).toBe('conflict');
    expect(await storage.exports.find(exportId(1))).toEqual(request);
  },
});
