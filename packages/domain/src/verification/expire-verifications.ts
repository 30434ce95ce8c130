import { isCountersignError } from '../errors.ts';
import { isHeld, type ReadPause } from '../retention/data-state.ts';
import type { Runtime } from '../runtime.ts';
import type { ChangeVerification } from './change-verification.ts';
import { EXPIRING_STATUSES, requireMove } from './status.ts';
import { event, rejected, type Transition } from './transition.ts';
import type { Verification } from './verification.ts';
import type { DueForExpiry, VerificationRepository } from './verification-repository.ts';

/** Days from the end of its link after which a verification expires, unless `CountersignSettings.expireAfterDays` says otherwise. */
export const EXPIRE_AFTER_DAYS = 30;

/** Background job for verifications that were never completed, run about once a second. */
export interface ExpireVerifications {
  /**
   * Expires some of the verifications whose link ended long ago: they become rejected with the reason `expired`. One on hold does
   * not expire before the hold ends or is released, and is looked at again after an hour at the latest. A verification that fails is
   * reported and tried again after an hour. While the clock may have jumped, none expires: an expiry is final, and deletes drafts and
   * unused files.
   *
   * Concurrency: of two instances that expire one verification, one does; the other changes nothing. Other changes at the
   * same time win or are refused as with any other change: a verification that was submitted, withdrawn or got a new link
   * first does not expire.
   * @returns the number of verifications expired, and whether none was left
   */
  expire(): Promise<{ readonly expired: number; readonly isDone: boolean }>;
}

/** How often to look for verifications whose links may have been shorter than the installation's, because of the client's settings. */
const SHORT_LINKS_MS = 60 * 60 * 1000;

/** The shortest life of a link, in days. */
const SHORTEST_LINK_DAYS = 1;

/** The limits of links and verifications, in days. */
interface ExpirySettings {
  /** 0: verifications never expire. */
  readonly expireAfterDays: number;
  readonly linkLifetimeDays: number;
}

/** Verifications that one call expires. */
const AT_ONCE = 50;

/** Verifications that expire at the same time, so that a storage can keep them with one write to the disk. */
const TOGETHER = 5;

/** Wait before a verification that failed or is on hold is looked at again, so that its faults do not fill the log. */
const REST_MS = 60 * 60 * 1000;

const DAY_MS = 24 * 60 * 60 * 1000;

const SYSTEM = { kind: 'system', id: null } as const;

export function createExpireVerifications(
  ports: Pick<Runtime, 'clock' | 'onFault'> & {
    verifications: Pick<VerificationRepository, 'dueForExpiry' | 'find'>;
    change: ChangeVerification;
    readPause: ReadPause;
    /** Returns whether the client had an endpoint for webhooks at that time. */
    hadEndpoint: (clientId: string, at: Date) => Promise<boolean>;
  },
  settings: ExpirySettings,
): ExpireVerifications {
  const { verifications, change, clock, onFault, readPause, hadEndpoint } = ports;
  const { expireAfterDays, linkLifetimeDays } = settings;
  const restUntil = new Map<string, number>();
  let shortLinksFrom = 0;

  /** Looks at the verification again after an hour, or at `until` if that is earlier. */
  function rest({ verificationId }: DueForExpiry, until: Date | null = null): void {
    const latest = clock.now().getTime() + REST_MS;
    restUntil.set(verificationId, until === null ? latest : Math.min(latest, until.getTime()));
  }

  /** Returns whether it expired: not if it is on hold, and not if someone changed it first. */
  async function expireOne(due: DueForExpiry): Promise<boolean> {
    const { clientId, verificationId } = due;
    let transition: Transition | null = null;
    let isSilent = false;
    await change({
      async find() {
        const record = await verifications.find(clientId, verificationId);
        isSilent = record !== null && (await isUnheard(clientId, dueAt(record.linkExpiresAt, expireAfterDays)));
        return record;
      },
      actor: SYSTEM,
      decide: (current, now) => {
        const isDue =
          EXPIRING_STATUSES.includes(current.status) && dueAt(current.link.expiresAt, expireAfterDays) <= now;
        const isOnHold = isHeld(current, now);
        if (isDue && isOnHold) rest(due, current.heldUntil);
        transition = isDue && !isOnHold ? expire(current, now, { isSilent }) : null;
        return transition;
      },
    });
    return transition !== null;
  }

  /**
   * Whether the client had no endpoint when the verification was due. So the first run after an upgrade sends nothing about
   * old verifications, also to an endpoint that is created meanwhile.
   */
  async function isUnheard(clientId: string, at: Date): Promise<boolean> {
    return !(await hadEndpoint(clientId, at));
  }

  /** Expires one verification, and reports its fault. */
  async function outcomeOf(due: DueForExpiry): Promise<'expired' | 'left' | 'unavailable'> {
    try {
      return (await expireOne(due)) ? 'expired' : 'left';
    } catch (fault) {
      if (isCountersignError(fault, 'SERVICE_UNAVAILABLE')) return 'unavailable';
      rest(due);
      onFault(fault);
      return 'left';
    }
  }

  return {
    async expire() {
      if (expireAfterDays === 0) return { expired: 0, isDone: true };
      const startedAt = clock.now();
      if ((await readPause(startedAt)) !== null) return { expired: 0, isDone: true };
      const now = startedAt.getTime();
      for (const [id, until] of restUntil) if (until <= now) restUntil.delete(id);
      // Paused verifications are found again and must not displace others.
      const limit = AT_ONCE + restUntil.size;
      // That read passes over every verification that was abandoned in the last weeks, so it is not made each second.
      const withShortLinks = shortLinksFrom <= now;
      const shortest = withShortLinks ? Math.min(SHORTEST_LINK_DAYS, linkLifetimeDays) : linkLifetimeDays;
      const due = await verifications.dueForExpiry({
        linkEndedBy: new Date(now - expireAfterDays * DAY_MS),
        requestedBy: new Date(now - (expireAfterDays + shortest) * DAY_MS),
        limit,
      });
      const fresh = due.filter(({ verificationId }) => !restUntil.has(verificationId));
      let expired = 0;
      for (let first = 0; first < fresh.length; first += TOGETHER) {
        const outcomes = await Promise.all(fresh.slice(first, first + TOGETHER).map(outcomeOf));
        expired += outcomes.filter((outcome) => outcome === 'expired').length;
        // The next call rejects if the database is still not available.
        if (outcomes.includes('unavailable')) return { expired, isDone: false };
      }
      const isDone = due.length < limit;
      if (withShortLinks && isDone) shortLinksFrom = now + SHORT_LINKS_MS;
      return { expired, isDone };
    },
  };
}

/** When a verification with this end of its link expires. */
function dueAt(linkExpiresAt: Date, expireAfterDays: number): Date {
  return new Date(linkExpiresAt.getTime() + expireAfterDays * DAY_MS);
}

/**
 * Expires a verification that was not completed in time. Final.
 * @param options `isSilent`: the event is not sent as a webhook
 */
export function expire(
  verification: Verification,
  now: Date,
  { isSilent = false }: { isSilent?: boolean } = {},
): Transition {
  requireMove('expire', verification);
  const reasonCodes = ['expired'] as const;
  return {
    next: rejected(verification, { reasonCodes, message: null }, now),
    event: event('verification.expired', { reasonCodes, ...(isSilent && { silent: true }) }),
  };
}
