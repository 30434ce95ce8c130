import { testTwinOf } from '@countersign/domain/clients';
import { testTwinsSuite } from '../../src/suites/test-twins.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { apiKeys, clients, fail, retention, roundTrip, untilNul, uuidOnly } from './patch.ts';

const { create, list, names, search, testTwin } = clients;
const { resolve } = apiKeys;
const { ofClient, ofClients, setPolicy } = retention;

export const testTwinsMutants: readonly Mutant[] = mutantsOf(testTwinsSuite, {
  'creates a client without its twin': create.input(() => ({ test: undefined })),
  'creates the twin, then the client': create.override(async ({ next, storage }, entry) => {
    if (entry.test !== undefined) await storage.clients.create({ client: entry.test, subscription: null });
    return next({ ...entry, test: undefined });
  }),
  'creates the twin without return addresses': create.input(({ test }) => ({
    test: test && { ...test, returnAddresses: [] },
  })),
  'creates the twin with a subscription': create.override(async ({ next, storage }, entry) => {
    const answer = await next(entry);
    const { test, subscription } = entry;
    if (test !== undefined && subscription !== null) {
      await storage.clients.changeSubscription(test.id, subscription, subscription);
    }
    return answer;
  }),
  'creates the twin as a client in live use': create.input(({ test }) => ({
    test: test && { ...test, testOf: null },
  })),
  'lists no twins': list.result((entries) => entries.filter(({ client }) => client.testOf === null)),
  'makes no missing twin': testTwin.override(async ({ next, storage }, id, twin) =>
    (await storage.clients.list()).some(({ client }) => client.testOf === id) ? next(id, twin) : null,
  ),
  'makes a twin with each call': testTwin.override(async ({ next, storage }, id, twin) => {
    const client = (await storage.clients.find(id))?.client;
    if (client === undefined || client.testOf !== null) return next(id, twin);
    const made = testTwinOf(client, twin);
    await storage.clients.create({ client: made, subscription: null });
    return made;
  }),
  'reads, then makes a twin': testTwin.override(async ({ next, storage }, id, twin) => {
    if ((await storage.clients.list()).some(({ client }) => client.testOf === id)) return next(id, twin);
    await roundTrip();
    await next(id, twin);
    const client = (await storage.clients.find(id))?.client;
    return client === undefined || client.testOf !== null ? null : testTwinOf(client, twin);
  }),
  'refuses the others of many calls at once': testTwin.oneAtATime(async () => null),
  'makes a twin with another name': testTwin.result((twin) => ({ ...twin, name: `${twin.name} (test)` })),
  'makes a twin with the access to files of its client': testTwin.override(async ({ next, storage }, id, twin) => {
    const made = await next(id, twin);
    return made && { ...made, fileAccess: (await storage.clients.find(id))?.client.fileAccess === true };
  }),
  'makes the twin of a twin': testTwin.override(async ({ next, storage }, id, twin) => {
    const client = (await storage.clients.find(id))?.client;
    return client !== undefined && client.testOf !== null ? testTwinOf(client, twin) : next(id, twin);
  }),
  'fails on a client that is unknown': testTwin.override(
    async ({ next }, id, twin) => (await next(id, twin)) ?? fail('unknown'),
  ),
  'fails on an id that is not a UUID': testTwin.first(uuidOnly),
  'truncates ids at NUL': testTwin.first(untilNul),
  'finds twins by name': search.override(async ({ next, storage }, query) => {
    const page = await next(query);
    const twins = (await storage.clients.list()).filter(({ client }) => client.testOf !== null);
    return { ...page, entries: [...page.entries, ...twins].slice(0, query.limit) };
  }),
  'counts twins': search.override(async ({ next, storage }, query) => {
    const page = await next(query);
    return { ...page, totalCount: (await storage.clients.list()).length };
  }),
  'names twins like clients in live use': names.result(
    (found) => new Map([...found].map(([id, one]) => [id, { ...one, testOf: null }])),
  ),
  'resolves every key as one of a client in live use': resolve.result((resolved) => ({
    ...resolved,
    testOf: null,
  })),
  'resolves every key as one of a test twin': resolve.result((resolved) => ({
    ...resolved,
    testOf: resolved.testOf ?? resolved.key.clientId,
  })),
  'reads the policy of the twin itself': ofClient.override(async ({ next, storage }, id) => {
    const found = await next(id);
    const isTwin = (await storage.clients.find(id))?.client.testOf !== null;
    return found && (isTwin ? { ...found, policy: null } : found);
  }),
  'lists twins without a policy': ofClients.override(async ({ next, storage }, ...input) => {
    const found = await next(...input);
    const twins = (await storage.clients.list()).filter(({ client }) => client.testOf !== null);
    return found.map((each) =>
      twins.some(({ client }) => client.id === each.clientId) ? { ...each, policy: null } : each,
    );
  }),
  'lists twins with the plan of their client': ofClients.override(async ({ next, storage }, ...input) => {
    const found = await next(...input);
    const twins = new Map((await storage.clients.list()).map(({ client }) => [client.id, client.testOf]));
    return found.map((each) => {
      const live = found.find(({ clientId }) => clientId === twins.get(each.clientId));
      return live === undefined ? each : { ...each, plannedBy: live.plannedBy };
    });
  }),
  'sets the policy of the client with that of its twin': setPolicy.override(
    async ({ next, storage }, id, policy) => {
      const testOf = (await storage.clients.find(id))?.client.testOf ?? null;
      return next(testOf ?? id, policy);
    },
  ),
});
