import type { ApiKey, JsonObject, Storage, VerificationEvent, VerificationRecord } from '@countersign/domain';
import { patched } from './mutant.ts';

/** A storage that keeps something else than it was given: each record goes through `keep` on its way in. */
export function keepingRecords(
  storage: Storage,
  keep: (record: VerificationRecord) => VerificationRecord,
): Storage {
  const { verifications } = storage;
  return patched(storage, {
    verifications: {
      createCharged: (request) => verifications.createCharged({ ...request, record: keep(request.record) }),
      commit: (change) => verifications.commit({ ...change, record: keep(change.record) }),
    },
  });
}

/** The same for events. */
export function keepingEvents(storage: Storage, keep: (event: VerificationEvent) => VerificationEvent): Storage {
  const { verifications } = storage;
  return patched(storage, {
    verifications: {
      createCharged: (request) => verifications.createCharged({ ...request, event: keep(request.event) }),
      commit: (change) => verifications.commit({ ...change, events: change.events.map(keep) }),
    },
  });
}

/** The same for keys. */
export function keepingKeys(storage: Storage, keep: (key: ApiKey) => ApiKey): Storage {
  return patched(storage, { apiKeys: { issue: (key) => storage.apiKeys.issue(keep(key)) } });
}

/** A moment as a column without milliseconds keeps it. */
export function toSeconds(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1_000) * 1_000);
}

/** A document with a change made to each value in it, at any depth. */
export function eachValue(document: JsonObject, change: (value: unknown, key: string) => unknown): JsonObject {
  return JSON.parse(JSON.stringify(document, (key, value: unknown) => change(value, key))) as JsonObject;
}
