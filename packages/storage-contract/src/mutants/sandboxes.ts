import type { ClientRepository, Storage } from '@countersign/domain';
import { aClient } from '../records/clients.ts';
import { sandboxesSuite } from '../suites/sandboxes.ts';
import { type Mutant, mutantsOf, patched, roundTrip } from './mutant.ts';

type SetSandbox = ClientRepository['setSandbox'];

export const sandboxesMutants: readonly Mutant[] = mutantsOf(sandboxesSuite, {
  'makes sandboxes for good': (storage) =>
    setting(storage, async (next, id, sandbox) => next(id, sandbox || (await isSandbox(storage, id)))),
  'switches instead of setting': (storage) =>
    setting(storage, async (next, id) => next(id, !(await isSandbox(storage, id)))),
  'fails where it is set already': (storage) =>
    setting(storage, async (next, id, sandbox) =>
      (await isSandbox(storage, id)) === sandbox ? { outcome: 'client_not_found' } : next(id, sandbox),
    ),
  'answers with the client as it was': (storage) =>
    setting(storage, async (next, id, sandbox) => {
      const before = await storage.clients.find(id);
      const answer = await next(id, sandbox);
      return before && answer.outcome === 'changed' ? { outcome: 'changed', client: before.client } : answer;
    }),
  'sets all clients': (storage) =>
    setting(storage, async (next, id, sandbox) => {
      for (const { client } of await storage.clients.list()) await next(client.id, sandbox);
      return next(id, sandbox);
    }),
  'forgets it with a change of the subscription': (storage) =>
    patched(storage, {
      clients: {
        changeSubscription: async (id, ...given) => {
          await storage.clients.setSandbox(id, false);
          return storage.clients.changeSubscription(id, ...given);
        },
      },
    }),
  'puts the subscription back to the plan’s limit': (storage) =>
    setting(storage, async (next, id, sandbox) => {
      await storage.clients.changeSubscription(id, { monthlyLimit: null }, null);
      return next(id, sandbox);
    }),
  'makes a client that it does not know': (storage) =>
    setting(storage, async (next, id, sandbox) => {
      await storage.clients.create({ client: aClient(9, { id }), subscription: null });
      return next(id, sandbox);
    }),
  'fails on a client that is no UUID': (storage) =>
    setting(storage, async (next, id, sandbox) => {
      if (id.length !== 36) throw new Error('invalid input syntax for type uuid');
      return next(id, sandbox);
    }),
  'cuts an id at NUL': (storage) =>
    setting(storage, (next, id, sandbox) => next(id.split('\u0000')[0] ?? '', sandbox)),
  'reads the client and writes it back whole': (storage) =>
    setting(storage, async (next, id, sandbox) => {
      const read = await storage.clients.find(id);
      await roundTrip();
      if (read?.subscription) await storage.clients.changeSubscription(id, read.subscription, null);
      return next(id, sandbox);
    }),
});

function setting(
  storage: Storage,
  set: (next: SetSandbox, ...given: Parameters<SetSandbox>) => ReturnType<SetSandbox>,
): Storage {
  return patched(storage, {
    clients: { setSandbox: async (...given) => set(storage.clients.setSandbox, ...given) },
  });
}

async function isSandbox(storage: Storage, id: string): Promise<boolean> {
  return (await storage.clients.find(id))?.client.sandbox === true;
}
