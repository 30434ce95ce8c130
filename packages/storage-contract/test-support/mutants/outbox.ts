import type { LeasedEvent, LeaseHold, VerificationEvent } from '@countersign/domain';
import { clientId } from '../../src/records/ids.ts';
import { deliveriesSuite } from '../../src/suites/deliveries.ts';
import { outboxAtOnceSuite, outboxSuite } from '../../src/suites/outbox.ts';
import { keepsEventsOfLostChanges, keepsEventsOfRefusedRequests } from './changes.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import {
  type Break,
  both,
  fail,
  keepsEvent,
  moved,
  outbox,
  remembering,
  roundTrip,
  toSeconds,
  verifications,
} from './patch.ts';

const { ack, fail: giveBack, lease } = outbox;

/** Changes each leased event. */
const gives = (change: (leased: LeasedEvent) => LeasedEvent): Break =>
  lease.result((leased) => leased.map(change));

/** Puts leased events in another order. */
const orders = (compare: (a: LeasedEvent, b: LeasedEvent) => number): Break =>
  lease.result((leased) => [...leased].sort(compare));

export const outboxMutants: readonly Mutant[] = mutantsOf(outboxSuite, {
  'leases events without their actor': gives(({ event, attempt }) => ({
    event: { ...event, actor: { kind: 'system', id: null } },
    attempt,
  })),
  'truncates times to seconds': keepsEvent(({ at }) => ({ at: toSeconds(at) })),
  'fails on an empty outbox': lease.result((leased) => (leased.length === 0 ? fail('no rows') : leased)),
  'leases the newest first': lease.result((leased) => [...leased].reverse()),
  'orders events of one moment by insertion': remembering(() => {
    const written: string[] = [];
    const place = ({ event }: LeasedEvent): number => written.indexOf(event.id);
    return both(
      verifications.createCharged.override(({ next }, request) => {
        written.push(request.event.id);
        return next(request);
      }),
      orders((a, b) => Number(a.event.at) - Number(b.event.at) || place(a) - place(b)),
    );
  }),
  'leases the newest up to the limit': lease.override(async ({ next }, request) =>
    (await next({ ...request, limit: ALL })).slice(-request.limit),
  ),
  'ignores the limit': lease.input(() => ({ limit: ALL })),
  'leases leased events': lease.input(({ now }) => ({ until: now })),
  'frees an event a moment early': lease.input(({ until }) => ({ until: moved(until, -1) })),
  'frees an event a moment late': lease.input(({ until }) => ({ until: moved(until, 1) })),
  'counts one attempt always': gives(({ event }) => ({ event, attempt: 1 })),
  'counts attempts from 0': gives(({ event, attempt }) => ({ event, attempt: attempt - 1 })),
  'prefers new events to those due again': orders((a, b) => a.attempt - b.attempt),
  'leases events of one client only': lease.result((leased) =>
    leased.filter(({ event }) => event.clientId === clientId(1)),
  ),
  'leases events of refused creations': keepsEventsOfRefusedRequests,
  'leases events of conflicts': keepsEventsOfLostChanges,
  'drops events of changes': verifications.commit.input(() => ({ events: [] })),
});

const keyOf = ({ clientId, eventId }: Omit<LeaseHold, 'leaseToken'>): string => `${clientId} ${eventId}`;

/** Remembers the last token that each event was leased with. */
const withLastToken = (patch: (lastToken: (hold: LeaseHold) => string | undefined) => Break): Break =>
  remembering(() => {
    const tokens = new Map<string, string>();
    return both(
      lease.result((leased, { leaseToken }) => {
        for (const { event } of leased) {
          tokens.set(keyOf({ clientId: event.clientId, eventId: event.id }), leaseToken);
        }
        return leased;
      }),
      patch((hold) => tokens.get(keyOf(hold))),
    );
  });

const ignoresTokens = (operation: typeof outbox.ack | typeof outbox.fail): Break =>
  withLastToken((lastToken) =>
    operation.override(({ next }, hold, at) =>
      next({ ...hold, leaseToken: lastToken(hold) ?? hold.leaseToken }, at),
    ),
  );

export const deliveriesMutants: readonly Mutant[] = mutantsOf(deliveriesSuite, {
  'never marks an event delivered': ack.override(({ storage }, hold, at) => storage.outbox.fail(hold, at)),
  'delivers every event of the lease': remembering(() => {
    const leases = new Map<string, LeaseHold[]>();
    return both(
      lease.result((leased, { leaseToken }) => {
        const holds = leased.map(({ event }) => ({ clientId: event.clientId, eventId: event.id, leaseToken }));
        leases.set(leaseToken, holds);
        return leased;
      }),
      ack.override(async ({ next }, hold, at) => {
        const answer = await next(hold, at);
        for (const other of leases.get(hold.leaseToken) ?? []) await next(other, at);
        return answer;
      }),
    );
  }),
  'gives back at once': giveBack.override(({ next }, hold) => next(hold, new Date(0))),
  'gives back at the end of the lease': giveBack.override(async () => ({ outcome: 'done' })),
  'gives back a moment early': giveBack.override(({ next }, hold, at) => next(hold, moved(at, -1))),
  'never leases again what was given back': giveBack.override(({ storage }, hold, at) =>
    storage.outbox.ack(hold, at),
  ),
  'keeps the hold after giving back': remembering(() => {
    const givenBack = new Set<string>();
    return both(
      giveBack.result((answer, hold) => {
        if (answer.outcome === 'done') givenBack.add(`${keyOf(hold)} ${hold.leaseToken}`);
        return answer;
      }),
      ack.override(async ({ next }, hold, at) =>
        givenBack.has(`${keyOf(hold)} ${hold.leaseToken}`) ? { outcome: 'done' } : next(hold, at),
      ),
    );
  }),
  'refuses a late answer': remembering(() => {
    const ends = new Map<string, Date>();
    return both(
      lease.override(({ next }, request) => {
        ends.set(request.leaseToken, request.until);
        return next(request);
      }),
      ack.override(async ({ next }, hold, at) =>
        at >= (ends.get(hold.leaseToken) ?? at) ? { outcome: 'lease_lost' } : next(hold, at),
      ),
    );
  }),
  'ignores the token of ack': ignoresTokens(outbox.ack),
  'ignores the token of fail': ignoresTokens(outbox.fail),
  'accepts a second ack': remembering(() => {
    const delivered = new Set<string>();
    return ack.result((answer, hold) => {
      if (answer.outcome === 'done') delivered.add(keyOf(hold));
      return delivered.has(keyOf(hold)) ? { outcome: 'done' } : answer;
    });
  }),
  'accepts every fail': giveBack.result(() => ({ outcome: 'done' })),
  'reads, then delivers': remembering(() => {
    const delivered = new Set<string>();
    return ack.override(async ({ next }, hold, at) => {
      if (delivered.has(keyOf(hold))) return { outcome: 'lease_lost' };
      await roundTrip();
      delivered.add(keyOf(hold));
      await next(hold, at);
      return { outcome: 'done' };
    });
  }),
  'delivers events that are not leased': withLastToken((lastToken) =>
    ack.override(async ({ next }, hold, at) =>
      lastToken(hold) === undefined ? { outcome: 'done' } : next(hold, at),
    ),
  ),
});

export const outboxAtOnceMutants: readonly Mutant[] = mutantsOf(outboxAtOnceSuite, {
  'reads due events, then takes them': remembering(() => {
    let seen: Promise<readonly LeasedEvent[]> | null = null;
    return lease.override(async ({ next }, request) => {
      seen ??= next(request);
      const leased = await seen;
      await roundTrip();
      seen = null;
      return leased;
    });
  }),
  'skips events locked by others': remembering(() => {
    let count = 0;
    return lease.result((leased) => {
      count += 1;
      return count % 2 === 0 ? leased.slice(1) : leased;
    });
  }),
  'accepts the last token only': remembering(() => {
    let last = '';
    return both(
      lease.override(({ next }, request) => {
        last = request.leaseToken;
        return next(request);
      }),
      ack.override(async ({ next }, hold, at) =>
        hold.leaseToken === last ? next(hold, at) : { outcome: 'lease_lost' },
      ),
    );
  }),
  'leases the same event twice at once': remembering(() => {
    const peeked: VerificationEvent[] = [];
    return lease.override(async ({ next }, request) => {
      const leased = await next(request);
      peeked.push(...leased.map(({ event }) => event));
      await roundTrip();
      return [...leased, ...peeked.slice(0, 1).map((event) => ({ event, attempt: 1 }))];
    });
  }),
  'loses leases during writes': remembering(() => {
    let writing = 0;
    return both(
      verifications.createCharged.override(async ({ next }, request) => {
        writing += 1;
        await roundTrip();
        writing -= 1;
        return next(request);
      }),
      ack.result(() => ({ outcome: writing === 0 ? 'done' : 'lease_lost' })),
    );
  }),
});
