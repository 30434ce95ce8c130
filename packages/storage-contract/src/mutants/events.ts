import type { VerificationEvent } from '@countersign/domain';
import { eventsSuite } from '../suites/events.ts';
import { committing, creating } from './around.ts';
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
  'loses the event of a creation': (storage) =>
    patched(storage, {
      verifications: {
        findWithEvents: async (...given) => {
          const found = await storage.verifications.findWithEvents(...given);
          return found && { ...found, events: found.events.filter(({ version }) => version > 1) };
        },
      },
    }),
  'keeps the event of a refused creation': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      if (answer.outcome === 'created') return answer;
      await next({
        ...request,
        record: { ...request.record, idempotencyKey: null, subjectReference: request.record.id },
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
