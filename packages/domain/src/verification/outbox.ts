import type { VerificationEvent } from './events.ts';

/** An event that one worker has leased. */
export interface LeasedEvent {
  readonly event: VerificationEvent;
  /** Number of leases of this event, this one included. */
  readonly attempt: number;
}

/** Identifies a leased event. Each call of `lease` uses a new `leaseToken`. */
export interface LeaseHold {
  readonly clientId: string;
  readonly eventId: string;
  readonly leaseToken: string;
}

export type LeaseOutcome = { readonly outcome: 'done' } | { readonly outcome: 'lease_lost' };

/** Events waiting for delivery. An event is stored in the same step as its change, so none is lost or invented. */
export interface Outbox {
  /**
   * Leases up to `limit` undelivered events that are due, the oldest first (by `at`, then `id`). From `until` on, an event
   * that was neither acknowledged nor failed is due again.
   *
   * Concurrency: each event goes to one call only; a call that meets another may receive fewer than `limit`.
   */
  lease(request: { leaseToken: string; now: Date; until: Date; limit: number }): Promise<readonly LeasedEvent[]>;

  /**
   * Marks the event as delivered. An expired lease still counts until another worker leases the event.
   *
   * Concurrency: the worker with the current lease wins; `lease_lost` if the event was delivered, failed or leased again.
   */
  ack(hold: LeaseHold, at: Date): Promise<LeaseOutcome>;

  /** Releases the event, which is due again at `retryAt`. `lease_lost` as with `ack`. */
  fail(hold: LeaseHold, retryAt: Date): Promise<LeaseOutcome>;
}
