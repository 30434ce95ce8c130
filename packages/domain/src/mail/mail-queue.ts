import type { Mail } from './mail.ts';

/** The right of one worker to send a mail. Each call of `lease` uses a new `leaseToken`. */
export interface MailLease {
  readonly mailId: string;
  readonly leaseToken: string;
}

/** What becomes of a mail: `done`: it leaves the queue, and `next` enters it. `waiting`: it is due again at `dueAt`. */
export type MailSettlement =
  | { readonly state: 'done'; readonly next: Mail | null }
  | { readonly state: 'waiting'; readonly dueAt: Date; readonly attempts: number };

/**
 * Stores mails until they are sent. Each operation is atomic. Mails about a verification enter the queue with its change
 * (`VerificationRepository.createCharged` and `commit`), and leave it when its data is erased (`RetentionRepository.erase`).
 *
 * A worker leases mails, sends each and settles it. If the worker dies in between, the mail is leased again: it is sent at least
 * once.
 */
export interface MailQueue {
  /** Stores mails, all or none. For mails about changes that another storage makes. */
  add(mails: readonly Mail[]): Promise<void>;

  /**
   * Leases up to `limit` due mails of known kinds (`MAIL_KINDS`) until `until`: those that have been due longest first, then by id.
   *
   * Concurrency: each mail goes to one call only; a call that meets another may receive fewer than `limit`. From `until` on, a
   * mail that was not settled can be leased again.
   */
  lease(request: { leaseToken: string; now: Date; until: Date; limit: number }): Promise<readonly Mail[]>;

  /**
   * Ends a lease. `next` is not stored once the erasure of its verification has begun.
   *
   * Concurrency: the holder of the lease wins. `lease_lost` if the mail was leased again, settled or removed; nothing changes then,
   * and `next` is not stored.
   */
  settle(
    lease: MailLease,
    settlement: MailSettlement,
  ): Promise<{ outcome: 'settled' } | { outcome: 'lease_lost' }>;

  /**
   * Counts mails of known kinds that were planned for `now` or earlier and have not been sent, up to `limit`. `oldestAt`: the
   * earliest `plannedAt` of all of them; null without any.
   */
  backlog(request: { now: Date; limit: number }): Promise<{
    readonly waiting: number;
    readonly oldestAt: Date | null;
  }>;
}
