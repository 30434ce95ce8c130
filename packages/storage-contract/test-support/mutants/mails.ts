import type { Mail, Storage } from '@countersign/domain/storage';
import { NOW } from '../../src/records/mails.ts';
import { mailBudgetsSuite } from '../../src/suites/mails/mail-budgets.ts';
import { mailQueueSuite } from '../../src/suites/mails/mail-queue.ts';
import { queuedMailsSuite } from '../../src/suites/mails/queued-mails.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import {
  type Break,
  both,
  keepsRecord,
  mailQueue,
  remembering,
  retention,
  roundTrip,
  toSeconds,
  uuidOnly,
  verifications,
} from './patch.ts';

const { add, backlog, deleteEndedBudgets, lease, returnToBudgets, settle, takeFromBudgets } = mailQueue;
const { commit, createCharged } = verifications;

/** Shows leased mails with other fields. */
const shows = (change: (mail: Mail) => Partial<Mail>): Break =>
  lease.result((mails) => mails.map((mail) => ({ ...mail, ...change(mail) })));

/** Leases all that is due, and returns what `choose` chooses. */
const chooses = (choose: (mails: readonly Mail[], limit: number) => readonly Mail[]): Break =>
  lease.override(async ({ next }, request) => choose(await next({ ...request, limit: 1_000 }), request.limit));

const STARTED = new Date(0);
const NOW_MS = NOW.getTime();

const mailQueueMutants: readonly Mutant[] = mutantsOf(mailQueueSuite, {
  'stores no kind': shows(() => ({ kind: 'verification.link' })),
  'stores no user': shows(() => ({ userId: null })),
  'stores no target': shows(() => ({ targetId: null })),
  'stores a verification for every mail': shows(({ verificationId, id }) => ({
    verificationId: verificationId ?? id,
  })),
  'stores no time until which a mail was held back': shows(() => ({ heldUntil: null })),
  'stores no attempts': shows(() => ({ attempts: 0 })),
  'keeps seconds': shows(({ dueAt }) => ({ dueAt: toSeconds(dueAt) })),
  'stores the planned time as the time when it is due': shows(({ dueAt }) => ({ plannedAt: dueAt })),
  'adds one mail after the other': add.override(async ({ next }, mails) => {
    for (const mail of mails) await next([mail]);
  }),
  'ignores mails whose id is taken': add.override(async ({ next }, mails) => next(mails).catch(() => undefined)),
  'leases by id': lease.result((mails) => mails.toSorted((a, b) => (a.id < b.id ? -1 : 1))),
  'leases what is not due yet': lease.input(({ now }) => ({ now: new Date(now.getTime() + 1) })),
  'leases after the time when it is due': lease.input(({ now }) => ({ now: new Date(now.getTime() - 1) })),
  'leases all that is due': lease.input(() => ({ limit: 1_000 })),
  'leases mails that were held back as any other': remembering(() => {
    const heldUntil = new Map<string, Mail['heldUntil']>();
    return both(
      add.override(async ({ next }, mails) => {
        for (const mail of mails) heldUntil.set(mail.id, mail.heldUntil);
        await next(mails.map((mail) => ({ ...mail, heldUntil: null })));
      }),
      shows(({ id, heldUntil: shown }) => ({ heldUntil: shown ?? heldUntil.get(id) ?? null })),
    );
  }),
  'leases the newest first': chooses((mails, limit) => mails.slice(-limit)),
  'leases more than it returns': chooses((mails, limit) => mails.slice(0, limit)),
  'never leases again': remembering(() => {
    const leased = new Set<string>();
    return lease.result((mails) => {
      const fresh = mails.filter(({ id, dueAt }) => !leased.has(`${id} ${dueAt.getTime()}`));
      for (const { id, dueAt } of fresh) leased.add(`${id} ${dueAt.getTime()}`);
      return fresh;
    });
  }),
  'ends leases at once': lease.input(({ now }) => ({ until: now })),
  'ends leases early': lease.input(({ until }) => ({ until: new Date(until.getTime() - 1) })),
  'lets a lease run a little longer': lease.input(({ until }) => ({ until: new Date(until.getTime() + 1) })),
  'takes mails of unknown kinds for known ones': add.override(async ({ next }, mails) =>
    next(
      mails.map((mail) =>
        (mail.kind as string) === 'newer.kind' ? { ...mail, kind: 'verification.link' } : mail,
      ),
    ),
  ),
  'reads, then leases': remembering(() => {
    let shared: Promise<readonly Mail[]> | null = null;
    return lease.override(async ({ next }, request) => {
      shared ??= next(request);
      const mails = await shared;
      await roundTrip();
      shared = null;
      return mails;
    });
  }),
  'settles without the lease': settle.override(async ({ next }, held, settlement) => {
    await next(held, settlement);
    return { outcome: 'settled' };
  }),
  'loses every lease': settle.override(async () => ({ outcome: 'lease_lost' })),
  'keeps what is done': settle.override(async ({ next }, held, settlement) =>
    settlement.state === 'done' && settlement.next === null
      ? next(held, { state: 'waiting', dueAt: STARTED, attempts: 0 })
      : next(held, settlement),
  ),
  'stores no next mail': settle.override(({ next }, held, settlement) =>
    next(held, settlement.state === 'done' ? { ...settlement, next: null } : settlement),
  ),
  'stores the next mail without the lease': settle.override(async ({ next, storage }, held, settlement) => {
    const result = await next(held, settlement);
    if (result.outcome === 'lease_lost' && settlement.state === 'done' && settlement.next !== null)
      await storage.mails.add([settlement.next]).catch(() => undefined);
    return result;
  }),
  'removes what has to wait': settle.override(({ next }, held) => next(held, { state: 'done', next: null })),
  'does not count attempts': settle.override(({ next }, held, settlement) =>
    next(held, settlement.state === 'waiting' ? { ...settlement, attempts: 0 } : settlement),
  ),
  'lets a mail wait immediately': settle.override(({ next }, held, settlement) =>
    next(held, settlement.state === 'waiting' ? { ...settlement, dueAt: STARTED } : settlement),
  ),
  'keeps a mail that is held back due': settle.override(({ next }, held, settlement) =>
    next(held, settlement.state === 'held' ? { state: 'held', until: STARTED } : settlement),
  ),
  'counts no attempts of a mail that is held back': settle.override(({ next }, held, settlement) =>
    next(
      held,
      settlement.state === 'held' ? { state: 'waiting', dueAt: settlement.until, attempts: 0 } : settlement,
    ),
  ),
  'fails on a text that cannot be an id': settle.override(({ next }, { mailId, leaseToken }, settlement) =>
    next({ mailId: uuidOnly(mailId), leaseToken }, settlement),
  ),
  'counts nothing': backlog.override(async () => ({ waiting: 0, oldestAt: null })),
  'counts beyond the limit': backlog.input(() => ({ limit: 1_000 })),
  'finds the oldest within the limit': backlog.result((found, { limit }) =>
    found.waiting === limit ? { ...found, oldestAt: STARTED } : found,
  ),
  'counts what is planned later': backlog.input(({ now }) => ({ now: new Date(now.getTime() + 1) })),
  'counts what was planned before': backlog.input(({ now }) => ({ now: new Date(now.getTime() - 1) })),
});

/** Passes budgets on one after the other. */
const oneByOne: Break = takeFromBudgets.override(async ({ next }, { budgets, now }) => {
  for (const budget of budgets) {
    const result = await next({ budgets: [budget], now });
    if (result.outcome === 'used_up') return result;
  }
  return { outcome: 'taken' };
});

const mailBudgetsMutants: readonly Mutant[] = mutantsOf(mailBudgetsSuite, {
  'takes without limit': takeFromBudgets.override(async () => ({ outcome: 'taken' })),
  'takes one more': takeFromBudgets.input(({ budgets }) => ({
    budgets: budgets.map((budget) => ({ ...budget, allowed: budget.allowed + 1 })),
  })),
  'takes from one budget after the other': oneByOne,
  'takes from the first budget only': takeFromBudgets.input(({ budgets }) => ({ budgets: budgets.slice(0, 1) })),
  'reads, then takes': remembering(() => {
    let shared: ReturnType<Storage['mails']['takeFromBudgets']> | null = null;
    return takeFromBudgets.override(async ({ next }, request) => {
      shared ??= next(request);
      const result = await shared;
      await roundTrip();
      shared = null;
      return result;
    });
  }),
  'names the first end': takeFromBudgets.override(async ({ next, storage }, request) => {
    const result = await next(request);
    if (result.outcome === 'taken') return result;
    const ends = await Promise.all(
      request.budgets.map(async (budget) => storage.mails.takeFromBudgets({ ...request, budgets: [budget] })),
    );
    const used = ends.filter((end) => end.outcome === 'used_up').map(({ until }) => until.getTime());
    return { outcome: 'used_up', until: new Date(Math.min(...used)) };
  }),
  'begins a window with each mail': takeFromBudgets.override(async ({ next, storage }, request) => {
    const until = new Date(request.now.getTime() + 1_000 * 60_000);
    const result = await next(request);
    if (result.outcome === 'taken') await storage.mails.deleteEndedBudgets({ now: until, limit: 1_000 });
    return result;
  }),
  'lets a window run a little longer': takeFromBudgets.input(({ now }) => ({ now: new Date(now.getTime() - 1) })),
  'ends a window early': takeFromBudgets.input(({ now }) => ({ now: new Date(now.getTime() + 1) })),
  'gives nothing back': returnToBudgets.override(async () => undefined),
  'gives back to the first budget only': returnToBudgets.input(({ budgets }) => ({
    budgets: budgets.slice(0, 1),
  })),
  'gives back to every window': returnToBudgets.override(async ({ next }, { budgets }) => {
    for (const takenAt of [NOW_MS, NOW_MS + 60 * 60_000].map((at) => new Date(at)))
      await next({ budgets, takenAt });
  }),
  'gives back all': returnToBudgets.override(async ({ next }, request) => {
    for (let n = 0; n < 10; n += 1) await next(request);
  }),
  'deletes no budgets': deleteEndedBudgets.override(async () => 0),
  'deletes budgets that run': deleteEndedBudgets.override(async ({ next }, request) => {
    const deleted = await next(request);
    await next({ now: new Date(8e14), limit: 1_000 });
    return deleted;
  }),
  'deletes budgets beyond the limit': deleteEndedBudgets.input(() => ({ limit: 1_000 })),
  'deletes budgets early': deleteEndedBudgets.input(({ now }) => ({ now: new Date(now.getTime() + 1) })),
  'deletes budgets late': deleteEndedBudgets.input(({ now }) => ({ now: new Date(now.getTime() - 1) })),
});

/** Adds mails whatever the outcome of the change is. */
const queuesAnyway: Break = both(
  createCharged.override(async ({ next, storage }, { mails = [], ...request }) => {
    await storage.mails.add(mails).catch(() => undefined);
    return next(request);
  }),
);

/** Gives a break the mails of creations, by id. */
const ofCreations = (breakIn: (created: ReadonlyMap<string, Mail>) => Break): Break =>
  remembering(() => {
    const created = new Map<string, Mail>();
    return both(
      createCharged.override(async ({ next }, request) => {
        const result = await next(request);
        if (result.outcome === 'created') for (const mail of request.mails ?? []) created.set(mail.id, mail);
        return result;
      }),
      breakIn(created),
    );
  });

async function deleteMails({ mails }: Storage, isDeleted: (mail: Mail) => boolean): Promise<void> {
  const until = new Date(8e14);
  const all = await mails.lease({ leaseToken: 'deleting', now: until, until, limit: 1_000 });
  for (const mail of all.filter(isDeleted)) {
    await mails.settle({ mailId: mail.id, leaseToken: 'deleting' }, { state: 'done', next: null });
  }
}

const queuedMailsMutants: readonly Mutant[] = mutantsOf(queuedMailsSuite, {
  'creates without mails': createCharged.input(() => ({ mails: [] })),
  'queues one mail of a creation': createCharged.input(({ mails = [] }) => ({ mails: mails.slice(0, 1) })),
  'queues mails of creations that are refused': queuesAnyway,
  'queues no mails of creations at once': remembering(() => {
    let running = 0;
    return createCharged.override(async ({ next }, request) => {
      running += 1;
      await roundTrip();
      const isAlone = running === 1;
      const result = await next(isAlone ? request : { ...request, mails: [] });
      running -= 1;
      return result;
    });
  }),
  'leases mails of creations after the others': ofCreations((created) =>
    chooses((mails, limit) =>
      mails.toSorted((a, b) => Number(created.has(a.id)) - Number(created.has(b.id))).slice(0, limit),
    ),
  ),
  'counts no mails of creations': ofCreations((created) =>
    backlog.result(({ waiting, oldestAt }) => ({ waiting: Math.max(0, waiting - created.size), oldestAt })),
  ),
  'deletes the mail of a creation with the next change': commit.override(async ({ next, storage }, change) => {
    const result = await next(change);
    await deleteMails(
      storage,
      ({ verificationId, kind }) => verificationId === change.record.id && kind === 'verification.link',
    );
    return result;
  }),
  'leaves the mails of creations that are erased': ofCreations((created) =>
    retention.erase.override(async ({ next, storage }, request) => {
      const result = await next(request);
      const own = [...created.values()].filter(
        ({ verificationId }) => verificationId === request.erasure.verificationId,
      );
      if (result.outcome === 'erased') await storage.mails.add(own);
      return result;
    }),
  ),
  'commits without mails': commit.input(() => ({ mails: [] })),
  'queues mails of a commit that conflicts': commit.override(
    async ({ next, storage }, { mails = [], ...change }) => {
      await storage.mails.add(mails);
      return next(change);
    },
  ),
  'stores no address': keepsRecord(() => ({ notify: null })),
  'shows the address of the last commit': remembering(() => {
    const committed = new Map<string, unknown>();
    return both(
      commit.override(async ({ next }, change) => {
        const result = await next(change);
        if (result.outcome === 'committed') committed.set(change.record.id, change.record.notify);
        return result;
      }),
      verifications.findWithEventsForAnyClient.result((found) => {
        const { id } = found.record;
        if (!committed.has(id)) return found;
        return { ...found, record: { ...found.record, notify: committed.get(id) as typeof found.record.notify } };
      }),
    );
  }),
  'leaves the mails of erased verifications': retention.erase.override(async ({ next, storage }, request) => {
    const until = new Date(8e14);
    const all = await storage.mails.lease({ leaseToken: 'erasing', now: until, until, limit: 1_000 });
    const result = await next(request);
    const left = all.filter(({ verificationId }) => verificationId === request.erasure.verificationId);
    if (result.outcome === 'erased') await storage.mails.add(left);
    return result;
  }),
  'deletes the mails before it compares': retention.erase.override(async ({ next, storage }, request) => {
    const until = new Date(8e14);
    const all = await storage.mails.lease({ leaseToken: 'erasing', now: until, until, limit: 1_000 });
    for (const { id, verificationId } of all)
      if (verificationId === request.erasure.verificationId)
        await storage.mails.settle({ mailId: id, leaseToken: 'erasing' }, { state: 'done', next: null });
    return next(request);
  }),
  'deletes the mails of every client': retention.erase.override(async ({ next, storage }, request) => {
    const result = await next(request);
    const until = new Date(8e14);
    const all = await storage.mails.lease({ leaseToken: 'erasing', now: until, until, limit: 1_000 });
    if (result.outcome === 'erased')
      for (const { id } of all)
        await storage.mails.settle({ mailId: id, leaseToken: 'erasing' }, { state: 'done', next: null });
    return result;
  }),
  'stores the next mail of a verification that is being erased': settle.override(
    async ({ next, storage }, held, settlement) => {
      const result = await next(held, settlement);
      const queued = settlement.state === 'done' ? settlement.next : null;
      if (result.outcome === 'settled' && queued !== null)
        await storage.mails.add([queued]).catch(() => undefined);
      return result;
    },
  ),
});

export const MAIL_MUTANTS: readonly Mutant[] = [...mailQueueMutants, ...mailBudgetsMutants, ...queuedMailsMutants];
