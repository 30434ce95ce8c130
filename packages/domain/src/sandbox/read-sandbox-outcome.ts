import { invalidParameters } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { ClientWithSubscription } from '../subscription/client-repository.ts';
import { SANDBOX_OUTCOMES, type SandboxOutcome } from './sandbox-outcome.ts';

/**
 * Where `metadata.sandboxOutcome` asks that the verification be driven. Null for a client that is no sandbox: there it is
 * metadata like any other, whatever it says.
 * @throws `INVALID_PARAMETERS` in a sandbox, for a value that is no outcome
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
