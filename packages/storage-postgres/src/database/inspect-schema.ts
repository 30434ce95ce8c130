import type { Target } from '../connection/target.ts';
import { PostgresOpenError } from '../errors.ts';
import { type Direct, withDirect } from './direct.ts';
import {
  appliedFrom,
  isFromBeforeRelease,
  isNewer,
  isUnfinishedCopy,
  MIGRATIONS_TABLE,
  type Migration,
} from './migrations.ts';

/** The first one whose features the schema and the statements need: what is tested is 15 and 18. */
const OLDEST = 15;

/**
 * Connects once and looks at the server and at what was migrated.
 * @throws PostgresOpenError for whatever stands in the way, a newer schema included
 */
export function inspectSchema(options: {
  target: Target;
  applicationName: string;
  /** Whether a database that a copy was begun into is meant to be opened. */
  forCopying?: boolean;
}): Promise<readonly Migration[]> {
  return withDirect(options, async (direct) => {
    const [[version] = []] = await direct.run("select current_setting('server_version_num')::integer / 10000");
    if (Number(version) < OLDEST) {
      const message = `The database at ${options.target.address} is Postgres ${Number(version)}, and ${OLDEST} or newer is needed`;
      throw new PostgresOpenError('server_too_old', message);
    }
    const applied = await appliedMigrations(direct);
    refuseOtherVersions(applied);
    if (!options.forCopying) refuseUnfinishedCopy(applied);
    return applied;
  });
}

/** Oldest first; nothing where there is no migrations table yet. */
export async function appliedMigrations(direct: Direct): Promise<readonly Migration[]> {
  const [[found] = []] = await direct.run(`select to_regclass('${MIGRATIONS_TABLE}') is not null`);
  if (found !== true) return [];
  return appliedFrom(await direct.run(`select created_at, name from ${MIGRATIONS_TABLE} order by created_at`));
}

/** @throws PostgresOpenError `before_release`, `newer_version` */
export function refuseOtherVersions(applied: readonly Migration[]): void {
  if (isFromBeforeRelease(applied)) {
    const message =
      'The database was made by a version of Countersign before 0.2.0 and cannot be upgraded: use an empty database';
    throw new PostgresOpenError('before_release', message);
  }
  if (!isNewer(applied)) return;
  const message = `The database was migrated by a newer version of Countersign (${applied.at(-1)?.name}): use that one`;
  throw new PostgresOpenError('newer_version', message);
}

/** @throws PostgresOpenError `unfinished_copy` */
export function refuseUnfinishedCopy(applied: readonly Migration[]): void {
  if (!isUnfinishedCopy(applied)) return;
  const message =
    'The database holds an unfinished copy: run `countersign copy` again, or begin with an empty one';
  throw new PostgresOpenError('unfinished_copy', message);
}
