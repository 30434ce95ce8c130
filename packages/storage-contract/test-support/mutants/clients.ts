import type { ClientWithSubscription, Storage } from '@countersign/domain';
import { aClient, aSubscription } from '../../src/records/clients.ts';
import { clientsSuite, sandboxesSuite } from '../../src/suites/clients.ts';
import { firstSubscriptionsSuite, subscriptionsSuite } from '../../src/suites/subscriptions.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { answers, asks, both, fail, on, remembering, roundTrip, toSeconds } from './patch.ts';

export const clientsMutants: readonly Mutant[] = mutantsOf(clientsSuite, {
  'keeps moments to the second': asks('clients.create')(({ client }) => ({
    client: { ...client, createdAt: toSeconds(client.createdAt) },
  })),
  'keeps names in ASCII': asks('clients.create')(({ client }) => ({
    client: { ...client, name: client.name.replace(/[^ -~]/g, '?') },
  })),
  'forgets that a client is a sandbox': asks('clients.create')(({ client }) => ({
    client: { ...client, sandbox: false },
  })),
  'lists sandboxes as ordinary clients': answers('clients.list')((entries) =>
    entries.map((entry) => ({ ...entry, client: { ...entry.client, sandbox: false } })),
  ),
  'ends what is open-ended': asks('clients.create')(({ subscription }) => ({
    subscription: subscription && { ...subscription, endsAt: subscription.endsAt ?? new Date(8.64e15) },
  })),
  'limits what has no limit of its own': asks('clients.create')(({ subscription }) => ({
    subscription: subscription && { ...subscription, monthlyLimit: subscription.monthlyLimit ?? 1_000 },
  })),
  'gives every client a subscription': asks('clients.create')(({ subscription }) => ({
    subscription: subscription ?? aSubscription(),
  })),
  'finds some client for an unknown id': on('clients.find')(
    async ({ next, storage }, id) => (await next(id)) ?? (await storage.clients.list())[0] ?? null,
  ),
  'adds the subscription to a client that exists': on('clients.create')(async ({ next, storage }, entry) => {
    const answer = await next(entry);
    const { client, subscription } = entry;
    if (answer.outcome === 'exists' && subscription !== null) {
      await storage.clients.changeSubscription(client.id, subscription, subscription);
    }
    return answer;
  }),
  'looks first and creates later': on('clients.create')(async ({ next, storage }, entry) => {
    if ((await storage.clients.find(entry.client.id)) !== null) return { outcome: 'exists' };
    await roundTrip();
    await next(entry);
    return { outcome: 'created' };
  }),
  'lists the newest first': answers('clients.list')((entries) => [...entries].reverse()),
  'leaves ties in the order of writing': remembering(() => {
    const written: string[] = [];
    const place = ({ client }: ClientWithSubscription): number => written.indexOf(client.id);
    return both(
      on('clients.create')(({ next }, entry) => {
        written.push(entry.client.id);
        return next(entry);
      }),
      answers('clients.list')((entries) =>
        [...entries].sort(
          (a, b) => Number(a.client.createdAt) - Number(b.client.createdAt) || place(a) - place(b),
        ),
      ),
    );
  }),
  'lists a client of its own': answers('clients.list')((entries) => [
    ...entries,
    { client: aClient(99), subscription: null },
  ]),
  'refuses a name that is taken': on('clients.create')(async ({ next, storage }, entry) => {
    const others = await storage.clients.list();
    return others.some(({ client }) => client.name === entry.client.name) ? { outcome: 'exists' } : next(entry);
  }),
  'counts all months as one': on('clients.usedIn')(({ next }, id) => next(id, '2026-03')),
  'does not know what an unknown client used': on('clients.usedIn')(async ({ next, storage }, id, month) =>
    (await storage.clients.find(id)) === null ? Number.NaN : next(id, month),
  ),
});

export const sandboxesMutants: readonly Mutant[] = mutantsOf(sandboxesSuite, {
  'makes sandboxes for good': on('clients.setSandbox')(async ({ next, storage }, id, sandbox) =>
    next(id, sandbox || (await isSandbox(storage, id))),
  ),
  'switches instead of setting': on('clients.setSandbox')(async ({ next, storage }, id) =>
    next(id, !(await isSandbox(storage, id))),
  ),
  'fails where it is set already': on('clients.setSandbox')(async ({ next, storage }, id, sandbox) =>
    (await isSandbox(storage, id)) === sandbox ? { outcome: 'client_not_found' } : next(id, sandbox),
  ),
  'answers with the client as it was': on('clients.setSandbox')(async ({ next, storage }, id, sandbox) => {
    const before = await storage.clients.find(id);
    const answer = await next(id, sandbox);
    return before && answer.outcome === 'changed' ? { outcome: 'changed', client: before.client } : answer;
  }),
  'sets all clients': on('clients.setSandbox')(async ({ next, storage }, id, sandbox) => {
    for (const { client } of await storage.clients.list()) await next(client.id, sandbox);
    return next(id, sandbox);
  }),
  'forgets it with a change of the subscription': on('clients.changeSubscription')(
    async ({ next, storage }, id, ...given) => {
      await storage.clients.setSandbox(id, false);
      return next(id, ...given);
    },
  ),
  'puts the subscription back to the plan’s limit': on('clients.setSandbox')(
    async ({ next, storage }, ...given) => {
      await storage.clients.changeSubscription(given[0], { monthlyLimit: null }, null);
      return next(...given);
    },
  ),
  'makes a client that it does not know': on('clients.setSandbox')(async ({ next, storage }, id, sandbox) => {
    await storage.clients.create({ client: aClient(9, { id }), subscription: null });
    return next(id, sandbox);
  }),
  'fails on a client that is no UUID': on('clients.setSandbox')(async ({ next }, id, sandbox) =>
    id.length === 36 ? next(id, sandbox) : fail('invalid input syntax for type uuid'),
  ),
  'cuts an id at NUL': on('clients.setSandbox')(({ next }, id, sandbox) =>
    next(id.split('\u0000')[0] ?? '', sandbox),
  ),
  'reads the client and writes it back whole': on('clients.setSandbox')(async ({ next, storage }, id, sandbox) => {
    const read = await storage.clients.find(id);
    await roundTrip();
    if (read?.subscription) await storage.clients.changeSubscription(id, read.subscription, null);
    return next(id, sandbox);
  }),
});

async function isSandbox(storage: Storage, id: string): Promise<boolean> {
  return (await storage.clients.find(id))?.client.sandbox === true;
}

export const subscriptionsMutants: readonly Mutant[] = mutantsOf(subscriptionsSuite, {
  'sets fields left out to their defaults': on('clients.changeSubscription')(({ next }, id, change, initial) =>
    next(id, { ...aSubscription(), ...change }, initial),
  ),
  'takes null for left out': on('clients.changeSubscription')(({ next }, id, change, initial) =>
    next(id, without(change, null), initial),
  ),
  'takes 0 for left out': on('clients.changeSubscription')(({ next }, id, change, initial) =>
    next(id, without(change, 0), initial),
  ),
  'takes undefined for null': on('clients.changeSubscription')(({ next }, id, change, initial) =>
    next(id, 'endsAt' in change && change.endsAt === undefined ? { ...change, endsAt: null } : change, initial),
  ),
  'fails where there is nothing to set': on('clients.changeSubscription')(({ next }, id, change, initial) =>
    Object.keys(change).length === 0 ? fail('syntax error near WHERE') : next(id, change, initial),
  ),
  'changes every client’s subscription': on('clients.changeSubscription')(
    async ({ next, storage }, id, change, initial) => {
      for (const { client } of await storage.clients.list()) await next(client.id, change, null);
      return next(id, change, initial);
    },
  ),
  'lets the earlier change win': remembering(() => {
    const set = new Set<string>();
    return on('clients.changeSubscription')(({ next }, id, change, initial) => {
      const late = Object.entries(change).filter(([field]) => !set.has(field));
      for (const [field] of late) set.add(field);
      return next(id, Object.fromEntries(late), initial);
    });
  }),
  'reads the subscription and writes it back whole': on('clients.changeSubscription')(
    async ({ next, storage }, id, change, initial) => {
      const read = (await storage.clients.find(id))?.subscription;
      await roundTrip();
      return next(id, { ...read, ...without(change, undefined) }, initial);
    },
  ),
  'answers with what was there before': on('clients.changeSubscription')(async ({ next, storage }, ...given) => {
    const before = (await storage.clients.find(given[0]))?.subscription;
    const result = await next(...given);
    return result.outcome === 'changed' && before ? { ...result, subscription: before } : result;
  }),
});

const without = (change: object, unwanted: unknown): object =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== unwanted));

export const firstSubscriptionsMutants: readonly Mutant[] = mutantsOf(firstSubscriptionsSuite, {
  'lets the initial subscription win': on('clients.changeSubscription')(({ next }, id, change, initial) =>
    next(id, { ...change, ...initial }, initial),
  ),
  'changes the initial subscription too': on('clients.changeSubscription')(
    async ({ next }, id, change, initial) => {
      await next(id, {}, initial);
      return next(id, change, initial);
    },
  ),
  'makes a subscription of nothing': on('clients.changeSubscription')(({ next }, id, change, initial) =>
    next(id, change, initial ?? aSubscription()),
  ),
  'does not tell an unknown client': answers('clients.changeSubscription')((result) =>
    result.outcome === 'client_not_found' ? { outcome: 'no_subscription' } : result,
  ),
  'makes the client that it does not know': on('clients.changeSubscription')(
    async ({ next, storage }, ...given) => {
      const result = await next(...given);
      if (result.outcome === 'client_not_found') {
        await storage.clients.create({ client: aClient(1), subscription: given[2] });
      }
      return result;
    },
  ),
  'looks whether there is one and inserts later': on('clients.changeSubscription')(
    async ({ next, storage }, id, change, initial) => {
      const read = (await storage.clients.find(id))?.subscription;
      await roundTrip();
      return next(id, read === null && initial !== null ? initial : change, initial);
    },
  ),
});
