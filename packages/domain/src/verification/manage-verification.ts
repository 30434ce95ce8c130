import { isPermitted, requirePermission } from '../access/api-key.ts';
import type { Principal } from '../access/authenticate.ts';
import type { ReadFlowRules } from '../subscription/flow-rules.ts';
import type { BasePorts } from './base-ports.ts';
import type { ChangeVerification } from './change-verification.ts';
import { systemReasonOf } from './decision.ts';
import { MAX_EVENTS } from './event-limit.ts';
import type { Actor, VerificationEvent } from './events.ts';
import { findWithRules } from './find-with-rules.ts';
import { issueLink, type Links } from './link.ts';
import { requireLinkRenewal } from './link-renewals.ts';
import { requireMove } from './status.ts';
import { changed, event, rejected, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';
import { type VerificationView, viewOf } from './views.ts';

/** A verification and the actor: a user of its client's team, or an operator. */
export interface ManagedVerification {
  readonly clientId: string;
  readonly verificationId: string;
  readonly actor: Actor & { readonly kind: 'team_member' | 'operator' };
}

/**
 * Manages verifications for teams and operators.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`
 */
export interface ManageVerification {
  /** Withdraws a verification before it is decided: it becomes rejected with the reason `withdrawn`. */
  withdraw(target: ManagedVerification): Promise<VerificationView>;
  /**
   * Gives the subject a new link. The previous link stops working immediately.
   * @throws CountersignError `TOO_MANY_RENEWALS`, `EVENT_LIMIT_REACHED`
   */
  renewLink(target: ManagedVerification): Promise<VerificationView>;
}

export function createManageVerification(ports: {
  verifications: VerificationRepository;
  change: ChangeVerification;
  links: Links;
  readFlowRules: ReadFlowRules;
}): ManageVerification {
  const { verifications, change, links, readFlowRules } = ports;

  const target = ({ clientId, verificationId, actor }: ManagedVerification) => ({
    find: () => verifications.find(clientId, verificationId),
    actor,
  });

  return {
    withdraw: async (managed) => viewOf(await change({ ...target(managed), decide: withdraw }), links),
    renewLink: async ({ clientId, verificationId, actor }) => {
      // Read at one moment with the version that the change expects: of renewals at the same time, each sees those before it.
      let events: readonly VerificationEvent[] = [];
      const { find, rules } = findWithRules(async () => {
        const found = await verifications.findWithEventsForAnyClient(verificationId, MAX_EVENTS);
        if (found?.record.clientId !== clientId) return null;
        events = found.events;
        return found.record;
      }, readFlowRules);
      const renewed = await change({
        find,
        decide(current, now) {
          const transition = renewLink(current, { now, linkLifetimeDays: rules().linkDays });
          const renewals = events.filter(({ type }) => type === 'verification.link_renewed');
          requireLinkRenewal(
            renewals.map(({ at }) => at),
            now,
          );
          return transition;
        },
        actor,
      });
      return viewOf(renewed, links);
    },
  };
}

/**
 * Withdraws a verification for an API key. A verification that is withdrawn already stays as it is. A key without
 * `verifications:read` gets the result with empty `submittedData`.
 * @throws CountersignError `INSUFFICIENT_PERMISSIONS`, `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`, `VERSION_CONFLICT`
 */
export type WithdrawVerification = (principal: Principal, verificationId: string) => Promise<VerificationView>;

export function withdrawVerificationUseCase(
  ports: Pick<BasePorts, 'links' | 'verifications'> & {
    change: ChangeVerification;
  },
): WithdrawVerification {
  const { verifications, change, links } = ports;
  return async ({ permissions, clientId, keyId }, verificationId) => {
    requirePermission(permissions, 'verifications:create');
    const withdrawn = await change({
      find: () => verifications.find(clientId, verificationId),
      actor: { kind: 'api_key', id: keyId },
      decide: withdrawOnce,
    });
    const view = viewOf(withdrawn, links);
    return isPermitted(permissions, 'verifications:read') ? view : { ...view, submittedData: {} };
  };
}

/** Withdraws a verification before it is decided. Null if it is withdrawn already. */
export function withdrawOnce(verification: Verification, now: Date): Transition | null {
  const isWithdrawn = verification.status === 'rejected' && systemReasonOf(verification.decision) === 'withdrawn';
  return isWithdrawn ? null : withdraw(verification, now);
}

/** Withdraws a verification before it is decided. Final. */
export function withdraw(verification: Verification, now: Date): Transition {
  requireMove('withdraw', verification);
  const reasonCodes = ['withdrawn'] as const;
  return {
    next: rejected(verification, { reasonCodes, message: null }, now),
    event: event('verification.withdrawn', { reasonCodes }),
  };
}

/** Gives the subject a new link. The previous link stops working. */
export function renewLink(
  verification: Verification,
  { now, linkLifetimeDays }: { now: Date; linkLifetimeDays: number },
): Transition {
  requireMove('renewLink', verification);
  const link = issueLink(verification.link.version + 1, now, linkLifetimeDays);
  return changed({ ...verification, link }, event('verification.link_renewed', { linkVersion: link.version }));
}
