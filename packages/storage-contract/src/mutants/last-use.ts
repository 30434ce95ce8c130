import type { ApiKeyRepository, Storage } from '@countersign/domain';
import { lastUseSuite } from '../suites/last-use.ts';
import { toSeconds } from './lossy.ts';
import { type Mutant, mutantsOf, patched } from './mutant.ts';

type RecordUse = ApiKeyRepository['recordUse'];

export const lastUseMutants: readonly Mutant[] = mutantsOf(lastUseSuite, {
  'notes nothing': (storage) => noting(storage, async () => undefined),
  'notes to the second': (storage) => noting(storage, (next, use) => next({ ...use, at: toSeconds(use.at) })),
  'notes every use': (storage) => noting(storage, (next, use) => next({ ...use, unlessSince: use.at })),
  'leaves a note at the very bound': (storage) =>
    noting(storage, (next, use) => next({ ...use, unlessSince: new Date(use.unlessSince.getTime() - 1) })),
  'notes all keys of the client': (storage) =>
    noting(storage, async (next, use) => {
      for (const { id } of await storage.apiKeys.list(use.clientId)) await next({ ...use, keyId: id });
    }),
  'notes another client’s key': (storage) =>
    noting(storage, async (next, use) => {
      for (const { client } of await storage.clients.list()) await next({ ...use, clientId: client.id });
    }),
  'fails on an unknown key': (storage) =>
    noting(storage, async (next, use) => {
      const keys = await storage.apiKeys.list(use.clientId);
      if (!keys.some(({ id }) => id === use.keyId)) throw new Error('no rows');
      return next(use);
    }),
  'revokes what is used': (storage) =>
    noting(storage, async (next, use) => {
      await next(use);
      await storage.apiKeys.revoke(use.clientId, use.keyId, use.at);
    }),
});

function noting(
  storage: Storage,
  recordUse: (next: RecordUse, ...given: Parameters<RecordUse>) => Promise<void>,
): Storage {
  return patched(storage, { apiKeys: { recordUse: (use) => recordUse(storage.apiKeys.recordUse, use) } });
}
