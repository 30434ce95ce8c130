import type { VerificationEvent } from './events.ts';

/** An event that one worker holds for a while. */
export interface LeasedEvent {
  readonly event: VerificationEvent;
  /** Leases of this event so far, this one included. */
  readonly attempt: number;
}

/** What names a leased event. `leaseToken` is the worker's own, new with every lease. */
export interface LeaseHold {
  readonly clientId: string;
  readonly eventId: string;
  readonly leaseToken: string;
}

export type LeaseOutcome = { readonly outcome: 'done' } | { readonly outcome: 'lease_lost' };

/** Events on their way out. An event enters in the same step that commits its change, so none is lost or invented. */
export interface Outbox {
  /**
   * Takes up to `limit` undelivered events that are due, oldest first (by `at`, then `id`). No two calls get the same
   * event before its lease has ended at `until`; from then on it is due again. Of calls at once, one may get fewer.
   */
  lease(request: { leaseToken: string; now: Date; until: Date; limit: number }): Promise<readonly LeasedEvent[]>;

  /**
   * Marks the event as delivered for good. `lease_lost` once it was delivered, given back or leased again; a lease
   * whose time has ended but that nobody took over still counts.
   */
  ack(hold: LeaseHold, at: Date): Promise<LeaseOutcome>;

  /** Gives the event back; it is due again at `retryAt`. `lease_lost` as with `ack`. */
  fail(hold: LeaseHold, retryAt: Date): Promise<LeaseOutcome>;
}
