import type { Storage, VerificationRecord } from '@countersign/domain';
import { MUCH_LATER } from '../records/outbox.ts';
import { idempotencyKeysSuite } from '../suites/idempotency-keys.ts';
import { creating, keyless, looksForTheKeyFirst } from './around.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

export const idempotencyKeysMutants: readonly Mutant[] = mutantsOf(idempotencyKeysSuite, {
  'does not know keys': (storage) => creating(storage, (next, request) => next(keyless(request))),
  'gives the verification as it was created': (storage) => {
    const first = new Map<string, VerificationRecord>();
    return creating(storage, async (next, request) => {
      const answer = await next(request);
      if (answer.outcome === 'created') first.set(request.record.id, request.record);
      return answer.outcome === 'key_used'
        ? { ...answer, record: first.get(answer.record.id) ?? answer.record }
        : answer;
    });
  },
  'gives the request instead of the verification': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      return answer.outcome === 'key_used' ? { ...answer, record: request.record } : answer;
    }),
  'gives the verification without its sandbox': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      return answer.outcome === 'key_used'
        ? { ...answer, record: { ...answer.record, sandboxOutcome: null } }
        : answer;
    }),
  'forgets the key of a resolved one': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      const isOver = answer.outcome === 'key_used' && answer.record.resolvedAt !== null;
      return isOver ? next(keyless(request)) : answer;
    }),
  'uses up the key of a refused one': (storage) => {
    const used = new Map<string | null, VerificationRecord>();
    return creating(storage, async (next, request) => {
      const { record } = request;
      const earlier = used.get(record.idempotencyKey);
      if (earlier !== undefined) return { outcome: 'key_used', record: earlier };
      if (record.idempotencyKey !== null) used.set(record.idempotencyKey, record);
      return next(request);
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
    creating(storage, (next, request) => {
      const { idempotencyKey } = request.record;
      return next({ ...request, record: { ...request.record, idempotencyKey: String(idempotencyKey) } });
    }),
  'sends the event of a replay': (storage) =>
    creating(storage, async (next, request) => {
      const answer = await next(request);
      if (answer.outcome !== 'key_used') return answer;
      const { record } = answer;
      const event = { ...request.event, verificationId: record.id, version: record.version + 1, at: MUCH_LATER };
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
      createCharged: (request) => {
        const { idempotencyKey } = request.record;
        const kept = idempotencyKey === null ? null : keep(idempotencyKey);
        return verifications.createCharged({ ...request, record: { ...request.record, idempotencyKey: kept } });
      },
      findByIdempotencyKey: (clientId, key) => verifications.findByIdempotencyKey(clientId, keep(key)),
    },
  });
}
