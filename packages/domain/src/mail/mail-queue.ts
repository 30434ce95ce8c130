import type { Mail } from './mail.ts';

/** The right of one worker to send a mail. Each call of `lease` uses a new `leaseToken`. */
export interface MailLease {
  readonly mailId: string;
  readonly leaseToken: string;
}

/**
 * What becomes of a mail: `done`: it leaves the queue, and `next` enters it. `waiting`: it is due again at `dueAt`. `held`: the same
 * at `until`, which becomes its `heldUntil`; its attempts stay.
 */
export type MailSettlement =
  | { readonly state: 'done'; readonly next: Mail | null }
  | { readonly state: 'waiting'; readonly dueAt: Date; readonly attempts: number }
  | { readonly state: 'held'; readonly until: Date };

/** Mails that may be sent in one window. A window begins with its first mail. */
export interface MailBudget {
  /** Identifies the recipient, or the client and the recipient. A keyed hash, which contains no address. */
  readonly name: string;
  readonly allowed: number;
  readonly windowMs: number;
}

/** What is used of a budget. */
export interface UsedMailBudget {
  readonly name: string;
  readonly used: number;
  /** The limit that the last call to take from it had. */
  readonly allowed: number;
  /** The end of its window. */
  readonly endsAt: Date;
}

/** Names an API key that expires soon. */
export interface ExpiringKey {
  readonly clientId: string;
  readonly keyId: string;
}

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
   * Leases up to `limit` due mails of known kinds (`MAIL_KINDS`) until `until`: those that no budget has held back before the others, and
   * of each those that have been due longest. Returns them in the order of `dueAt`, then by id.
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
   * Counts mails of known kinds that should have been sent by now, up to `limit`: those that were planned for `now` or earlier, and
   * are not held back beyond `now`. `oldestAt`: the earliest `heldUntil`, or `plannedAt` without one, of all of them; null without any.
   */
  backlog(request: { now: Date; limit: number }): Promise<{
    readonly waiting: number;
    readonly oldestAt: Date | null;
  }>;

  /**
   * Takes one mail from each of the budgets, which have different names, or from none. `used_up`: at least one of them has no mail left;
   * `until`: when the last of these begins a new window. A window that ended at `now` or earlier counts nothing.
   *
   * Concurrency: of all calls in one window of a budget, at most `allowed` take from it. A call that meets another may receive `used_up`
   * with `until: now`, although there is one left; nothing is taken then.
   */
  takeFromBudgets(request: {
    readonly budgets: readonly MailBudget[];
    readonly now: Date;
  }): Promise<{ readonly outcome: 'taken' } | { readonly outcome: 'used_up'; readonly until: Date }>;

  /** Gives back what `takeFromBudgets` took at `takenAt`, to those budgets that have not begun a new window since. */
  returnToBudgets(request: { readonly budgets: readonly MailBudget[]; readonly takenAt: Date }): Promise<void>;

  /** Deletes up to `limit` budgets whose window ended at `now` or earlier. Returns their number. */
  deleteEndedBudgets(request: { readonly now: Date; readonly limit: number }): Promise<number>;

  /**
   * Reads up to `limit` API keys of all clients that are not revoked, expire after `now` and until `until`, and whose `noticedDays` is null
   * or greater than `days`: those that expire first, then by id.
   */
  expiringKeys(request: { now: Date; until: Date; days: number; limit: number }): Promise<readonly ExpiringKey[]>;

  /**
   * Sets `noticedDays` of an API key to `days` and stores mails, all or nothing.
   *
   * Concurrency: of calls with the same `days`, the first wins. `not_due` if `noticedDays` is not null and not greater, or if the key is
   * revoked or unknown; nothing changes then.
   */
  noteKeyExpiry(notice: {
    clientId: string;
    keyId: string;
    days: number;
    mails: readonly Mail[];
  }): Promise<{ outcome: 'noted' } | { outcome: 'not_due' }>;
}
