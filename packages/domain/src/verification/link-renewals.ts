import { tooManyRenewals } from '../errors.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Number of renewals of a link in a day: each ends the link before it, and mails the new one to an address that the client chose. */
export const LINK_RENEWALS_A_DAY = 5;

/**
 * Refuses another renewal of a link.
 * @param renewedAt the times of earlier ones
 * @throws CountersignError `TOO_MANY_RENEWALS`
 */
export function requireLinkRenewal(renewedAt: readonly Date[], now: Date): void {
  const recent = renewedAt
    .map((at) => at.getTime())
    .filter((at) => at > now.getTime() - DAY_MS)
    .sort((a, b) => a - b);
  const first = recent.at(-LINK_RENEWALS_A_DAY);
  if (first !== undefined) throw tooManyRenewals(new Date(first + DAY_MS));
}
