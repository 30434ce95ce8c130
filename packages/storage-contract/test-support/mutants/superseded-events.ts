import { MAX_EVENTS } from '@countersign/domain/storage';
import { supersededEventsSuite } from '../../src/suites/superseded-events.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { verificationsOf } from './pages.ts';
import { fail, verifications } from './patch.ts';

const { commit } = verifications;

export const supersededEventsMutants: readonly Mutant[] = mutantsOf(supersededEventsSuite, {
  'supersedes the first version alone': commit.input(({ supersededVersions = [] }) => ({
    supersededVersions: supersededVersions.slice(0, 1),
  })),
  'supersedes the last version alone': commit.input(({ supersededVersions = [] }) => ({
    supersededVersions: supersededVersions.slice(-1),
  })),
  'appends the last event alone': commit.input(({ events }) => ({ events: events.slice(-1) })),
  'appends the first event alone': commit.input(({ events }) => ({ events: events.slice(0, 1) })),
  'gives all events the version of the record': commit.input(({ record, events }) => ({
    events: events.map((event) => ({ ...event, version: record.version })),
  })),
  'raises the version by one': commit.input(({ record, expectedVersion }) => ({
    record: { ...record, version: expectedVersion + 1 },
  })),
  'moves on by one step': commit.override(async ({ next, storage }, change) => {
    const stored = await storage.verifications.findForAnyClient(change.record.id);
    const currentStep = Math.min(change.record.currentStep, (stored?.currentStep ?? 0) + 1);
    return next({ ...change, record: { ...change.record, currentStep } });
  }),
  'supersedes in every verification of the client': commit.override(async ({ next, storage }, change) => {
    const { record, supersededVersions } = change;
    const outcome = await next(change);
    if (supersededVersions === undefined || outcome.outcome === 'conflict') return outcome;
    for (const other of await verificationsOf(storage, record.clientId)) {
      await next({ record: other, expectedVersion: other.version, events: [], supersededVersions });
    }
    return outcome;
  }),
  'refuses to supersede a version without an event': commit.override(async ({ next, storage }, change) => {
    const { record, supersededVersions = [] } = change;
    const whole = await storage.verifications.findWithEventsForAnyClient(record.id, MAX_EVENTS);
    const known = new Set(whole?.events.map(({ version }) => version));
    return supersededVersions.every((version) => known.has(version)) ? next(change) : fail('no rows');
  }),
});
