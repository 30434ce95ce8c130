import { aClient, aSubscription } from '../../src/records/clients.ts';
import { returnAddressesSuite } from '../../src/suites/return-addresses.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, roundTrip, untilNul, uuidOnly, verifications } from './patch.ts';

const { create, find, setReturnAddresses } = clients;
const { createCharged, findWithEventsForAnyClient } = verifications;

export const returnAddressesMutants: readonly Mutant[] = mutantsOf(returnAddressesSuite, {
  'creates clients without return addresses': create.input(({ client }) => ({
    client: { ...client, returnAddresses: [] },
  })),
  'sorts return addresses': find.result((entry) => ({
    ...entry,
    client: { ...entry.client, returnAddresses: entry.client.returnAddresses.toSorted() },
  })),
  'lists clients without return addresses': clients.list.result((entries) =>
    entries.map((entry) => ({ ...entry, client: { ...entry.client, returnAddresses: [] } })),
  ),
  'adds to the list instead of replacing it': setReturnAddresses.override(async ({ next, storage }, id, added) => {
    const before = (await storage.clients.find(id))?.client.returnAddresses ?? [];
    return next(id, [...new Set([...before, ...added])]);
  }),
  'ignores an empty list': setReturnAddresses.override(async ({ next, storage }, id, addresses) => {
    const before = (await storage.clients.find(id))?.client.returnAddresses ?? [];
    return next(id, addresses.length === 0 ? before : addresses);
  }),
  'truncates a long list': setReturnAddresses.override(({ next }, id, addresses) =>
    next(id, addresses.slice(0, 10)),
  ),
  'truncates long addresses': setReturnAddresses.override(({ next }, id, addresses) =>
    next(
      id,
      addresses.map((address) => address.slice(0, 255)),
    ),
  ),
  'returns the client from before the change': setReturnAddresses.override(
    async ({ next, storage }, id, addresses) => {
      const before = await storage.clients.find(id);
      const answer = await next(id, addresses);
      return before && answer.outcome === 'changed' ? { outcome: 'changed', client: before.client } : answer;
    },
  ),
  'changes the list of every client': setReturnAddresses.override(async ({ next, storage }, id, addresses) => {
    for (const { client } of await storage.clients.list()) await next(client.id, addresses);
    return next(id, addresses);
  }),
  'switches access to files on': setReturnAddresses.override(async ({ next, storage }, id, addresses) => {
    await storage.clients.setFileAccess(id, true);
    return next(id, addresses);
  }),
  'creates unknown clients': setReturnAddresses.override(async ({ next, storage }, id, addresses) => {
    await storage.clients.create({ client: aClient(9, { id }), subscription: aSubscription() });
    return next(id, addresses);
  }),
  'fails on an id that is not a UUID': setReturnAddresses.first(uuidOnly),
  'truncates ids at NUL': setReturnAddresses.first(untilNul),
  'reads the client and writes it back whole': setReturnAddresses.override(
    async ({ next, storage }, id, addresses) => {
      const read = await storage.clients.find(id);
      await roundTrip();
      if (read !== null) await storage.clients.setFileAccess(id, read.client.fileAccess);
      return next(id, addresses);
    },
  ),
  'writes one address after the other': setReturnAddresses.override(async ({ next, storage }, id, addresses) => {
    let answer = await next(id, []);
    for (const address of addresses) {
      const before = (await storage.clients.find(id))?.client.returnAddresses ?? [];
      await roundTrip();
      answer = await next(id, [...before, address]);
    }
    return answer;
  }),
  'drops the return URL': createCharged.input(({ record }) => ({ record: { ...record, returnUrl: null } })),
  'drops the locale': createCharged.input(({ record }) => ({ record: { ...record, locale: null } })),
  'drops the return URL with the first change': findWithEventsForAnyClient.result((found) =>
    found.record.version === 1 ? found : { ...found, record: { ...found.record, returnUrl: null } },
  ),
  'drops the locale with the first change': findWithEventsForAnyClient.result((found) =>
    found.record.version === 1 ? found : { ...found, record: { ...found.record, locale: null } },
  ),
});
