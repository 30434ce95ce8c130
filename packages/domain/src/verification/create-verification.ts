import type { Principal } from '../access/authenticate.ts';
import { requirePermission } from '../access/permission.ts';
import type { AdmitVerification, Creation } from './admit-verification.ts';

/**
 * Creates a verification for a subject (interface, POST /verifications). Checks in the order of DESIGN section 2:
 * permission, body, replay, subscription, duplicate, monthly limit. Only a new verification counts.
 * @throws `INSUFFICIENT_PERMISSIONS`, `INVALID_SUBJECT_TYPE`, `MISSING_SUBJECT_REFERENCE`, `INVALID_PARAMETERS`,
 * `IDEMPOTENCY_KEY_REUSED`, `NO_ACTIVE_SUBSCRIPTION`, `DUPLICATE_SUBJECT_REFERENCE`, `LIMIT_EXCEEDED`
 */
export type CreateVerification = (
  principal: Principal,
  input: unknown,
  options?: { readonly idempotencyKey?: string | undefined },
) => Promise<Creation>;

export function createCreateVerification(admit: AdmitVerification): CreateVerification {
  return async ({ permissions, clientId, subscription, keyId }, input, { idempotencyKey } = {}) => {
    requirePermission(permissions, 'verifications:create');
    const actor = { kind: 'client', id: keyId } as const;
    return admit({ clientId, subscription, actor }, input, idempotencyKey);
  };
}
