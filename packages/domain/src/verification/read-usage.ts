import type { Clock } from '../runtime.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { Usage } from '../subscription/monthly-limit.ts';
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
const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the usage of a client, for its team and for operators. */
export interface ReadUsage {
  /** Reads one counter. @throws CountersignError `CLIENT_NOT_FOUND` */
  month(clientId: string): Promise<MonthUsage>;
  /** Also counts the verifications of the last days, however many there are. @throws CountersignError `CLIENT_NOT_FOUND` */
  report(clientId: string): Promise<UsageReport>;
}

export function createReadUsage(ports: {
  clients: Pick<ManageClients, 'usage'>;
  verifications: Pick<VerificationRepository, 'countByDay'>;
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
      const now = clock.now();
      const usage = await month(clientId);
      const [from, until] = [midnightBefore(now, DAYS - 1), midnightBefore(now, -1)];
      const counts = await verifications.countByDay(clientId, from, until);
      const countOn = new Map(counts.map(({ day, count }) => [day, count]));
      return { ...usage, days: lastDays(now).map((day) => ({ day, count: countOn.get(day) ?? 0 })) };
    },
  };
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
