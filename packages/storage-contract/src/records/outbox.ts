import type { LeasedEvent, LeaseHold, Storage } from '@countersign/domain';
import { leaseToken, minute } from './ids.ts';

/** A moment after all events of a case, and the end of a lease taken at it. */
export const NOW: Date = minute(5_000);
export const UNTIL: Date = minute(5_010);
/** A moment when every undelivered event is due. */
export const MUCH_LATER: Date = minute(10_000);

/** Leases with the `n`th token: at `NOW` until `UNTIL`, up to a hundred events by default. */
export function lease(
  storage: Storage,
  n: number,
  given: Partial<Parameters<Storage['outbox']['lease']>[0]> = {},
): Promise<readonly LeasedEvent[]> {
  return storage.outbox.lease({ leaseToken: leaseToken(n), now: NOW, until: UNTIL, limit: 100, ...given });
}

/** The hold of the worker that leased with the `n`th token. */
export function holdOf({ clientId, id }: { clientId: string; id: string }, n: number): LeaseHold {
  return { clientId, eventId: id, leaseToken: leaseToken(n) };
}

/** Ids of leased events, in their order. */
export function idsOf(leased: readonly LeasedEvent[]): string[] {
  return leased.map(({ event }) => event.id);
}
