import { requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import type { DataState } from '../retention/data-state.ts';
import type { EndRelationship } from './end-relationship.ts';
import type { EraseVerification } from './erase-verification.ts';

/** The operations of API keys on how long data is kept. Another client's verification is not found. */
export interface ClientData {
  /**
   * Sets when the client's relationship with the subject ended, as `EndRelationship`.
   * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, and as `EndRelationship`
   */
  endRelationship(principal: Principal, verificationId: string, input: unknown): Promise<DataState>;
  /**
   * Erases the data of a verification, or hides it until the law allows that. Needs the permission `*`. Requests after the first
   * change nothing.
   * @param options.withdraw withdraws the verification first if the subject still has to work on it. Without it, an open one is
   * refused
   * @returns what holds of the data now
   * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `VERSION_CONFLICT`
   */
  eraseData(
    principal: Principal,
    verificationId: string,
    options?: { readonly withdraw?: boolean | undefined },
  ): Promise<DataState>;
}

export function createClientData(ports: {
  endRelationship: EndRelationship;
  request: EraseVerification['request'];
}): ClientData {
  const { endRelationship, request } = ports;

  return {
    async endRelationship({ permissions, clientId, keyId }, verificationId, input) {
      requirePermission(permissions, 'verifications:create');
      return endRelationship({ clientId, verificationId }, { kind: 'api_key', id: keyId }, input);
    },

    async eraseData({ permissions, clientId, keyId }, verificationId, { withdraw = false } = {}) {
      requirePermission(permissions, '*');
      return request({ clientId, verificationId }, { actor: { kind: 'api_key', id: keyId }, withdraw });
    },
  };
}
