import type { DatabaseFacts } from '../database/database.ts';

/** From this version of PostgreSQL on, a role that owns no tables can be given the right to analyze them. */
const HAS_MAINTAIN = 17;

/** Finds whether servers may not replace the planner's statistics, so that erased values stay in them. The database can be read either way. */
export function statisticsProblems(database: DatabaseFacts | null): string[] {
  if (database?.kind !== 'postgres' || database.notAnalyzable.length === 0) return [];
  const { direct, serverVersion } = database;
  const tables = database.notAnalyzable.join(', ');
  const remedy =
    Number.parseInt(serverVersion, 10) >= HAS_MAINTAIN
      ? `GRANT MAINTAIN ON ${tables} TO ${direct.user}`
      : 'set DATABASE_DIRECT_URL to a user that owns the tables';
  return [
    `The user ${direct.user} may not analyze ${tables}, so erased values stay in their statistics: ${remedy}`,
  ];
}
