import { DECLINE_REASONS, EXPORT_CODE_ATTEMPTS, EXPORT_DOWNLOADS } from '@countersign/domain/exports';
import { expect } from 'vitest';
import { atOnce, range } from '../../records/at-once.ts';
import { aRefusal, DECLINED_AT, EXPIRES_AT, givenReleased, givenRequest } from '../../records/exports.ts';
import { clientId, exportId, minute } from '../../records/ids.ts';
import { NO_IDS } from '../../records/retention.ts';
import { type Suite, suiteGiven } from '../../suite.ts';
import { givenExportable } from './requests.ts';

const before = (moment: Date): Date => new Date(moment.getTime() - 1);

/** Requests that are declined, and releases that end before their time. */
export const exportEndsSuite: Suite = suiteGiven('export ends', givenExportable, {
  'decline: stores time and reason of a request and of a release, and changes no other': async (storage) => {
    const { exports } = storage;
    const [request, release] = [await givenRequest(storage, 1), await givenReleased(storage, 2)];
    const other = await givenRequest(storage, 3);
    for (const [n, stored] of [
      [1, request],
      [2, release],
    ] as const) {
      const declined = { ...stored, declinedAt: DECLINED_AT, declineReason: 'identity_unclear' };
      expect(await exports.decline(aRefusal(n))).toEqual(declined);
      expect(await exports.find(exportId(n))).toEqual(declined);
      expect(await exports.decline(aRefusal(n, { declineReason: 'other' }))).toBeNull();
      expect(await exports.find(exportId(n))).toEqual(declined);
    }
    expect(await exports.find(exportId(3))).toEqual(other);
  },

  'decline: stores each reason': async (storage) => {
    const { exports } = storage;
    for (const declineReason of DECLINE_REASONS) {
      const { id } = await givenReleased(storage, 1);
      expect(await exports.decline(aRefusal(1, { declineReason }))).toMatchObject({ declineReason });
      expect(await exports.find(id)).toMatchObject({ declineReason });
      await exports.forget({ before: minute(9_999), limit: 1 });
    }
  },

  'decline: changes nothing once the release has ended, and none of another client': async (storage) => {
    const { exports } = storage;
    const [wrong, downloaded, late] = [
      await givenReleased(storage, 1),
      await givenReleased(storage, 2),
      await givenReleased(storage, 3),
    ];
    for (const _ of range(1, EXPORT_CODE_ATTEMPTS)) await exports.countWrongCode(wrong);
    for (const _ of range(1, EXPORT_DOWNLOADS)) await exports.markDownloaded(downloaded, minute(110));

    expect(await exports.decline(aRefusal(1))).toBeNull();
    expect(await exports.decline(aRefusal(2))).toBeNull();
    expect(await exports.decline(aRefusal(3, { declinedAt: EXPIRES_AT }))).toBeNull();
    expect(await exports.decline(aRefusal(3, { clientId: clientId(2) }))).toBeNull();
    for (const id of NO_IDS) {
      expect(await exports.decline(aRefusal(3, { id })), JSON.stringify(id)).toBeNull();
      expect(await exports.decline(aRefusal(3, { clientId: id })), JSON.stringify(id)).toBeNull();
    }
    expect(await exports.find(late.id)).toEqual(late);
    expect(await exports.decline(aRefusal(3, { declinedAt: before(EXPIRES_AT) }))).not.toBeNull();
  },

  'decline: of many at once, the first is stored': async (storage) => {
    const { exports } = storage;
    await givenRequest(storage, 1);

    const results = await atOnce(10, (n) => exports.decline(aRefusal(1, { declinedAt: minute(120 + n) })));

    const [stored, ...others] = results.filter((result) => result !== null);
    expect(others).toEqual([]);
    expect(await exports.find(exportId(1))).toEqual(stored);
  },

  'end: ends this release at the time, and no other': async (storage) => {
    const { exports } = storage;
    const [release, other] = [await givenReleased(storage, 1), await givenReleased(storage, 2)];

    await exports.end(release, minute(110));

    expect(await exports.find(release.id)).toEqual({ ...release, expiresAt: minute(110) });
    expect(await exports.markDownloaded(release, minute(110))).toEqual({ outcome: 'ended' });
    expect(await exports.find(other.id)).toEqual(other);
  },

  'end: changes nothing after the release, of another one, declined, requested or unknown': async (storage) => {
    const { exports } = storage;
    const [release, declined, request] = [
      await givenReleased(storage, 1),
      await givenReleased(storage, 2),
      await givenRequest(storage, 3),
    ];
    const refused = await exports.decline(aRefusal(2));

    for (const at of [EXPIRES_AT, minute(201)]) await exports.end(release, at);
    await exports.end({ ...release, linkVersion: release.linkVersion - 1 }, minute(110));
    await exports.end({ ...release, linkVersion: release.linkVersion + 1 }, minute(110));
    await exports.end(declined, minute(121));
    await exports.end(request, minute(121));
    for (const id of NO_IDS) await exports.end({ ...release, id }, minute(110));

    const all = [release, declined, request].map(({ id }) => exports.find(id));
    expect(await Promise.all(all)).toEqual([release, refused, request]);
  },

  'endAll: ends the releases of all clients, and leaves requests and what has ended': async (storage) => {
    const { exports } = storage;
    const open = [
      await givenReleased(storage, 1),
      await givenReleased(storage, 4, { clientId: clientId(2), expiresAt: minute(150) }),
    ];
    const [request, declined] = [await givenRequest(storage, 2), await givenReleased(storage, 3)];
    const refused = await exports.decline(aRefusal(3));

    expect(await exports.endAll(minute(130))).toBe(2);

    for (const each of open) expect(await exports.find(each.id)).toEqual({ ...each, expiresAt: minute(130) });
    expect([await exports.find(request.id), await exports.find(declined.id)]).toEqual([request, refused]);
    expect(await exports.endAll(minute(130))).toBe(0);
  },
});
