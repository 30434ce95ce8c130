import type {
  ClientRepository,
  CreateRequest,
  DataKeyRepository,
  Outbox,
  QueueQuery,
  Storage,
  VerificationRepository,
} from '@countersign/domain';
import { patched, roundTrip } from './mutant.ts';

type CreateCharged = VerificationRepository['createCharged'];
type Commit = VerificationRepository['commit'];
type List = VerificationRepository['list'];
type Queue = VerificationRepository['queue'];
type Replace = DataKeyRepository['replace'];
type Change = ClientRepository['changeSubscription'];

/** A storage that creates in a way of its own, with the sound way at hand. */
export function creating(
  storage: Storage,
  createCharged: (next: CreateCharged, ...given: Parameters<CreateCharged>) => ReturnType<CreateCharged>,
): Storage {
  return patched(storage, {
    verifications: { createCharged: (given) => createCharged(storage.verifications.createCharged, given) },
  });
}

/** The same for changes. */
export function committing(
  storage: Storage,
  commit: (next: Commit, ...given: Parameters<Commit>) => ReturnType<Commit>,
): Storage {
  return patched(storage, { verifications: { commit: (given) => commit(storage.verifications.commit, given) } });
}

/** The same for lists. */
export function listing(
  storage: Storage,
  list: (next: List, ...given: Parameters<List>) => ReturnType<List>,
): Storage {
  return patched(storage, { verifications: { list: (...given) => list(storage.verifications.list, ...given) } });
}

/** The same for the queue. */
export function queueing(storage: Storage, queue: (next: Queue, query: QueueQuery) => ReturnType<Queue>): Storage {
  return patched(storage, { verifications: { queue: (query) => queue(storage.verifications.queue, query) } });
}

/** The same for replaced data keys. */
export function replacing(
  storage: Storage,
  replace: (next: Replace, ...given: Parameters<Replace>) => ReturnType<Replace>,
): Storage {
  return patched(storage, { dataKeys: { replace: (given) => replace(storage.dataKeys.replace, given) } });
}

/** The same for leases. */
export function leasing(
  storage: Storage,
  lease: (next: Outbox['lease'], ...given: Parameters<Outbox['lease']>) => ReturnType<Outbox['lease']>,
): Storage {
  return patched(storage, { outbox: { lease: (given) => lease(storage.outbox.lease, given) } });
}

/** The same for subscriptions. */
export function changingSubscription(
  storage: Storage,
  change: (next: Change, ...given: Parameters<Change>) => ReturnType<Change>,
): Storage {
  const { clients } = storage;
  return patched(storage, {
    clients: { changeSubscription: async (...given) => change(clients.changeSubscription, ...given) },
  });
}

/** Reads the version, and a round trip later writes over whatever is there then. */
export function lastWriterWins(storage: Storage): Storage {
  return committing(storage, async (next, change) => {
    const { clientId, id } = change.record;
    const read = await storage.verifications.find(clientId, id);
    if (read?.version !== change.expectedVersion) return { outcome: 'conflict' };
    await roundTrip();
    const version = (await storage.verifications.find(clientId, id))?.version ?? 0;
    const versions = Array.from({ length: 20 }, (_, more) => version + more);
    for (const expectedVersion of versions) {
      const record = { ...change.record, version: expectedVersion + 1 };
      if ((await next({ ...change, record, expectedVersion })).outcome === 'committed') break;
    }
    return { outcome: 'committed' };
  });
}

/** The same creation without its `Idempotency-Key`. */
export function keyless(request: CreateRequest): CreateRequest {
  return { ...request, record: { ...request.record, idempotencyKey: null } };
}

/** Looks whether the key was used, and a round trip later inserts without regard to it. */
export function looksForTheKeyFirst(storage: Storage): Storage {
  return creating(storage, async (next, request) => {
    const { clientId, idempotencyKey } = request.record;
    const record = await storage.verifications.findByIdempotencyKey(clientId, idempotencyKey ?? '');
    if (record !== null) return { outcome: 'key_used', record };
    await roundTrip();
    return next(keyless(request));
  });
}
