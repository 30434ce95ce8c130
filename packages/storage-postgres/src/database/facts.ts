import type { Target } from '../connection/connect-once.ts';
import type { Session } from '../connection/session.ts';
import { statementOf } from '../connection/statement.ts';
import { sql } from '../drizzle.ts';
import { parseDate, parseText } from '../rows/parse-row.ts';
import { withDirect } from './direct.ts';
import { notAnalyzable } from './erased-statistics.ts';
import { type Migration, pendingMigrations, SELECT_APPLIED } from './migrations.ts';
import type { PostgresFacts } from './postgres-facts.ts';

export const APPLIED = statementOf(sql.raw(SELECT_APPLIED));
const SERVER = statementOf(sql`
  select current_setting('server_version'), current_database()::text, current_user::text`);
const CLOCK = statementOf(sql`select date_trunc('milliseconds', clock_timestamp())`);

const SIZE = statementOf(sql`select pg_database_size(current_database())`);

/** Returns the size of the current database in bytes. */
export async function sizeOf({ read }: Pick<Session, 'read'>): Promise<number> {
  const [row = []] = await read(SIZE, {});
  return Number(row[0]);
}

export async function factsOf(
  { read }: Session,
  { target, direct, applied, poolSize, applicationName }: FactsOptions,
): Promise<PostgresFacts> {
  const [server = []] = await read(SERVER, {});
  const analyzable = await withDirect({ target: direct, applicationName }, notAnalyzable).then(
    (tables) => ({ isReachable: true, tables }),
    () => ({ isReachable: false, tables: [] }),
  );
  return {
    host: target.address,
    database: parseText('database', server[1]),
    user: parseText('user', server[2]),
    serverVersion: parseText('version', server[0]).split(' ')[0] ?? '',
    appliedMigrations: applied.map(nameOf),
    pendingMigrations: pendingMigrations(applied).map(nameOf),
    ...(await compareClocks(read)),
    poolSize,
    direct: { host: direct.address, user: direct.user, isReachable: analyzable.isReachable },
    notAnalyzable: analyzable.tables,
  };
}

interface FactsOptions {
  readonly target: Target;
  readonly direct: Target;
  readonly applied: readonly Migration[];
  readonly poolSize: number;
  readonly applicationName: string;
}

/** The quickest answer is the most accurate: the database read its clock in the middle of it. */
async function compareClocks(read: Session['read']): Promise<{ clockDifferenceMs: number; roundTripMs: number }> {
  let best = { clockDifferenceMs: 0, roundTripMs: Number.POSITIVE_INFINITY };
  // The first one prepares the statement.
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const [before, start] = [Date.now(), performance.now()];
    const [row = []] = await read(CLOCK, {});
    const roundTripMs = performance.now() - start;
    const clockDifferenceMs = parseDate('clock', row[0]).getTime() - (before + roundTripMs / 2);
    if (roundTripMs < best.roundTripMs) best = { clockDifferenceMs, roundTripMs };
  }
  const rounded = (ms: number): number => Math.round(ms * 10) / 10;
  return { clockDifferenceMs: rounded(best.clockDifferenceMs), roundTripMs: rounded(best.roundTripMs) };
}

function nameOf({ name }: Migration): string {
  return name;
}
