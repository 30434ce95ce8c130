import type { Storage, VerificationRecord } from '@countersign/domain';
import { MUCH_LATER } from '../given/outbox.ts';
import { idempotencyKeysSuite } from '../suites/idempotency-keys.ts';
import { admitting, keyless, looksForTheKeyFirst } from './around.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const idempotencyKeysMutants: readonly Mutant[] = mutantsOf(idempotencyKeysSuite, {
  'does not know keys': (storage) => admitting(storage, (next, admission) => next(keyless(admission))),
  'gives the verification as it was admitted': (storage) => {
    const first = new Map<string, VerificationRecord>();
    return admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      if (answer.outcome === 'admitted') first.set(admission.record.id, admission.record);
      return answer.outcome === 'key_used'
        ? { ...answer, record: first.get(answer.record.id) ?? answer.record }
        : answer;
    });
  },
  'gives the request instead of the verification': (storage) =>
    admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      return answer.outcome === 'key_used' ? { ...answer, record: admission.record } : answer;
    }),
  'gives the verification without its sandbox': (storage) =>
    admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      return answer.outcome === 'key_used'
        ? { ...answer, record: { ...answer.record, sandboxOutcome: null } }
        : answer;
    }),
  'forgets the key of a resolved one': (storage) =>
    admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      const isOver = answer.outcome === 'key_used' && answer.record.resolvedAt !== null;
      return isOver ? next(keyless(admission)) : answer;
    }),
  'uses up the key of a refused one': (storage) => {
    const used = new Map<string | null, VerificationRecord>();
    return admitting(storage, async (next, admission) => {
      const { record } = admission;
      const earlier = used.get(record.idempotencyKey);
      if (earlier !== undefined) return { outcome: 'key_used', record: earlier };
      if (record.idempotencyKey !== null) used.set(record.idempotencyKey, record);
      return next(admission);
    });
  },
  'looks for the key first and inserts later': looksForTheKeyFirst,
  'has one space of keys for all clients': (storage) =>
    patched(storage, {
      verifications: { findByIdempotencyKey: async (_, key) => findInAll(storage, key) },
    }),
  'folds the cases of keys': (storage) => keepingKeysAs(storage, (key) => key.toLowerCase()),
  'trims keys': (storage) => keepingKeysAs(storage, (key) => key.trim()),
  'cuts keys at 64 characters': (storage) => keepingKeysAs(storage, (key) => key.slice(0, 64)),
  'takes no key for the key null': (storage) =>
    admitting(storage, (next, admission) => {
      const { idempotencyKey } = admission.record;
      return next({ ...admission, record: { ...admission.record, idempotencyKey: String(idempotencyKey) } });
    }),
  'sends the event of a replay': (storage) =>
    admitting(storage, async (next, admission) => {
      const answer = await next(admission);
      if (answer.outcome !== 'key_used') return answer;
      const { record } = answer;
      const event = { ...admission.event, verificationId: record.id, version: record.version + 1, at: MUCH_LATER };
      await storage.verifications.commit({ record, expectedVersion: record.version, events: [event] });
      return answer;
    }),
});

async function findInAll(storage: Storage, key: string): Promise<VerificationRecord | null> {
  for (const { client } of await storage.clients.list()) {
    const found = await storage.verifications.findByIdempotencyKey(client.id, key);
    if (found !== null) return found;
  }
  return null;
}

function keepingKeysAs(storage: Storage, keep: (key: string) => string): Storage {
  const { verifications } = storage;
  return patched(storage, {
    verifications: {
      admit: (admission) => {
        const { idempotencyKey } = admission.record;
        const kept = idempotencyKey === null ? null : keep(idempotencyKey);
        return verifications.admit({ ...admission, record: { ...admission.record, idempotencyKey: kept } });
      },
      findByIdempotencyKey: (clientId, key) => verifications.findByIdempotencyKey(clientId, keep(key)),
    },
  });
}
