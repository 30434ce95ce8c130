import type { VerificationEvent } from '@countersign/domain';
import { MAX_EVENTS } from '@countersign/domain';
import { supersededEventsSuite } from '../../src/suites/superseded-events.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { both, fail, keepsRecord, outbox, remembering, verifications } from './patch.ts';

const { commit, findWithEventsForAnyClient } = verifications;

export const supersededEventsMutants: readonly Mutant[] = mutantsOf(supersededEventsSuite, {
  ...commit.ignoring('supersededVersion'),
  'supersedes the creation': commit.input(({ supersededVersion }) => ({
    supersededVersion: supersededVersion === undefined ? undefined : 1,
  })),
  'supersedes in every verification of the client': commit.override(async ({ next, storage }, change) => {
    const { record, supersededVersion } = change;
    const outcome = await next(change);
    if (supersededVersion === undefined || outcome.outcome === 'conflict') return outcome;
    for (const other of await verificationsOf(storage, record.clientId)) {
      await next({ record: other, expectedVersion: other.version, events: [], supersededVersion });
    }
    return outcome;
  }),
  'supersedes on a conflict': commit.override(async ({ next, storage }, change) => {
    const answer = await next(change);
    const stored = await storage.verifications.findForAnyClient(change.record.id);
    if (answer.outcome === 'committed' || stored === null) return answer;
    const { supersededVersion } = change;
    await next({ record: stored, expectedVersion: stored.version, events: [], supersededVersion });
    return answer;
  }),
  'refuses to supersede a version without an event': commit.override(async ({ next, storage }, change) => {
    const { record, supersededVersion } = change;
    const whole = await storage.verifications.findWithEventsForAnyClient(record.id, MAX_EVENTS);
    const isKnown = whole?.events.some(({ version }) => version === supersededVersion);
    return supersededVersion === undefined || isKnown ? next(change) : fail('no rows');
  }),
  'hides a superseded event and still delivers it': remembering(() => {
    const superseded: string[] = [];
    const isKept = ({ id }: VerificationEvent) => !superseded.includes(id);
    return both(
      commit.override(async ({ next, storage }, { supersededVersion, ...change }) => {
        const before = await storage.verifications.findWithEventsForAnyClient(change.record.id, MAX_EVENTS);
        const answer = await next(change);
        const event = before?.events.find(({ version }) => version === supersededVersion);
        if (answer.outcome === 'committed' && event !== undefined) superseded.push(event.id);
        return answer;
      }),
      findWithEventsForAnyClient.result(({ record, events }) => ({ record, events: events.filter(isKept) })),
    );
  }),
  'keeps superseded events that were delivered': remembering(() => {
    const delivered = new Set<string>();
    const kept: VerificationEvent[] = [];
    return both(
      outbox.ack.override(async ({ next }, hold, at) => {
        delivered.add(hold.eventId);
        return next(hold, at);
      }),
      both(
        commit.override(async ({ next, storage }, change) => {
          const before = await storage.verifications.findWithEventsForAnyClient(change.record.id, MAX_EVENTS);
          const event = before?.events.find(({ version }) => version === change.supersededVersion);
          if (event !== undefined && delivered.has(event.id)) kept.push(event);
          return next(change);
        }),
        findWithEventsForAnyClient.result(({ record, events }) => ({ record, events: [...kept, ...events] })),
      ),
    );
  }),
  'stores no number of events': keepsRecord(() => ({ eventCount: 1 })),
  'limits the events of decisions': commit.override(({ next }, change) =>
    change.record.eventCount > MAX_EVENTS ? fail('too many events') : next(change),
  ),
});
