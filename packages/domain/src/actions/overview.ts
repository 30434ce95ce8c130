import type { AttentionItem } from '../overview/attention.ts';
import type { FirstStep, FirstStepName } from '../overview/first-steps.ts';
import type { StoragePart } from '../storage-part.ts';
import type { ActivityReport } from '../verification/read-activity.ts';
import { type Action, type ActionEntry, defineAction, isAvailable } from './action.ts';
import { listApiKeys } from './api-keys.ts';
import { type CallerContext, teamOf } from './caller.ts';
import { listExports } from './exports.ts';
import { isOneOf } from './rights.ts';
import { listWebhooks } from './webhooks.ts';

/** Reads what was created, submitted and decided in the last 30 days of the caller's client, and what waits. */
export const readOwnActivity: Action<object, ActivityReport> = defineAction({
  id: 'dashboard.activity',
  who: ['team'],
  fields: {},
  audit: { log: 'refusals' },
  outcomes: [],
  run: ({ readActivity }, _input, caller) => readActivity(teamOf(caller).clientId),
});

/** Lists what needs attention of the caller's client, each only for users whose role may act on it. */
export const listAttention: Action<object, readonly AttentionItem[]> = defineAction({
  id: 'dashboard.attention',
  who: ['team'],
  fields: {},
  audit: { log: 'refusals' },
  outcomes: [],
  run: ({ overview, parts }, _input, caller) =>
    overview.attention(teamOf(caller).clientId, {
      endpoints: mayRun(listWebhooks, caller, parts),
      keys: mayRun(listApiKeys, caller, parts),
      copies: mayRun(listExports, caller, parts),
    }),
});

/** The list behind a first step. Users who may not read it do not have the step. */
const LIST_OF: Partial<Record<FirstStepName, Pick<ActionEntry, 'who' | 'needs'>>> = {
  key: listApiKeys,
  webhook: listWebhooks,
};

/** Lists the first steps of the caller's client that the caller's role has, by facts of both modes. */
export const readFirstSteps: Action<object, readonly FirstStep[]> = defineAction({
  id: 'dashboard.first_steps',
  who: ['team'],
  fields: {},
  audit: { log: 'refusals' },
  outcomes: [],
  run: async ({ overview, parts }, _input, caller): Promise<readonly FirstStep[]> => {
    const steps = await overview.firstSteps(teamOf(caller).clientId);
    return steps.filter(({ name }) => mayRun(LIST_OF[name] ?? { who: ['team'], needs: [] }, caller, parts));
  },
});

function mayRun(
  { who, needs }: Pick<ActionEntry, 'who' | 'needs'>,
  caller: CallerContext,
  parts: ReadonlySet<StoragePart>,
): boolean {
  return isOneOf(who, caller) && isAvailable({ needs }, parts);
}
