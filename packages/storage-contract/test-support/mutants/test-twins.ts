import { testTwinOf } from '@countersign/domain/clients';
import { testTwinsSuite } from '../../src/suites/test-twins.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, retention, roundTrip, untilNul, uuidOnly } from './patch.ts';

const { create, list, testTwin } = clients;
const { setPolicy } = retention;

export const testTwinsMutants: readonly Mutant[] = mutantsOf(testTwinsSuite, {
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
  'lists no twins': list.result((entries) => entries.filter(({ client }) => client.testOf === null)),
  'reads, then makes a twin': testTwin.override(async ({ next, storage }, id, twin) => {
    if ((await storage.clients.list()).some(({ client }) => client.testOf === id)) return next(id, twin);
    await roundTrip();
    await next(id, twin);
    const client = (await storage.clients.find(id))?.client;
    return client === undefined || client.testOf !== null ? null : testTwinOf(client, twin);
  }),
  'refuses the others of many calls at once': testTwin.oneAtATime(async () => null),
  'fails on an id that is not a UUID': testTwin.first(uuidOnly),
  'truncates ids at NUL': testTwin.first(untilNul),
  'sets the policy of the client with that of its twin': setPolicy.override(
    async ({ next, storage }, id, policy) => {
      const testOf = (await storage.clients.find(id))?.client.testOf ?? null;
      return next(testOf ?? id, policy);
    },
  ),
});
