import { readdirSync } from 'node:fs';

/** Names of all migrations of a package for a kind of database, oldest first, as their files have them. */
export function migrationNames(folder: string): string[] {
  const files = readdirSync(new URL(`../../../packages/${folder}`, import.meta.url));
  return files
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace('.sql', ''))
    .sort();
}
