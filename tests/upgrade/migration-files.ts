import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSIONS_FOLDER } from './kept-installation.ts';

/** The folders with migrations, in the order in which a server applies them. */
export const MIGRATION_FOLDERS = {
  sqlite: ['packages/storage-sqlite/migrations', 'packages/accounts/migrations/sqlite'],
  postgres: ['packages/storage-postgres/migrations', 'packages/accounts/migrations/postgres'],
} as const;

const root = join(import.meta.dirname, '../..');

/** Returns the paths of the migrations in a folder, oldest first. */
export function migrationsIn(folder: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => `${folder}/${name}`);
}

export const isForPostgres = (path: string): boolean =>
  MIGRATION_FOLDERS.postgres.some((folder) => path.startsWith(`${folder}/`));

export function readMigration(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Returns the SHA-256 of each migration of this version, by its path. */
export function hashesOfMigrations(): Record<string, string> {
  const paths = Object.values(MIGRATION_FOLDERS).flat().flatMap(migrationsIn);
  return Object.fromEntries(
    paths.map((path) => [path, createHash('sha256').update(readMigration(path)).digest('hex')]),
  );
}

/** Returns the hashes that were kept with a version. */
export function readMigrationHashes(version: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(VERSIONS_FOLDER, version, 'migrations.json'), 'utf8'));
}

/** Whether this version has migrations that a kept one does not have. */
export function isMigratedSince(version: string): boolean {
  const kept = readMigrationHashes(version);
  return Object.keys(hashesOfMigrations()).some((path) => !(path in kept));
}
