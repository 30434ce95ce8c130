import type { Storage } from '@countersign/domain/storage';
import { aClient } from '../../src/records/clients.ts';
import { fileAccessSuite } from '../../src/suites/file-access.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, roundTrip, untilNul, uuidOnly } from './patch.ts';

const { create, list, search, setFileAccess } = clients;

export const fileAccessMutants: readonly Mutant[] = mutantsOf(fileAccessSuite, {
  'creates every client without access': create.input(({ client }) => ({
    client: { ...client, fileAccess: false },
  })),
  'lists every client without access': list.result((entries) =>
    entries.map((entry) => ({ ...entry, client: { ...entry.client, fileAccess: false } })),
  ),
  'finds clients by name with access': search.result(({ entries, totalCount }) => ({
    entries: entries.map((entry) => ({ ...entry, client: { ...entry.client, fileAccess: true } })),
    totalCount,
  })),
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
  'switches all clients': setFileAccess.override(async ({ next, storage }, id, fileAccess) => {
    for (const { client } of await storage.clients.list()) await next(client.id, fileAccess);
    return next(id, fileAccess);
  }),
  'removes the return addresses': setFileAccess.override(async ({ next, storage }, id, fileAccess) => {
    await storage.clients.setReturnAddresses(id, []);
    return next(id, fileAccess);
  }),
  'creates unknown clients': setFileAccess.override(async ({ next, storage }, id, fileAccess) => {
    await storage.clients.create({ client: aClient(9, { id }), subscription: null });
    return next(id, fileAccess);
  }),
  'fails on an id that is not a UUID': setFileAccess.first(uuidOnly),
  'truncates ids at NUL': setFileAccess.first(untilNul),
  'reads the client and writes it back whole': setFileAccess.override(
    async ({ next, storage }, id, fileAccess) => {
      const read = await storage.clients.find(id);
      await roundTrip();
      if (read !== null) await storage.clients.setReturnAddresses(id, read.client.returnAddresses);
      return next(id, fileAccess);
    },
  ),
});

async function hasAccess(storage: Storage, id: string): Promise<boolean> {
  return (await storage.clients.find(id))?.client.fileAccess === true;
}
