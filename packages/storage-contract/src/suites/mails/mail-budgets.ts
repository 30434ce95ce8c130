import type { MailBudget, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { atOnce } from '../../records/at-once.ts';
import { expectCount } from '../../records/count.ts';
import { minute } from '../../records/ids.ts';
import { NOW } from '../../records/mails.ts';
import { type Suite, suiteOf } from '../../suite.ts';

const MINUTE_MS = 60_000;
const TAKEN = { outcome: 'taken' };

/** A budget of an hour. */
function aBudget(name: string, allowed = 2, minutes = 60): MailBudget {
  return { name, allowed, windowMs: minutes * MINUTE_MS };
}

const take = ({ mails }: Storage, budgets: readonly MailBudget[], now = NOW) =>
  mails.takeFromBudgets({ budgets, now });

const usedUpUntil = (until: Date) => ({ outcome: 'used_up', until });

const later = (minutes: number, milliseconds = 0): Date =>
  new Date(NOW.getTime() + minutes * MINUTE_MS + milliseconds);

/** Budgets of mails to one recipient. */
export const mailBudgetsSuite: Suite = suiteOf('mail budgets', {
  'takeFromBudgets: takes as many as are allowed, until the window of the first ends': async (storage) => {
    expect(await take(storage, [aBudget('a')])).toEqual(TAKEN);
    expect(await take(storage, [aBudget('a')], later(10))).toEqual(TAKEN);
    expect(await take(storage, [aBudget('a')], later(20))).toEqual(usedUpUntil(later(60)));
    expect(await take(storage, [aBudget('b')], later(20))).toEqual(TAKEN);
    expect(await take(storage, [aBudget('a')], later(60, -1))).toEqual(usedUpUntil(later(60)));
    expect(await take(storage, [aBudget('a')], later(60))).toEqual(TAKEN);
    expect(await take(storage, [aBudget('a')], later(119))).toEqual(TAKEN);
    expect(await take(storage, [aBudget('a')], later(119))).toEqual(usedUpUntil(later(120)));
  },

  'takeFromBudgets: takes from all or none; until is when the last has one again': async (storage) => {
    const [small, long, large] = [aBudget('a', 1), aBudget('b', 1, 90), aBudget('c', 3)];
    expect(await take(storage, [small])).toEqual(TAKEN);
    expect(await take(storage, [long])).toEqual(TAKEN);

    expect(await take(storage, [large, small])).toEqual(usedUpUntil(later(60)));
    expect(await take(storage, [small, long, large])).toEqual(usedUpUntil(later(90)));

    for (let n = 0; n < 3; n += 1) expect(await take(storage, [large])).toEqual(TAKEN);
    expect(await take(storage, [large])).toEqual(usedUpUntil(later(60)));
  },

  'takeFromBudgets: what is allowed can change': async (storage) => {
    expect(await take(storage, [aBudget('a', 2)])).toEqual(TAKEN);
    expect(await take(storage, [aBudget('a', 1)])).toEqual(usedUpUntil(later(60)));
    expect(await take(storage, [aBudget('a', 3)])).toEqual(TAKEN);
    expect(await take(storage, [aBudget('a', 2)])).toEqual(usedUpUntil(later(60)));
    expect(await take(storage, [aBudget('a', 3)])).toEqual(TAKEN);
  },

  'takeFromBudgets: of many at once, as many win as are allowed, and the others take nothing': async (storage) => {
    const shared = aBudget('shared', 5);

    const outcomes = await atOnce(12, (n) => {
      const both = [aBudget(`own ${n}`, 1), shared];
      return take(storage, n % 2 === 0 ? both : both.toReversed());
    });

    expectCount(
      outcomes.filter(({ outcome }) => outcome === 'taken'),
      5,
    );
    expect(await take(storage, [shared])).toEqual(usedUpUntil(later(60)));
    const own = await Promise.all(outcomes.map((_, n) => take(storage, [aBudget(`own ${n}`, 1)])));
    expectCount(
      own.filter(({ outcome }) => outcome === 'taken'),
      7,
    );
  },

  'returnToBudgets: gives back one to each': async (storage) => {
    const [a, b] = [aBudget('a', 1), aBudget('b', 2)];
    await take(storage, [a, b]);
    await take(storage, [b]);

    await storage.mails.returnToBudgets({ budgets: [b, a, aBudget('unknown')], takenAt: NOW });

    expect(await take(storage, [a, b])).toEqual(TAKEN);
    expect(await take(storage, [b])).toEqual(usedUpUntil(later(60)));
    expect(await take(storage, [a])).toEqual(usedUpUntil(later(60)));
  },

  'returnToBudgets: gives back no more than was taken': async (storage) => {
    const a = aBudget('a', 1);
    await take(storage, [a]);
    for (let n = 0; n < 3; n += 1) await storage.mails.returnToBudgets({ budgets: [a], takenAt: NOW });

    expect(await take(storage, [a])).toEqual(TAKEN);
    expect(await take(storage, [a])).toEqual(usedUpUntil(later(60)));
  },

  'returnToBudgets: gives nothing back to a window that began since': async (storage) => {
    const a = aBudget('a', 1);
    await take(storage, [a]);
    await take(storage, [a], later(60));

    for (const takenAt of [NOW, later(60, -1), later(120)])
      await storage.mails.returnToBudgets({ budgets: [a], takenAt });
    expect(await take(storage, [a], later(61))).toEqual(usedUpUntil(later(120)));

    await storage.mails.returnToBudgets({ budgets: [a], takenAt: later(119) });
    expect(await take(storage, [a], later(61))).toEqual(TAKEN);
  },

  'deleteEndedBudgets: deletes up to the limit of those that have ended, and no other': async (storage) => {
    for (const [index, name] of ['a', 'b', 'c'].entries()) await take(storage, [aBudget(name, 1)], minute(index));
    const running = aBudget('d', 1);
    await take(storage, [running]);
    const remove = (now: Date, limit: number) => storage.mails.deleteEndedBudgets({ now, limit });

    expect(await remove(new Date(minute(60).getTime() - 1), 10)).toBe(0);
    expect(await remove(minute(60), 10)).toBe(1);
    expect(await remove(NOW, 1)).toBe(1);
    expect(await remove(NOW, 10)).toBe(1);
    expect(await remove(NOW, 10)).toBe(0);

    expect(await take(storage, [running])).toEqual(usedUpUntil(later(60)));
  },
});
