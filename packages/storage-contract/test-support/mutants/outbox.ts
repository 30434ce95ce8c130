import type { LeasedEvent, LeaseHold, VerificationEvent } from '@countersign/domain';
import { clientId } from '../../src/records/ids.ts';
import { deliveriesSuite } from '../../src/suites/deliveries.ts';
import { outboxAtOnceSuite, outboxSuite } from '../../src/suites/outbox.ts';
import { keepsEventsOfLostChanges, keepsEventsOfRefusedRequests } from './changes.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { ALL } from './pages.ts';
import {
  answers,
  asks,
  type Break,
  both,
  fail,
  keepsEvent,
  moved,
  on,
  remembering,
  roundTrip,
  toSeconds,
} from './patch.ts';

/** Changes each leased event. */
const gives = (change: (leased: LeasedEvent) => LeasedEvent): Break =>
  answers('outbox.lease')((leased) => leased.map(change));

/** Puts leased events in another order. */
const orders = (compare: (a: LeasedEvent, b: LeasedEvent) => number): Break =>
  answers('outbox.lease')((leased) => [...leased].sort(compare));

export const outboxMutants: readonly Mutant[] = mutantsOf(outboxSuite, {
  'sends events without their actor': gives(({ event, attempt }) => ({
    event: { ...event, actor: { kind: 'system', id: null } },
    attempt,
  })),
  'sends moments to the second': keepsEvent(({ at }) => ({ at: toSeconds(at) })),
  'fails where there is nothing': answers('outbox.lease')((leased) =>
    leased.length === 0 ? fail('no rows') : leased,
  ),
  'sends the newest first': answers('outbox.lease')((leased) => [...leased].reverse()),
  'sends those of one moment as they come': remembering(() => {
    const written: string[] = [];
    const place = ({ event }: LeasedEvent): number => written.indexOf(event.id);
    return both(
      on('verifications.createCharged')(({ next }, request) => {
        written.push(request.event.id);
        return next(request);
      }),
      orders((a, b) => Number(a.event.at) - Number(b.event.at) || place(a) - place(b)),
    );
  }),
  'takes some up to its limit, not the oldest': on('outbox.lease')(async ({ next }, request) =>
    (await next({ ...request, limit: ALL })).slice(-request.limit),
  ),
  'knows no limit': asks('outbox.lease')(() => ({ limit: ALL })),
  'leases what is leased': asks('outbox.lease')(({ now }) => ({ until: now })),
  'leases a moment too early': asks('outbox.lease')(({ until }) => ({ until: moved(until, -1) })),
  'leases a moment too late': asks('outbox.lease')(({ until }) => ({ until: moved(until, 1) })),
  'counts no attempts': gives(({ event }) => ({ event, attempt: 1 })),
  'counts attempts from 0': gives(({ event, attempt }) => ({ event, attempt: attempt - 1 })),
  'sends what is new before what is due again': orders((a, b) => a.attempt - b.attempt),
  'sends for one client alone': answers('outbox.lease')((leased) =>
    leased.filter(({ event }) => event.clientId === clientId(1)),
  ),
  'sends events of refused requests': keepsEventsOfRefusedRequests,
  'sends events of lost changes': keepsEventsOfLostChanges,
  'loses events of changes': asks('verifications.commit')(() => ({ events: [] })),
});

const keyOf = ({ clientId, eventId }: Omit<LeaseHold, 'leaseToken'>): string => `${clientId} ${eventId}`;

/** Remembers the last token that each event was leased with. */
const withLastToken = (patch: (lastToken: (hold: LeaseHold) => string | undefined) => Break): Break =>
  remembering(() => {
    const tokens = new Map<string, string>();
    return both(
      answers('outbox.lease')((leased, { leaseToken }) => {
        for (const { event } of leased) {
          tokens.set(keyOf({ clientId: event.clientId, eventId: event.id }), leaseToken);
        }
        return leased;
      }),
      patch((hold) => tokens.get(keyOf(hold))),
    );
  });

const ignoresTokens = (method: 'outbox.ack' | 'outbox.fail'): Break =>
  withLastToken((lastToken) =>
    on(method)(({ next }, hold, at) => next({ ...hold, leaseToken: lastToken(hold) ?? hold.leaseToken }, at)),
  );

export const deliveriesMutants: readonly Mutant[] = mutantsOf(deliveriesSuite, {
  'forgets that an event was delivered': on('outbox.ack')(({ storage }, hold, at) =>
    storage.outbox.fail(hold, at),
  ),
  'delivers everything of a lease': remembering(() => {
    const leases = new Map<string, LeaseHold[]>();
    return both(
      answers('outbox.lease')((leased, { leaseToken }) => {
        const holds = leased.map(({ event }) => ({ clientId: event.clientId, eventId: event.id, leaseToken }));
        leases.set(leaseToken, holds);
        return leased;
      }),
      on('outbox.ack')(async ({ next }, hold, at) => {
        const answer = await next(hold, at);
        for (const other of leases.get(hold.leaseToken) ?? []) await next(other, at);
        return answer;
      }),
    );
  }),
  'gives back at once': on('outbox.fail')(({ next }, hold) => next(hold, new Date(0))),
  'gives back at the end of the lease': on('outbox.fail')(async () => ({ outcome: 'done' })),
  'gives back a moment too early': on('outbox.fail')(({ next }, hold, at) => next(hold, moved(at, -1))),
  'gives back for good': on('outbox.fail')(({ storage }, hold, at) => storage.outbox.ack(hold, at)),
  'lets whoever gave back hold on': remembering(() => {
    const givenBack = new Set<string>();
    return both(
      answers('outbox.fail')((answer, hold) => {
        if (answer.outcome === 'done') givenBack.add(`${keyOf(hold)} ${hold.leaseToken}`);
        return answer;
      }),
      on('outbox.ack')(async ({ next }, hold, at) =>
        givenBack.has(`${keyOf(hold)} ${hold.leaseToken}`) ? { outcome: 'done' } : next(hold, at),
      ),
    );
  }),
  'takes no late answer': remembering(() => {
    const ends = new Map<string, Date>();
    return both(
      on('outbox.lease')(({ next }, request) => {
        ends.set(request.leaseToken, request.until);
        return next(request);
      }),
      on('outbox.ack')(async ({ next }, hold, at) =>
        at >= (ends.get(hold.leaseToken) ?? at) ? { outcome: 'lease_lost' } : next(hold, at),
      ),
    );
  }),
  'does not look at the token of a delivery': ignoresTokens('outbox.ack'),
  'does not look at the token of what is given back': ignoresTokens('outbox.fail'),
  'delivers again': remembering(() => {
    const delivered = new Set<string>();
    return answers('outbox.ack')((answer, hold) => {
      if (answer.outcome === 'done') delivered.add(keyOf(hold));
      return delivered.has(keyOf(hold)) ? { outcome: 'done' } : answer;
    });
  }),
  'calls everything done': answers('outbox.fail')(() => ({ outcome: 'done' })),
  'looks first and delivers later': remembering(() => {
    const delivered = new Set<string>();
    return on('outbox.ack')(async ({ next }, hold, at) => {
      if (delivered.has(keyOf(hold))) return { outcome: 'lease_lost' };
      await roundTrip();
      delivered.add(keyOf(hold));
      await next(hold, at);
      return { outcome: 'done' };
    });
  }),
  'delivers what nobody holds': withLastToken((lastToken) =>
    on('outbox.ack')(async ({ next }, hold, at) =>
      lastToken(hold) === undefined ? { outcome: 'done' } : next(hold, at),
    ),
  ),
});

export const outboxAtOnceMutants: readonly Mutant[] = mutantsOf(outboxAtOnceSuite, {
  'looks for due events first and takes them later': remembering(() => {
    let seen: Promise<readonly LeasedEvent[]> | null = null;
    return on('outbox.lease')(async ({ next }, request) => {
      seen ??= next(request);
      const leased = await seen;
      await roundTrip();
      seen = null;
      return leased;
    });
  }),
  'skips events that others look at': remembering(() => {
    let count = 0;
    return answers('outbox.lease')((leased) => {
      count += 1;
      return count % 2 === 0 ? leased.slice(1) : leased;
    });
  }),
  'lets the last token hold everything': remembering(() => {
    let last = '';
    return both(
      on('outbox.lease')(({ next }, request) => {
        last = request.leaseToken;
        return next(request);
      }),
      on('outbox.ack')(async ({ next }, hold, at) =>
        hold.leaseToken === last ? next(hold, at) : { outcome: 'lease_lost' },
      ),
    );
  }),
  'leases the same events to all who ask at once': remembering(() => {
    const peeked: VerificationEvent[] = [];
    return on('outbox.lease')(async ({ next }, request) => {
      const leased = await next(request);
      peeked.push(...leased.map(({ event }) => event));
      await roundTrip();
      return [...leased, ...peeked.slice(0, 1).map((event) => ({ event, attempt: 1 }))];
    });
  }),
  'loses what it leases while it writes': remembering(() => {
    let writing = 0;
    return both(
      on('verifications.createCharged')(async ({ next }, request) => {
        writing += 1;
        await roundTrip();
        writing -= 1;
        return next(request);
      }),
      answers('outbox.ack')(() => ({ outcome: writing === 0 ? 'done' : 'lease_lost' })),
    );
  }),
});
