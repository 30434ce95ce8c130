import type { Clock } from '../runtime.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { Usage } from '../subscription/monthly-limit.ts';
import { dayOf, dayText, totalOf } from './verification-counts.ts';
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
      const until = dayOf(clock.now()) + 1;
      const range = { from: until - DAYS, until };
      const usage = await month(clientId);
      const totals = new Map<number, number>();
      for (const { day, counts } of await verifications.counts(clientId, range)) {
        totals.set(day, (totals.get(day) ?? 0) + totalOf(counts));
      }
      const days = Array.from({ length: DAYS }, (_, index) => range.from + index);
      return { ...usage, days: days.map((day) => ({ day: dayText(day), count: totals.get(day) ?? 0 })) };
    },
  };
}
