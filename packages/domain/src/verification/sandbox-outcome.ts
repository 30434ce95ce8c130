import { invalidParameters } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { ClientWithSubscription } from '../subscription/client-repository.ts';

/** The status that a sandbox drives a verification to when it was created with `metadata.sandboxOutcome`. */
export const SANDBOX_OUTCOMES = ['approved', 'rejected', 'action_needed'] as const;
export type SandboxOutcome = (typeof SANDBOX_OUTCOMES)[number];

/**
 * Reads the outcome from a creation's metadata. Null for a client that is not a sandbox: there `sandboxOutcome` is
 * metadata like any other.
 * @throws `INVALID_PARAMETERS` in a sandbox, for a value that is not an outcome
 */
export function readSandboxOutcome(
  { sandboxOutcome }: JsonObject,
  found: ClientWithSubscription | null,
): SandboxOutcome | null {
  if (found?.client.sandbox !== true) return null;
  const outcome = SANDBOX_OUTCOMES.find((known) => known === sandboxOutcome);
  if (outcome !== undefined) return outcome;
  const message = `must be one of ${SANDBOX_OUTCOMES.join(', ')}`;
  throw invalidParameters([{ path: 'metadata.sandboxOutcome', message, code: 'invalid' }]);
}
