import type { JsonObject } from '../input/json.ts';
import type { Client } from '../subscription/client-repository.ts';
import {
  type ReasonTemplatesInput,
  reasonTemplatesFields,
  reasonTemplatesIssues,
} from '../subscription/reason-templates.ts';
import { type Action, defineAction } from './action.ts';
import { teamOf } from './caller.ts';
import { OPERATORS } from './rights.ts';
import { aboutClient, clientField, type OnClient } from './targets.ts';

/** How many templates there are for each decision. Names and texts are free text. */
const countsOf = ({ ask = [], reject = [] }: ReasonTemplatesInput): JsonObject => ({
  ask: ask.length,
  reject: reject.length,
});

/** Replaces the templates of messages of the caller's client. The audit log keeps their numbers. */
export const changeReasonTemplates: Action<ReasonTemplatesInput, Client> = defineAction({
  id: 'dashboard.change_reason_templates',
  who: [{ right: 'manage_templates' }],
  liveOnly: true,
  reauthenticate: true,
  fields: reasonTemplatesFields,
  check: reasonTemplatesIssues,
  audit: { detail: countsOf },
  run: ({ clients }, input, caller) => clients.setReasonTemplates(teamOf(caller).clientId, input),
});

/** Replaces the templates of messages of any client. The audit log keeps their numbers. */
export const setReasonTemplates: Action<OnClient & ReasonTemplatesInput, Client> = defineAction({
  id: 'clients.set_reason_templates',
  who: OPERATORS,
  reauthenticate: true,
  fields: { ...clientField, ...reasonTemplatesFields },
  check: reasonTemplatesIssues,
  audit: { ...aboutClient, detail: countsOf },
  outcomes: ['CLIENT_NOT_FOUND'],
  run: ({ clients }, { clientId, ...input }) => clients.setReasonTemplates(clientId, input),
});
