import { expect } from 'vitest';
import { atOnce, expectRejected } from '../../records/at-once.ts';
import { givenClient } from '../../records/clients.ts';
import { expectCount } from '../../records/count.ts';
import { clientId, keyId, minute } from '../../records/ids.ts';
import { givenKey } from '../../records/keys.ts';
import { allMails, aUserMail } from '../../records/mails.ts';
import { type Suite, suiteGiven } from '../../suite.ts';

/** Notices of the expiry of keys, and the mails that they queue. */
export const keyNoticesSuite: Suite = suiteGiven('notices of expiring keys', givenClient, {
  'expiringKeys: returns keys that expire after now and until a time, in the order of times, then of ids': async (
    storage,
  ) => {
    const [now, until] = [minute(100), minute(200)];
    await givenKey(storage, 1);
    await givenKey(storage, 2, { expiresAt: now });
    const third = await givenKey(storage, 3, { expiresAt: until });
    await givenKey(storage, 4, { expiresAt: new Date(until.getTime() + 1) });
    const fifth = await givenKey(storage, 5, { expiresAt: new Date(now.getTime() + 1) });
    const sixth = await givenKey(storage, 16, { expiresAt: until });
    await givenClient(storage, 2);
    const between = await givenKey(storage, 10, { clientId: clientId(2), expiresAt: until });
    const others = await givenKey(storage, 7, { clientId: clientId(2), expiresAt: minute(150) });
    await givenKey(storage, 8, { expiresAt: minute(150) });
    await storage.apiKeys.revoke(clientId(1), keyId(8), minute(50));
    const request = { now, until, days: 7 };
    const named = [fifth, others, third, between, sixth].map(({ clientId, id }) => ({ clientId, keyId: id }));

    expect(await storage.mails.expiringKeys({ ...request, limit: 9 })).toEqual(named);
    expect(await storage.mails.expiringKeys({ ...request, limit: 2 })).toEqual(named.slice(0, 2));
  },

  'noteKeyExpiry: records the days, queues the mails, and keeps them for fewer days': async (storage) => {
    const key = await givenKey(storage, 1, { expiresAt: minute(150) });
    const about = { clientId: clientId(1), keyId: key.id };
    const request = { now: minute(100), until: minute(200), limit: 9 };
    const due = async (days: number) => (await storage.mails.expiringKeys({ ...request, days })).length;
    const note = (days: number, n: number) =>
      storage.mails.noteKeyExpiry({ ...about, days, mails: [aUserMail(n), aUserMail(n + 10)] });

    expect(await note(7, 1)).toEqual({ outcome: 'noted' });
    expect([await due(7), await due(1)]).toEqual([0, 1]);
    expect((await storage.apiKeys.list(clientId(1)))[0]).toEqual({ ...key, noticedDays: 7 });
    expect((await storage.apiKeys.resolve(key.hash))?.key).toEqual({ ...key, noticedDays: 7 });
    expect(await note(7, 2)).toEqual({ outcome: 'not_due' });
    expect(await note(1, 3)).toEqual({ outcome: 'noted' });
    expect(await note(7, 4)).toEqual({ outcome: 'not_due' });
    expect([await due(7), await due(1)]).toEqual([0, 0]);
    expect(await allMails(storage)).toEqual([1, 3, 11, 13].map((n) => aUserMail(n)));
  },

  'noteKeyExpiry: changes nothing for a revoked, an unknown and another client’s key': async (storage) => {
    await givenKey(storage, 1, { expiresAt: minute(150) });
    const open = await givenKey(storage, 2, { expiresAt: minute(150) });
    await storage.apiKeys.revoke(clientId(1), keyId(1), minute(50));
    for (const about of [
      { clientId: clientId(1), keyId: keyId(1) },
      { clientId: clientId(1), keyId: keyId(9) },
      { clientId: clientId(2), keyId: keyId(2) },
      { clientId: 'unknown', keyId: '\u0000' },
    ])
      expect(await storage.mails.noteKeyExpiry({ ...about, days: 7, mails: [aUserMail(1)] })).toEqual({
        outcome: 'not_due',
      });

    expect(await allMails(storage)).toEqual([]);
    expect((await storage.apiKeys.list(clientId(1)))[0]).toEqual(open);
  },

  'noteKeyExpiry: changes nothing if a mail cannot be stored': async (storage) => {
    const key = await givenKey(storage, 1, { expiresAt: minute(150) });
    await storage.mails.add([aUserMail(1)]);
    const notice = { clientId: clientId(1), keyId: key.id, days: 7, mails: [aUserMail(2), aUserMail(1)] };
    await expectRejected(storage.mails.noteKeyExpiry(notice), 'noteKeyExpiry with a mail whose id is taken');

    expect(await storage.apiKeys.list(clientId(1))).toEqual([key]);
    expect(await allMails(storage)).toEqual([aUserMail(1)]);
  },

  'noteKeyExpiry: of many at once, one queues its mails': async (storage) => {
    const { id } = await givenKey(storage, 1, { expiresAt: minute(150) });
    const outcomes = await atOnce(12, (n) =>
      storage.mails.noteKeyExpiry({ clientId: clientId(1), keyId: id, days: 7, mails: [aUserMail(n + 1)] }),
    );

    expectCount(
      outcomes.filter(({ outcome }) => outcome === 'noted'),
      1,
    );
    expectCount(await allMails(storage), 1);
  },
});
