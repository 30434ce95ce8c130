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

const { backlog, lease, returnToBudgets, settle, takeFromBudgets } = mailQueue;
const { commit, createCharged } = verifications;

/** Shows leased mails with other fields. */
const shows = (change: (mail: Mail) => Partial<Mail>): Break =>
  lease.result((mails) => mails.map((mail) => ({ ...mail, ...change(mail) })));

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
  'keeps seconds': shows(({ dueAt }) => ({ dueAt: toSeconds(dueAt) })),
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
  'keeps what is done': settle.override(async ({ next }, held, settlement) =>
    settlement.state === 'done' && settlement.next === null
      ? next(held, { state: 'waiting', dueAt: STARTED, attempts: 0 })
      : next(held, settlement),
  ),
  'stores the next mail without the lease': settle.override(async ({ next, storage }, held, settlement) => {
    const result = await next(held, settlement);
    if (result.outcome === 'lease_lost' && settlement.state === 'done' && settlement.next !== null)
      await storage.mails.add([settlement.next]).catch(() => undefined);
    return result;
  }),
  'removes what has to wait': settle.override(({ next }, held) => next(held, { state: 'done', next: null })),
  'lets a mail wait immediately': settle.override(({ next }, held, settlement) =>
    next(held, settlement.state === 'waiting' ? { ...settlement, dueAt: STARTED } : settlement),
  ),
  'fails on a text that cannot be an id': settle.override(({ next }, { mailId, leaseToken }, settlement) =>
    next({ mailId: uuidOnly(mailId), leaseToken }, settlement),
  ),
  'counts beyond the limit': backlog.input(() => ({ limit: 1_000 })),
  'finds the oldest within the limit': backlog.result((found, { limit }) =>
    found.waiting === limit ? { ...found, oldestAt: STARTED } : found,
  ),
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
});

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

const queuedMailsMutants: readonly Mutant[] = mutantsOf(queuedMailsSuite, {
  'queues one mail of a creation': createCharged.input(({ mails = [] }) => ({ mails: mails.slice(0, 1) })),
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
});

export const MAIL_MUTANTS: readonly Mutant[] = [...mailQueueMutants, ...mailBudgetsMutants, ...queuedMailsMutants];
