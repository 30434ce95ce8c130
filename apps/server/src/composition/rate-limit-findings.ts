import {
  inspectRateLimitTable,
  inspectRedis,
  type RateLimitTableFacts,
  type RedisFacts,
} from '@countersign/rate-limit';
import type { DoctorSettings } from '../config/settings.ts';
import type { DatabaseFacts } from '../database/database.ts';
import { clockProblem, clockText, type Findings, NOTHING } from '../database/findings.ts';

/** Examines the Redis that servers count requests in. Null facts without `REDIS_URL`. */
export async function examineRedis({
  redisUrl: url,
}: Pick<DoctorSettings, 'redisUrl'>): Promise<Findings<RedisFacts | null>> {
  if (url === undefined) return NOTHING;
  return await inspectRedis({ url }).then((facts) => {
    const lines = [`Redis ${facts.host}, version ${facts.serverVersion}`, clockText('Redis', facts)];
    return { facts, lines, problems: clockProblem('Redis', facts) };
  }, problemOf);
}

/** Examines the table that servers on PostgreSQL count requests in without Redis. */
export async function examineRateLimitTable(
  { database, redisUrl }: Pick<DoctorSettings, 'database' | 'redisUrl'>,
  reachable: DatabaseFacts | null,
): Promise<Findings<RateLimitTableFacts | null>> {
  if (database.kind !== 'postgres' || redisUrl !== undefined || reachable === null) return NOTHING;
  return await inspectRateLimitTable(database).then((facts) => {
    const { table, exists, isUsable, windows } = facts;
    const state = exists ? `${windows ?? 'unknown'} windows` : 'not created yet';
    const right = exists ? `may not read and write ${table}` : `may not create ${table}`;
    const problem = `The user of DATABASE_URL ${right}: until you grant the right, each server counts requests for itself`;
    return { facts, lines: [`Rate limits in the table ${table}, ${state}`], problems: isUsable ? [] : [problem] };
  }, problemOf);
}

/** @countersign/rate-limit words every error for operators. */
function problemOf(error: unknown): Findings<null> {
  if (error instanceof Error) return { ...NOTHING, problems: [error.message] };
  throw error;
}
