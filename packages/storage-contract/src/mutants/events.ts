import type { VerificationEvent } from '@countersign/domain';
import { eventsSuite } from '../suites/events.ts';
import { admitting, committing } from './around.ts';
import { eachValue, keepingEvents, toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

/** Keeps its events differently. */
const keeping =
  (keep: (event: VerificationEvent) => Partial<VerificationEvent>): Mutant['breakIn'] =>
  (storage) =>
    keepingEvents(storage, (event) => ({ ...event, ...keep(event) }));

export const eventsMutants: readonly Mutant[] = mutantsOf(eventsSuite, {
  'forgets who acted': keeping(({ actor }) => ({ actor: { ...actor, id: null } })),
  'forgets what kind of actor it was': keeping(({ actor }) => ({ actor: { ...actor, kind: 'system' } })),
  'knows created events alone': keeping(() => ({ type: 'verification.created' })),
  'keeps moments to the second': keeping(({ at }) => ({ at: toSeconds(at) })),
  'keeps data flat': keeping(({ data }) => ({
    data: eachValue(data, (value) => (Array.isArray(value) ? [] : value)),
  })),
  'keeps numbers as text': keeping(({ data }) => ({
    data: eachValue(data, (value) => (typeof value === 'number' ? String(value) : value)),
  })),
  'gives the present status to every event': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (...given) => {
          const found = await storage.verifications.findWithEvents(...given);
          return (
            found && { ...found, events: found.events.map((each) => ({ ...each, status: found.record.status })) }
          );
        },
      },
    }),
  'loses the event of an admission': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (...given) => {
          const found = await storage.verifications.findWithEvents(...given);
          return found && { ...found, events: found.events.filter(({ version }) => version > 1) };
        },
      },
    }),
  'keeps the event of a refused admission': (storage) =>
    admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      if (answer.outcome === 'admitted') return answer;
      await next({
        ...admission,
        record: { ...admission.record, idempotencyKey: null, subjectReference: admission.record.id },
        allowance: 1_000,
      });
      return answer;
    }),
  'keeps the events of a lost change': (storage) =>
    committing(storage, async (next, change) => {
      const answer = await next(change);
      const record = await storage.verifications.find(change.record.clientId, change.record.id);
      if (answer.outcome === 'committed' || record === null) return answer;
      await next({ record, expectedVersion: record.version, events: change.events });
      return answer;
    }),
});
