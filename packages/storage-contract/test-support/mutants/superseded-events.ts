import { MAX_EVENTS } from '@countersign/domain/storage';
import { supersededEventsSuite } from '../../src/suites/superseded-events.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { fail, keepsRecord, verifications } from './patch.ts';

const { commit } = verifications;

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
  'stores no number of events': keepsRecord(() => ({ eventCount: 1 })),
  'limits the events of decisions': commit.override(({ next }, change) =>
    change.record.eventCount > MAX_EVENTS ? fail('too many events') : next(change),
  ),
});
