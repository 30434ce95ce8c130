import { CountersignError } from '../errors.ts';
import type { Clock } from '../runtime.ts';
import type { ClientRepository } from '../subscription/client-repository.ts';
import { allowanceAt, monthOf, type Usage } from '../subscription/monthly-limit.ts';
import { isSubscriptionActive, type Subscription } from '../subscription/subscription.ts';
import type { VerificationRepository } from './verification-repository.ts';

export interface UsageReport extends Usage {
  /** Whether the API would answer `NO_ACTIVE_SUBSCRIPTION` now, `LIMIT_EXCEEDED`, or neither. */
  readonly state: 'open' | 'no_active_subscription' | 'limit_reached';
  /** First moment of the next month, when the count begins again. */
  readonly resetsAt: Date;
  /** The last 30 days in UTC, today last, those without any included. `day` is `YYYY-MM-DD`. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
}

const DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads what a client has used, for its team and for operators. @throws CountersignError `CLIENT_NOT_FOUND` */
export type ReadUsage = (clientId: string) => Promise<UsageReport>;

export function createReadUsage(ports: {
  clients: Pick<ClientRepository, 'find' | 'usedIn'>;
  verifications: Pick<VerificationRepository, 'countByDay'>;
  clock: Clock;
}): ReadUsage {
  const { clients, verifications, clock } = ports;

  return async (clientId) => {
    const found = await clients.find(clientId);
    if (found === null) throw new CountersignError('CLIENT_NOT_FOUND', 'Client not found');
    const now = clock.now();
    const month = monthOf(now);
    const days = lastDays(now);
    const [used, counts] = await Promise.all([
      clients.usedIn(clientId, month),
      verifications.countByDay(clientId, midnightBefore(now, DAYS - 1), midnightBefore(now, -1)),
    ]);
    const countOn = new Map(counts.map(({ day, count }) => [day, count]));
    return {
      month,
      used,
      ...allowanceAndState(found.subscription, used, now),
      resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)),
      days: days.map((day) => ({ day, count: countOn.get(day) ?? 0 })),
    };
  };
}

function allowanceAndState(
  subscription: Subscription | null,
  used: number,
  now: Date,
): Pick<UsageReport, 'allowance' | 'state'> {
  const allowance = allowanceAt(subscription, now);
  if (subscription === null || !isSubscriptionActive(subscription, now)) {
    return { allowance, state: 'no_active_subscription' };
  }
  return { allowance, state: used < allowance ? 'open' : 'limit_reached' };
}

/** Days in UTC all have 24 hours. */
function midnightBefore(now: Date, days: number): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - days * DAY_MS);
}

function lastDays(now: Date): string[] {
  return Array.from({ length: DAYS }, (_, index) =>
    midnightBefore(now, DAYS - 1 - index)
      .toISOString()
      .slice(0, 10),
  );
}
