// Walks subjects through flows that the last version began, on its installation: only a whole upgrade shows what is left behind.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keptVersions } from './kept-installation.ts';
import { hashesOfMigrations, readMigrationHashes } from './migration-files.ts';
import { describeUpgrades } from './upgrades.ts';

const ROOT = join(import.meta.dirname, '../..');

const versionIn = (manifest: string): string => JSON.parse(readFileSync(join(ROOT, manifest), 'utf8')).version;

it('every package has the version of the root, of which an installation is kept', () => {
  const version = versionIn('package.json');
  const manifests = globSync('{apps/*,packages/*,tests}/package.json', { cwd: ROOT });

  expect(manifests.length).toBeGreaterThan(10);
  expect(manifests.filter((manifest) => versionIn(manifest) !== version)).toEqual([]);
  expect(keptVersions()).toContain(version);
});

describe.each(keptVersions())('the migrations of %s', (version) => {
  it('are unchanged: a released migration is never edited', () => {
    expect(hashesOfMigrations()).toMatchObject(readMigrationHashes(version));
  });
});

// other-upgrades.test.ts has the earlier versions, and Postgres.
describeUpgrades('sqlite', keptVersions().slice(-1));
