import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@countersign/test-support/processes/child-process';
import { createClock, type SettableClock } from '@countersign/test-support/processes/clock';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import type { PostgresServer } from '@countersign/test-support/servers';
import { KEPT_FOLDERS, type KeptInstallation, type Kind, VERSIONS_FOLDER } from './kept-installation.ts';
import { isForPostgres, readMigrationHashes } from './migration-files.ts';
import { loadRows } from './postgres-rows.ts';

const HOUR_MS = 3_600_000;

/** Creates a clock at which the links and sessions of a kept installation are valid. */
export function clockOf({ stoppedAt }: KeptInstallation): SettableClock {
  return createClock(new Date(Date.parse(stoppedAt) + HOUR_MS).toISOString());
}

/**
 * Makes a copy of a kept installation and returns where it lies.
 * @param postgres server that receives the rows; undefined for SQLite
 */
export async function placeOf(
  version: string,
  kind: Kind,
  postgres: PostgresServer | undefined,
): Promise<{ readonly DATA_DIR: string } & Environment> {
  const dataDir = temporaryFolder();
  const folder = join(VERSIONS_FOLDER, version, kind);
  for (const name of KEPT_FOLDERS.filter((each) => existsSync(join(folder, each)))) {
    cpSync(join(folder, name), join(dataDir, name), { recursive: true });
  }
  if (postgres === undefined) {
    cpSync(join(folder, 'countersign.db'), join(dataDir, 'countersign.db'));
    return { DATA_DIR: dataDir };
  }
  const url = await postgres.createDatabase();
  const migrations = Object.keys(readMigrationHashes(version)).filter(isForPostgres);
  await loadRows(url, migrations, readFileSync(join(folder, 'rows.sql'), 'utf8'));
  return { DATA_DIR: dataDir, DATABASE_URL: url };
}
