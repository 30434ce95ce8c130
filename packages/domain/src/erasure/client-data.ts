import { requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import { END_RELATIONSHIP_ACTION, ERASE_ACTION } from '../audit/audit-entry.ts';
import type { Attempt, AuditRecorder } from '../audit/audit-recorder.ts';
import { auditAddress } from '../audit/audit-values.ts';
import { CountersignError } from '../errors.ts';
import type { DataState } from '../retention/data-state.ts';
import type { Clock } from '../runtime.ts';
import { checkMove } from '../verification/status.ts';
import { type EndRelationship, parseRelationshipEnd } from './end-relationship.ts';
import type { EraseVerification } from './erase-verification.ts';
import { endRelationship as relationshipEnded } from './moves.ts';
import type { RetainedVerification } from './retained-verification.ts';
import type { RetentionRepository } from './retention-repository.ts';

/** Where the request of an API key came from. */
export interface KeyRequest {
  /** Network address, for the audit log. */
  readonly from?: string | undefined;
}

/**
 * The operations of API keys on how long data is kept. Another client's verification is not found. A request that can change
 * something gets an entry in the audit log before it runs. One that the status refuses gets an entry of its refusal, and those that repeat
 * it are counted together.
 */
export interface ClientData {
  /**
   * Sets when the client's relationship with the subject ended, as `EndRelationship`.
   * @param input a `RelationshipEnd`
   * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, `INVALID_PARAMETERS`, and as `EndRelationship`
   */
  endRelationship(
    principal: Principal,
    verificationId: string,
    input: unknown,
    options?: KeyRequest,
  ): Promise<DataState>;
  /**
   * Erases the data of a verification, or hides it until the law allows that. Needs the permission `*`. Requests after the first
   * change nothing.
   * @param options.withdraw withdraws the verification first if the subject still has to work on it. Without it, an open one is
   * refused
   * @returns the state of the data now
   * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `VERSION_CONFLICT`
   */
  eraseData(
    principal: Principal,
    verificationId: string,
    options?: KeyRequest & { readonly withdraw?: boolean | undefined },
  ): Promise<DataState>;
}

export function createClientData(ports: {
  retention: Pick<RetentionRepository, 'find'>;
  recorder: Pick<AuditRecorder, 'act' | 'notDone'>;
  clock: Clock;
  endRelationship: EndRelationship;
  request: EraseVerification['request'];
}): ClientData {
  const { retention, recorder, clock, endRelationship, request } = ports;

  /** Runs a request and audits it, unless it repeats an earlier one: clients may repeat requests without limit. */
  async function recorded(
    attempt: Attempt & { readonly clientId: string; readonly targetId: string },
    request: {
      readonly isRepeated: (verification: RetainedVerification) => boolean;
      /** Throws if the verification does not allow the request. */
      readonly check: (verification: RetainedVerification) => void;
      readonly run: () => Promise<DataState>;
    },
  ): Promise<DataState> {
    const { clientId, targetId: verificationId } = attempt;
    const verification = await retention.find({ clientId, verificationId });
    if (verification === null) throw new CountersignError('VERIFICATION_NOT_FOUND');
    const { isRepeated, check, run } = request;
    if (isRepeated(verification)) return run();
    try {
      check(verification);
    } catch (error) {
      await recorder.notDone(attempt, error);
      throw error;
    }
    return recorder.act({ attempt, run });
  }

  return {
    async endRelationship({ permissions, clientId, keyId }, verificationId, input, { from } = {}) {
      requirePermission(permissions, 'verifications:create');
      const endedAt = parseRelationshipEnd(input, clock.now());
      const actor = { kind: 'api_key', id: keyId } as const;
      const detail = { endedAt: endedAt?.toISOString() ?? null };
      return recorded(
        { actor, ...about(verificationId, clientId, from), action: END_RELATIONSHIP_ACTION, detail },
        {
          isRepeated: ({ status, relationshipEndedAt }) =>
            status === 'approved' && relationshipEndedAt?.getTime() === endedAt?.getTime(),
          check: (verification) => void relationshipEnded(verification, endedAt, clock.now()),
          run: () => endRelationship({ clientId, verificationId }, actor, endedAt),
        },
      );
    },

    async eraseData({ permissions, clientId, keyId }, verificationId, { withdraw = false, from } = {}) {
      requirePermission(permissions, '*');
      const actor = { kind: 'api_key', id: keyId } as const;
      return recorded(
        { actor, ...about(verificationId, clientId, from), action: ERASE_ACTION, detail: { withdraw } },
        {
          isRepeated: ({ erasureRequestedAt, erasedAt }) => erasureRequestedAt !== null || erasedAt !== null,
          check: (verification) =>
            checkMove(withdraw && verification.resolvedAt === null ? 'withdraw' : 'requestErasure', verification),
          run: () => request({ clientId, verificationId }, { actor, withdraw }),
        },
      );
    },
  };
}

function about(
  targetId: string,
  clientId: string,
  from: string | undefined,
): Pick<Attempt, 'from'> & { readonly targetId: string; readonly clientId: string } {
  return { targetId, clientId, from: from === undefined ? null : auditAddress(from) };
}
