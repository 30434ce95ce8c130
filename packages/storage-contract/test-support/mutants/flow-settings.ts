import { type FlowSettings, NEW_FLOW_SETTINGS } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { aClient } from '../../src/records/clients.ts';
import { flowSettingsSuite } from '../../src/suites/flow-settings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { apiKeys, clients, remembering, roundTrip, untilNul, uuidOnly } from './patch.ts';

const { create, list, search, setFlowSettings } = clients;
const { resolve } = apiKeys;

/** Sets the client's settings by those that it had and the given ones. */
const setsInstead = (combine: (given: FlowSettings, before: FlowSettings) => FlowSettings) =>
  setFlowSettings.override(async ({ next, storage }, id, given) =>
    next(id, combine(given, await settingsIn(storage, id))),
  );

export const flowSettingsMutants: readonly Mutant[] = mutantsOf(flowSettingsSuite, {
  'creates every client with the settings of a new one': create.input(({ client }) => ({
    client: { ...client, flowSettings: NEW_FLOW_SETTINGS },
  })),
  'creates the twin with the settings of its client': create.input(({ client, test }) => ({
    test: test && { ...test, flowSettings: client.flowSettings },
  })),
  'lists every client with the settings of a new one': list.result((entries) =>
    entries.map((entry) => ({ ...entry, client: { ...entry.client, flowSettings: NEW_FLOW_SETTINGS } })),
  ),
  'finds clients by name with the settings of a new one': search.result(({ entries, totalCount }) => ({
    entries: entries.map((entry) => ({ ...entry, client: { ...entry.client, flowSettings: NEW_FLOW_SETTINGS } })),
    totalCount,
  })),
  'swaps the switches': setsInstead(({ placeOfBirth, proofOfAddress, ...others }) => ({
    ...others,
    placeOfBirth: proofOfAddress,
    proofOfAddress: placeOfBirth,
  })),
  'never removes a minimum age': setsInstead((given, before) => ({
    ...given,
    minimumAge: given.minimumAge ?? before.minimumAge,
  })),
  'never removes the life of a link': setsInstead((given, before) => ({
    ...given,
    linkDays: given.linkDays ?? before.linkDays,
  })),
  'never removes when a decision comes': setsInstead((given, before) => ({
    ...given,
    decisionWithin: given.decisionWithin ?? before.decisionWithin,
  })),
  'never removes a due time': setsInstead((given, before) => ({
    ...given,
    dueHours: given.dueHours ?? before.dueHours,
  })),
  'never indexes family names': setsInstead((given) => ({ ...given, familyNameIndex: false })),
  'never shows warnings in details': setsInstead((given) => ({ ...given, warningsInDetails: false })),
  'never takes readings for advice': setsInstead((given) => ({ ...given, readingIsAdvice: false })),
  'never switches off': setsInstead((given, before) => ({
    ...given,
    placeOfBirth: given.placeOfBirth || before.placeOfBirth,
  })),
  'fails if the settings are already set': setFlowSettings.override(async ({ next, storage }, id, given) =>
    JSON.stringify(await settingsIn(storage, id)) === JSON.stringify(given)
      ? { outcome: 'client_not_found' }
      : next(id, given),
  ),
  'returns the client from before the change': setFlowSettings.override(async ({ next, storage }, id, given) => {
    const before = await storage.clients.find(id);
    const answer = await next(id, given);
    return before && answer.outcome === 'changed' ? { outcome: 'changed', client: before.client } : answer;
  }),
  'changes all clients': setFlowSettings.override(async ({ next, storage }, id, given) => {
    for (const { client } of await storage.clients.list()) await next(client.id, given);
    return next(id, given);
  }),
  'switches access to files off': setFlowSettings.override(async ({ next, storage }, id, given) => {
    await storage.clients.setFileAccess(id, false);
    return next(id, given);
  }),
  'creates unknown clients': setFlowSettings.override(async ({ next, storage }, id, given) => {
    await storage.clients.create({ client: aClient(9, { id }), subscription: null });
    return next(id, given);
  }),
  'fails on an id that is not a UUID': setFlowSettings.first(uuidOnly),
  'truncates ids at NUL': setFlowSettings.first(untilNul),
  'sets the switches after the other settings': setFlowSettings.override(async ({ next, storage }, id, given) => {
    const { placeOfBirth, proofOfAddress, ...others } = given;
    await next(id, { ...(await settingsIn(storage, id)), ...others });
    // Of two calls, one ends last in this part and the other in that.
    for (let trips = placeOfBirth ? 2 : 1; trips > 0; trips -= 1) await roundTrip();
    return next(id, { ...(await settingsIn(storage, id)), placeOfBirth, proofOfAddress });
  }),
  'reads the client and writes it back whole': setFlowSettings.override(async ({ next, storage }, id, given) => {
    const read = await storage.clients.find(id);
    await roundTrip();
    if (read !== null) await storage.clients.setFileAccess(id, read.client.fileAccess);
    return next(id, given);
  }),
  'resolves every key without the life of links': resolve.result((resolved) => ({ ...resolved, linkDays: null })),
  'resolves keys with the life of links from before a change': remembering(() => {
    const first = new Map<string, number | null>();
    return resolve.result((resolved) => {
      const { id } = resolved.key;
      if (!first.has(id)) first.set(id, resolved.linkDays);
      return { ...resolved, linkDays: first.get(id) ?? null };
    });
  }),
});

async function settingsIn(storage: Storage, id: string): Promise<FlowSettings> {
  return (await storage.clients.find(id))?.client.flowSettings ?? NEW_FLOW_SETTINGS;
}
