import { MAIL_KINDS, type MailKind } from '@countersign/domain/mail';
import type { Mail } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce, expectRejected, range } from '../../records/at-once.ts';
import { expectCount } from '../../records/count.ts';
import { mailId, minute } from '../../records/ids.ts';
import { allMails, aMail, aUserMail, DONE, heldBy, leaseMails, NOW, UNTIL } from '../../records/mails.ts';
import { NO_IDS } from '../../records/retention.ts';
import { type Suite, suiteOf } from '../../suite.ts';

const LOST = { outcome: 'lease_lost' };
const SETTLED = { outcome: 'settled' };
const NONE: readonly Mail[] = [];

/** A kind of a newer version. */
const UNKNOWN_KIND = 'newer.kind' as MailKind;

const oneMsBefore = (moment: Date): Date => new Date(moment.getTime() - 1);

/** The queue of mails: leases, settlements and the backlog. */
export const mailQueueSuite: Suite = suiteOf('mail queue', {
  'add: stores mails of every kind, with and without the ids that they can have': async (storage) => {
    const added = MAIL_KINDS.map((kind, n) =>
      n % 2 === 0
        ? aMail(n, { kind, attempts: n, plannedAt: minute(n, -9), heldUntil: minute(n, -3) })
        : aUserMail(n, { kind }),
    );
    await storage.mails.add(added);
    await storage.mails.add([]);

    expect(await leaseMails(storage)).toEqual(added);
  },

  'add: stores all or none': async (storage) => {
    await storage.mails.add([aMail(2)]);

    for (const refused of [
      [aMail(1), aUserMail(2)],
      [aMail(3), aMail(3)],
    ])
      await expectRejected(storage.mails.add(refused), 'add of mails with a taken id');

    expect(await allMails(storage)).toEqual([aMail(2)]);
  },

  'lease: returns what is due, the longest first, then by id': async (storage) => {
    const due = [
      aMail(5, { dueAt: minute(1) }),
      aMail(3, { dueAt: minute(2) }),
      aMail(4, { dueAt: minute(2), plannedAt: minute(1) }),
      aMail(1, { dueAt: NOW }),
    ];
    await storage.mails.add([...due.toReversed(), aMail(2, { dueAt: new Date(NOW.getTime() + 1) })]);

    expect(await leaseMails(storage)).toEqual(due);
  },

  'lease: returns at most as many as asked for, those that have been due longest': async (storage) => {
    await storage.mails.add(range(1, 9).map((n) => aMail(n)));

    expect((await leaseMails(storage, { n: 1, limit: 2 })).map(({ id }) => id)).toEqual([mailId(1), mailId(2)]);
    expect((await leaseMails(storage, { n: 2, limit: 3 })).map(({ id }) => id)).toEqual([3, 4, 5].map(mailId));
  },

  'lease: of mails that were held back, returns only as many as are left after the others': async (storage) => {
    const held = range(1, 5).map((n) => aMail(n, { heldUntil: minute(n, 7) }));
    await storage.mails.add([...held, aMail(6), aMail(7), aMail(8)]);

    expect((await leaseMails(storage, { n: 1, limit: 2 })).map(({ id }) => id)).toEqual([6, 7].map(mailId));
    expect((await leaseMails(storage, { n: 2, limit: 3 })).map(({ id }) => id)).toEqual([1, 2, 8].map(mailId));
    expect((await leaseMails(storage, { n: 3 })).map(({ id }) => id)).toEqual([3, 4, 5].map(mailId));
  },

  'lease: leases a mail again once its lease has ended, and not before': async (storage) => {
    await storage.mails.add([aMail(1)]);
    await leaseMails(storage, { n: 1 });

    expect(await leaseMails(storage, { n: 2 })).toEqual(NONE);
    expect(await leaseMails(storage, { n: 2, now: oneMsBefore(UNTIL) })).toEqual(NONE);
    expect(await leaseMails(storage, { n: 2, now: UNTIL, until: minute(200) })).toEqual([aMail(1)]);
    expect(await storage.mails.settle(heldBy(1, 1), DONE)).toEqual(LOST);
    expect(await storage.mails.settle(heldBy(1, 2), DONE)).toEqual(SETTLED);
  },

  'lease: leaves mails of unknown kinds, however many are due': async (storage) => {
    await storage.mails.add(range(1, 5).map((n) => aMail(n, { kind: UNKNOWN_KIND })));
    await storage.mails.add([aMail(6)]);

    expect(await leaseMails(storage, { limit: 2 })).toEqual([aMail(6)]);
    expect(await storage.mails.backlog({ now: NOW, limit: 10 })).toEqual({ waiting: 1, oldestAt: minute(6, 7) });
  },

  'lease: of many at once, each mail goes to one': async (storage) => {
    await storage.mails.add(range(1, 20).map((n) => aMail(n)));

    const leased = await atOnce(12, (n) => leaseMails(storage, { n, limit: 4 }));

    const ids = leased.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [index, mails] of leased.entries()) {
      for (const { id } of mails) {
        const lease = { mailId: id, leaseToken: heldBy(1, index).leaseToken };
        expect(await storage.mails.settle(lease, DONE)).toEqual(SETTLED);
      }
    }
    expectCount(await allMails(storage), 20 - ids.length);
  },

  'settle: removes a mail that is done, and no other': async (storage) => {
    await storage.mails.add([aMail(1), aUserMail(2)]);
    await leaseMails(storage);

    expect(await storage.mails.settle(heldBy(1), DONE)).toEqual(SETTLED);

    expect(await storage.mails.settle(heldBy(1), DONE)).toEqual(LOST);
    expect(await allMails(storage)).toEqual([aUserMail(2)]);
  },

  'settle: stores the next mail, without a lease': async (storage) => {
    await storage.mails.add([aMail(1)]);
    await leaseMails(storage);
    const next = aUserMail(2, { kind: 'verification.reminder' });

    expect(await storage.mails.settle(heldBy(1), { state: 'done', next })).toEqual(SETTLED);

    expect(await leaseMails(storage, { n: 2 })).toEqual([next]);
  },

  'settle: lets a mail wait, and ends its lease': async (storage) => {
    await storage.mails.add([aMail(1)]);
    await leaseMails(storage);
    const dueAt = minute(103, 1);

    expect(await storage.mails.settle(heldBy(1), { state: 'waiting', dueAt, attempts: 3 })).toEqual(SETTLED);

    expect(await storage.mails.settle(heldBy(1), DONE)).toEqual(LOST);
    expect(await leaseMails(storage, { n: 2, now: oneMsBefore(dueAt) })).toEqual(NONE);
    expect(await leaseMails(storage, { n: 2, now: dueAt })).toEqual([aMail(1, { dueAt, attempts: 3 })]);
  },

  'settle: holds a mail back, and ends its lease': async (storage) => {
    await storage.mails.add([aMail(1, { attempts: 2 })]);
    await leaseMails(storage);
    const until = minute(103, 1);

    expect(await storage.mails.settle(heldBy(1), { state: 'held', until })).toEqual(SETTLED);

    expect(await storage.mails.settle(heldBy(1), DONE)).toEqual(LOST);
    expect(await leaseMails(storage, { n: 2, now: oneMsBefore(until) })).toEqual(NONE);
    const held = aMail(1, { dueAt: until, heldUntil: until, attempts: 2 });
    expect(await leaseMails(storage, { n: 2, now: until, until: minute(200) })).toEqual([held]);
    const waiting = { state: 'waiting', dueAt: minute(104), attempts: 3 } as const;
    expect(await storage.mails.settle(heldBy(1, 2), waiting)).toEqual(SETTLED);
    expect(await allMails(storage)).toEqual([{ ...held, dueAt: minute(104), attempts: 3 }]);
  },

  'settle: changes nothing without the lease': async (storage) => {
    await storage.mails.add([aMail(1), aMail(2)]);
    await leaseMails(storage, { limit: 1 });
    const waiting = { state: 'waiting', dueAt: minute(500), attempts: 9 } as const;
    const held = { state: 'held', until: minute(500) } as const;
    const withNext = { state: 'done', next: aUserMail(3) } as const;

    for (const lease of [
      heldBy(1, 2),
      heldBy(2),
      heldBy(9),
      ...NO_IDS.map((id) => ({ ...heldBy(1), mailId: id })),
      { ...heldBy(1), leaseToken: '\u0000' },
    ])
      for (const settlement of [DONE, waiting, held, withNext])
        expect(await storage.mails.settle(lease, settlement)).toEqual(LOST);

    expect(await allMails(storage)).toEqual([aMail(1), aMail(2)]);
  },

  'settle: of many at once, one wins': async (storage) => {
    await storage.mails.add([aMail(1)]);
    await leaseMails(storage);

    const outcomes = await atOnce(10, (n) =>
      storage.mails.settle(heldBy(1), { state: 'done', next: aUserMail(10 + n) }),
    );

    expectCount(
      outcomes.filter(({ outcome }) => outcome === 'settled'),
      1,
    );
    expectCount(await allMails(storage), 1);
  },

  'backlog: counts what was planned and not sent, leased or not, up to the limit': async (storage) => {
    expect(await storage.mails.backlog({ now: NOW, limit: 10 })).toEqual({ waiting: 0, oldestAt: null });
    await storage.mails.add([
      aMail(1, { plannedAt: NOW, dueAt: NOW }),
      aMail(2, { plannedAt: minute(50), dueAt: minute(500) }),
      aMail(3, { plannedAt: minute(40, 9) }),
      aMail(4, { plannedAt: new Date(NOW.getTime() + 1) }),
    ]);
    await leaseMails(storage, { limit: 1 });

    expect(await storage.mails.backlog({ now: NOW, limit: 10 })).toEqual({ waiting: 3, oldestAt: minute(40, 9) });
    expect(await storage.mails.backlog({ now: NOW, limit: 2 })).toEqual({ waiting: 2, oldestAt: minute(40, 9) });
  },

  'backlog: counts what is held back from the time on until which it was': async (storage) => {
    await storage.mails.add([aMail(1), aMail(2), aMail(3)]);
    await leaseMails(storage, { limit: 2 });
    await storage.mails.settle(heldBy(1), { state: 'held', until: minute(103, 1) });
    await storage.mails.settle(heldBy(2), { state: 'held', until: minute(102) });

    const at = (now: Date) => storage.mails.backlog({ now, limit: 10 });
    expect(await at(oneMsBefore(minute(102)))).toEqual({ waiting: 1, oldestAt: minute(3, 7) });
    expect(await at(minute(102))).toEqual({ waiting: 2, oldestAt: minute(3, 7) });
    await leaseMails(storage, { n: 2, limit: 1 });
    await storage.mails.settle(heldBy(3, 2), DONE);
    expect(await at(minute(102))).toEqual({ waiting: 1, oldestAt: minute(102) });
    expect(await at(minute(103, 1))).toEqual({ waiting: 2, oldestAt: minute(102) });
  },
});
