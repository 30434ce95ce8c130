import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sharedUrl } from '@countersign/test-support/servers/shared-postgres';

const program = fileURLToPath(new URL('./run.mjs', import.meta.url));

/** Runs a benchmark. */
export function bench(...args: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
}

/** Runs a benchmark on the Postgres that the test files of a run share. Then it cannot tell the CPU of the database. */
export function benchOnSharedPostgres(...args: string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, TEST_POSTGRES_URL: process.env.TEST_POSTGRES_URL ?? sharedUrl() };
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
}
