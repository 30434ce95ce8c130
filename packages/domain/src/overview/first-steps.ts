import type { ApiKey } from '../access/api-key.ts';
import type { WebhookEndpoint } from '../webhooks/webhook-endpoint.ts';

/** The steps from the first key to real subjects, in their order. */
export const FIRST_STEPS = ['key', 'verification', 'webhook', 'live'] as const;
/** The name of a first step: one of `FIRST_STEPS`. */
export type FirstStepName = (typeof FIRST_STEPS)[number];

/** A first step and whether it is done. */
export interface FirstStep {
  readonly name: FirstStepName;
  readonly isDone: boolean;
  /** What an open step `live` lacks first; null for the others, and once it is done. */
  readonly lacks: 'subscription' | 'key' | 'verification' | null;
}

/** What a client has in one mode. */
export interface ModeFacts {
  /** Its active keys. */
  readonly keys: readonly Pick<ApiKey, 'createdBy' | 'lastUsedAt'>[];
  readonly hasVerification: boolean;
  readonly endpoints: readonly Pick<WebhookEndpoint, 'state'>[];
}

/** What a client has in a mode that it never used. */
export const NO_FACTS: ModeFacts = { keys: [], hasVerification: false, endpoints: [] };

/** What the steps depend on. */
export interface FirstStepFacts {
  readonly live: ModeFacts & { readonly hasSubscription: boolean };
  readonly test: ModeFacts;
}

/**
 * Decides the steps, each by what the team did and not by what an installation begins with:
 *
 * - `key`: there is an active key, in either mode, that a user created or that was used. The keys that `demo` and the command
 *   line hand out are not, until a request was sent with them.
 * - `verification`: there is a verification in either mode. Nothing but the team and its keys creates one.
 * - `webhook`: there is an endpoint in either mode that is not disabled.
 * - `live`: there is a verification in live mode, and an active subscription. A key and a subscription alone, which an operator
 *   may have set up before the team came, are not live.
 */
export function firstStepsOf({ live, test }: FirstStepFacts): readonly FirstStep[] {
  const isDone: Readonly<Record<FirstStepName, boolean>> = {
    key: [live, test].some(({ keys }) => keys.some(isTaken)),
    verification: live.hasVerification || test.hasVerification,
    webhook: [live, test].some(({ endpoints }) => endpoints.some(({ state }) => state !== 'disabled')),
    live: live.hasSubscription && live.hasVerification,
  };
  return FIRST_STEPS.map((name) => ({
    name,
    isDone: isDone[name],
    lacks: name === 'live' && !isDone.live ? lackOf(live) : null,
  }));
}

function isTaken({ createdBy, lastUsedAt }: Pick<ApiKey, 'createdBy' | 'lastUsedAt'>): boolean {
  return createdBy !== null || lastUsedAt !== null;
}

function lackOf({ hasSubscription, keys, hasVerification }: FirstStepFacts['live']): FirstStep['lacks'] {
  if (!hasSubscription) return 'subscription';
  return keys.length === 0 && !hasVerification ? 'key' : 'verification';
}
