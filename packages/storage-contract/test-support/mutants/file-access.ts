import type { Storage } from '@countersign/domain/storage';
import { fileAccessSuite } from '../../src/suites/file-access.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, untilNul, uuidOnly } from './patch.ts';

const { setFileAccess } = clients;

export const fileAccessMutants: readonly Mutant[] = mutantsOf(fileAccessSuite, {
  'never switches off': setFileAccess.override(async ({ next, storage }, id, fileAccess) =>
    next(id, fileAccess || (await hasAccess(storage, id))),
  ),
  'toggles instead of setting': setFileAccess.override(async ({ next, storage }, id) =>
    next(id, !(await hasAccess(storage, id))),
  ),
  'fails if the value is already set': setFileAccess.override(async ({ next, storage }, id, fileAccess) =>
    (await hasAccess(storage, id)) === fileAccess ? { outcome: 'client_not_found' } : next(id, fileAccess),
  ),
  'returns the client from before the change': setFileAccess.override(
    async ({ next, storage }, id, fileAccess) => {
      const before = await storage.clients.find(id);
      const answer = await next(id, fileAccess);
      return before && answer.outcome === 'changed' ? { outcome: 'changed', client: before.client } : answer;
    },
  ),
  'fails on an id that is not a UUID': setFileAccess.first(uuidOnly),
  'truncates ids at NUL': setFileAccess.first(untilNul),
});

async function hasAccess(storage: Storage, id: string): Promise<boolean> {
  return (await storage.clients.find(id))?.client.fileAccess === true;
}
