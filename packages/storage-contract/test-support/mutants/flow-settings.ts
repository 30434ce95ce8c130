import { type FlowSettings, NEW_FLOW_SETTINGS } from '@countersign/domain/clients';
import type { Storage } from '@countersign/domain/storage';
import { flowSettingsSuite } from '../../src/suites/flow-settings.ts';
import { type Mutant, mutantsOf } from './mutant.ts';
import { clients, roundTrip, untilNul, uuidOnly } from './patch.ts';

const { setFlowSettings } = clients;

/** Sets the client's settings by those that it had and the given ones. */
const setsInstead = (combine: (given: FlowSettings, before: FlowSettings) => FlowSettings) =>
  setFlowSettings.override(async ({ next, storage }, id, given) =>
    next(id, combine(given, await settingsIn(storage, id))),
  );

export const flowSettingsMutants: readonly Mutant[] = mutantsOf(flowSettingsSuite, {
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
  'fails on an id that is not a UUID': setFlowSettings.first(uuidOnly),
  'truncates ids at NUL': setFlowSettings.first(untilNul),
  'sets the switches after the other settings': setFlowSettings.override(async ({ next, storage }, id, given) => {
    const { placeOfBirth, proofOfAddress, ...others } = given;
    await next(id, { ...(await settingsIn(storage, id)), ...others });
    // Of two calls, one ends last in this part and the other in that.
    for (let trips = placeOfBirth ? 2 : 1; trips > 0; trips -= 1) await roundTrip();
    return next(id, { ...(await settingsIn(storage, id)), placeOfBirth, proofOfAddress });
  }),
});

async function settingsIn(storage: Storage, id: string): Promise<FlowSettings> {
  return (await storage.clients.find(id))?.client.flowSettings ?? NEW_FLOW_SETTINGS;
}
