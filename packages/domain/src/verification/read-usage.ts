import type { Clock } from '../runtime.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { Usage } from '../subscription/monthly-limit.ts';
import { type DayRange, dayOf, dayText, totalOf } from './verification-counts.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** The usage of a client's current month. */
export interface MonthUsage extends Usage {
  /** First moment of the next month, when the count begins again. */
  readonly resetsAt: Date;
}

/** The usage of a client's current month and of its last days. */
export interface UsageReport extends MonthUsage {
  /** The last 30 days in UTC, today last, those without any included. `day` is `YYYY-MM-DD`. */
  readonly days: readonly { readonly day: string; readonly count: number }[];
}

const DAYS = 30;

/** Reads the usage of a client, for its team and for operators. */
export interface ReadUsage {
  /** Reads one counter. @throws CountersignError `CLIENT_NOT_FOUND` */
  month(clientId: string): Promise<MonthUsage>;
  /** Also reads the counts of the last days. @throws CountersignError `CLIENT_NOT_FOUND` */
  report(clientId: string): Promise<UsageReport>;
}

export function createReadUsage(ports: {
  clients: Pick<ManageClients, 'usage'>;
  verifications: Pick<VerificationRepository, 'counts'>;
  clock: Clock;
}): ReadUsage {
  const { clients, verifications, clock } = ports;

  async function month(clientId: string): Promise<MonthUsage> {
    const now = clock.now();
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
    return { ...(await clients.usage(clientId)), resetsAt };
  }

  return {
    month,
    async report(clientId) {
      const range = lastDays(clock.now());
      const usage = await month(clientId);
      const created = await createdByDay(verifications, clientId, range);
      const days = daysIn(range).map((day) => ({ day: dayText(day), count: created.get(day) ?? 0 }));
      return { ...usage, days };
    },
  };
}

/** Returns the last 30 days in UTC, today included. */
export function lastDays(now: Date): DayRange {
  const until = dayOf(now) + 1;
  return { from: until - DAYS, until };
}

/** Lists the days of a range. */
export function daysIn({ from, until }: DayRange): number[] {
  return Array.from({ length: until - from }, (_, index) => from + index);
}

/** Reads how many verifications of a client were created on each day. Days without any are left out. */
export async function createdByDay(
  verifications: Pick<VerificationRepository, 'counts'>,
  clientId: string,
  range: DayRange,
): Promise<ReadonlyMap<number, number>> {
  const totals = new Map<number, number>();
  for (const { day, counts } of await verifications.counts(clientId, range)) {
    totals.set(day, (totals.get(day) ?? 0) + totalOf(counts));
  }
  return totals;
}
