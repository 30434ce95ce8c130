import type { ChangeVerification } from './change-verification.ts';
import type { Actor } from './events.ts';
import { issueLink, type Links } from './link.ts';
import { requireMove } from './status.ts';
import { event, rejected, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import type { VerificationRepository } from './verification-repository.ts';
import { type VerificationView, viewOf } from './views.ts';

/** Which verification, of which client, and who acts: a client's staff or an operator. */
export interface ManagedVerification {
  readonly clientId: string;
  readonly verificationId: string;
  readonly actor: Actor & { readonly kind: 'team_member' | 'operator' };
}

/** What a client's staff or an operator does apart from the API. Throws `VERIFICATION_NOT_FOUND`, `ILLEGAL_TRANSITION`. */
export interface ManageVerification {
  /** Takes the request back while the subject has it: it ends as rejected with the reason `withdrawn`. */
  withdraw(target: ManagedVerification): Promise<VerificationView>;
  /** Gives the subject a new link; the one before stops working at once. */
  renewLink(target: ManagedVerification): Promise<VerificationView>;
}

export function createManageVerification(
  ports: { verifications: VerificationRepository; change: ChangeVerification; links: Links },
  settings: { linkLifetimeDays: number },
): ManageVerification {
  const { verifications, change, links } = ports;

  const target = ({ clientId, verificationId, actor }: ManagedVerification) => ({
    find: () => verifications.find(clientId, verificationId),
    actor,
  });

  return {
    withdraw: async (managed) => viewOf(await change({ ...target(managed), decide: withdraw }), links),
    renewLink: async (managed) => {
      const decide = (...[current, now]: Parameters<typeof withdraw>) => renewLink(current, { now, ...settings });
      return viewOf(await change({ ...target(managed), decide }), links);
    },
  };
}

/** The client or an operator takes the request back before it was decided. Final. */
export function withdraw(verification: Verification, now: Date): Transition {
  requireMove('withdraw', verification);
  const reasonCodes = ['withdrawn'] as const;
  return {
    next: rejected(verification, { reasonCodes, message: null }, now),
    event: event('verification.withdrawn', { reasonCodes }),
  };
}

/** The subject gets a new link; the one before stops working. */
export function renewLink(
  verification: Verification,
  { now, linkLifetimeDays }: { now: Date; linkLifetimeDays: number },
): Transition {
  requireMove('renewLink', verification);
  const link = issueLink(verification.link.version + 1, now, linkLifetimeDays);
  return {
    next: { ...verification, version: verification.version + 1, link },
    event: event('verification.link_renewed', { linkVersion: link.version }),
  };
}
