import type { Clock } from '../runtime.ts';
import type { ManageClients } from '../subscription/manage-clients.ts';
import type { Usage } from '../subscription/monthly-limit.ts';
import { STATUSES, type StatusCounts, statusCounts } from './status.ts';
import { type DayRange, dayOf, dayText, totalOf } from './verification-counts.ts';
import type { VerificationRepository } from './verification-repository.ts';

/** The usage of a client's current month. */
export interface MonthUsage extends Usage {
  /** First moment of the next month, when the count begins again. */
  readonly resetsAt: Date;
}

/** Verifications created on one day. */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly count: number;
  /** How many of them have each status now. */
  readonly statuses: StatusCounts;
}

/** The usage of a client's current month and of its last days. */
export interface UsageReport extends MonthUsage {
  /** The last 30 days in UTC, today last, those without any included. */
  readonly days: readonly UsageDay[];
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
      const days = daysIn(range).map((day) => {
        const statuses = created.get(day) ?? statusCounts([]);
        return { day: dayText(day), count: totalOf(statuses), statuses };
      });
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

/** Counts a client's verifications by the day of their creation and their current status. Leaves out days without any. */
export async function createdByDay(
  verifications: Pick<VerificationRepository, 'counts'>,
  clientId: string,
  range: DayRange,
): Promise<ReadonlyMap<number, StatusCounts>> {
  const byDay = Map.groupBy(await verifications.counts(clientId, range), ({ day }) => day);
  return new Map([...byDay].map(([day, ofTypes]) => [day, sumOf(ofTypes.map(({ counts }) => counts))]));
}

function sumOf(all: readonly StatusCounts[]): StatusCounts {
  return statusCounts(STATUSES.map((status) => [status, all.reduce((sum, counts) => sum + counts[status], 0)]));
}
