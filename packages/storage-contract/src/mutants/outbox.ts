import type { LeasedEvent } from '@countersign/domain';
import { clientId } from '../records/ids.ts';
import { outboxSuite } from '../suites/outbox.ts';
import { committing, creating, leasing } from './around.ts';
import { keepingEvents, toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Changes what a lease gives. */
const giving =
  (change: (leased: LeasedEvent[]) => readonly LeasedEvent[]): Mutant['breakIn'] =>
  (storage) =>
    leasing(storage, async (next, request) => change([...(await next(request))]));

export const outboxMutants: readonly Mutant[] = mutantsOf(outboxSuite, {
  'sends events without their actor': giving((leased) =>
    leased.map(({ event, attempt }) => ({ event: { ...event, actor: { kind: 'system', id: null } }, attempt })),
  ),
  'sends moments to the second': (storage) =>
    keepingEvents(storage, (event) => ({ ...event, at: toSeconds(event.at) })),
  'fails where there is nothing': giving((leased) => {
    if (leased.length === 0) throw new Error('no rows');
    return leased;
  }),
  'sends the newest first': giving((leased) => leased.reverse()),
  'sends those of one moment as they come': (storage) => {
    const written: string[] = [];
    const place = ({ event }: LeasedEvent): number => written.indexOf(event.id);
    const noting = creating(storage, (next, request) => {
      written.push(request.event.id);
      return next(request);
    });
    return leasing(noting, async (next, request) =>
      [...(await next(request))].sort(
        (a, b) => a.event.at.getTime() - b.event.at.getTime() || place(a) - place(b),
      ),
    );
  },
  'takes some up to its limit, not the oldest': (storage) =>
    leasing(storage, async (next, request) => (await next({ ...request, limit: 100 })).slice(-request.limit)),
  'knows no limit': (storage) => leasing(storage, (next, request) => next({ ...request, limit: 100 })),
  'leases what is leased': (storage) =>
    leasing(storage, (next, request) => next({ ...request, until: request.now })),
  'leases a moment too early': (storage) =>
    leasing(storage, (next, request) => next({ ...request, until: new Date(request.until.getTime() - 1) })),
  'leases a moment too late': (storage) =>
    leasing(storage, (next, request) => next({ ...request, until: new Date(request.until.getTime() + 1) })),
  'counts no attempts': giving((leased) => leased.map(({ event }) => ({ event, attempt: 1 }))),
  'counts attempts from 0': giving((leased) =>
    leased.map(({ event, attempt }) => ({ event, attempt: attempt - 1 })),
  ),
  'sends what is new before what is due again': giving((leased) => leased.sort((a, b) => a.attempt - b.attempt)),
  'sends for one client alone': giving((leased) => leased.filter(({ event }) => event.clientId === clientId(1))),
  'sends events of refused requests': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      const { record } = request;
      const free = { ...record, idempotencyKey: null, subjectReference: record.id };
      if (answer.outcome !== 'created') await next({ ...request, record: free, allowance: 1_000 });
      return answer;
    }),
  'sends events of lost changes': (storage) =>
    committing(storage, async (next, change) => {
      const answer = await next(change);
      const record = await storage.verifications.find(change.record.clientId, change.record.id);
      if (answer.outcome === 'committed' || record === null) return answer;
      await next({ record, expectedVersion: record.version, events: change.events });
      return answer;
    }),
  'loses events of changes': (storage) => committing(storage, (next, change) => next({ ...change, events: [] })),
});
