import type { ChangeVerification } from './change-verification.ts';
import type { Actor } from './events.ts';
import { openRestricted } from './hold.ts';
import type { Links } from './link.ts';
import { unknownVerification } from './read-verifications.ts';
import type { FindWithData } from './retained.ts';
import { requireMove } from './status.ts';
import type { VerificationRepository } from './verification-repository.ts';
import { type VerificationDetails, wholeDetailsOf } from './views.ts';

/**
 * Opens a verification whose data is hidden, because its erasure was requested, for a user who gives a reason. The reason is stored
 * before anything is shown, and kept with the verification until it is erased.
 * @throws CountersignError `VERIFICATION_NOT_FOUND`, `INVALID_PARAMETERS`, `ILLEGAL_TRANSITION` if nothing is hidden or the data is
 * erased, `EVENT_LIMIT_REACHED` after too many openings
 */
export type OpenRestrictedVerification = (
  place: { readonly clientId: string; readonly verificationId: string },
  by: { readonly reason: unknown; readonly actor: Actor & { readonly kind: 'team_member' | 'operator' } },
) => Promise<VerificationDetails>;

export function openRestrictedUseCase(ports: {
  verifications: Pick<VerificationRepository, 'find'>;
  findWithData: FindWithData;
  change: ChangeVerification;
  links: Links;
}): OpenRestrictedVerification {
  const { verifications, findWithData, change, links } = ports;
  return async ({ clientId, verificationId }, { reason, actor }) => {
    await change({
      find: () => verifications.find(clientId, verificationId),
      actor,
      decide: (current, now) => openRestricted(current, reason, { userId: actor.id, now }),
    });
    const found = await findWithData(clientId, verificationId);
    if (found === null) throw unknownVerification();
    // An erasure may have begun since the reason was stored.
    requireMove('openRestricted', found.verification);
    return wholeDetailsOf(found, links);
  };
}
