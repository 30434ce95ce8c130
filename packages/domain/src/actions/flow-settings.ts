import { type FlowSettingsInput, flowSettingsFields } from '../subscription/flow-settings.ts';
import type { ClientFlowSettings } from '../subscription/manage-flow-settings.ts';
import { type Action, defineAction } from './action.ts';
import { teamOf } from './caller.ts';
import { OPERATORS, type Who } from './rights.ts';
import { aboutClient, clientField, clientRead, type OnClient, plainRead } from './targets.ts';

const OWNERS: readonly Who[] = [{ right: 'manage_flow' }];

/** The settings as the audit log stores them: switches, numbers and a choice, no free text. */
const KEPT = Object.keys(flowSettingsFields) as (keyof FlowSettingsInput)[];

/** Reads the flow settings of the caller's client. */
export const getOwnFlowSettings: Action<object, ClientFlowSettings> = defineAction({
  id: 'flow.get',
  who: OWNERS,
  liveOnly: true,
  ...plainRead,
  run: ({ flowSettings }, _input, caller) => flowSettings.get(teamOf(caller).clientId),
});

/** Replaces the flow settings of the caller's client. */
export const changeFlowSettings: Action<FlowSettingsInput, ClientFlowSettings> = defineAction({
  id: 'flow.change',
  who: OWNERS,
  liveOnly: true,
  reauthenticate: true,
  fields: flowSettingsFields,
  check: (input, { flowSettings }) => flowSettings.issues(input),
  audit: { keep: KEPT },
  run: ({ flowSettings }, input, caller) => flowSettings.change(teamOf(caller).clientId, input),
});

/** Reads the flow settings of any client. */
export const getClientFlowSettings: Action<OnClient, ClientFlowSettings> = defineAction({
  id: 'clients.flow',
  who: OPERATORS,
  ...clientRead,
  run: ({ flowSettings }, { clientId }) => flowSettings.get(clientId),
});

/** Replaces the flow settings of any client. */
export const setClientFlowSettings: Action<OnClient & FlowSettingsInput, ClientFlowSettings> = defineAction({
  id: 'clients.set_flow',
  who: OPERATORS,
  reauthenticate: true,
  fields: { ...clientField, ...flowSettingsFields },
  check: (input, { flowSettings }) => flowSettings.issues(input),
  audit: { ...aboutClient, keep: KEPT },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ flowSettings }, { clientId, ...input }) => flowSettings.change(clientId, input),
});
