import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './planted-tree.ts';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The exact versions that published packages and the server depend on, by package. */
function pinnedVersions(): ReadonlyMap<string, string> {
  const manifests = globSync('{packages,apps}/*/package.json', { cwd: root }).map(
    (file): Manifest => JSON.parse(readFileSync(join(root, file), 'utf8')),
  );
  const all = manifests.flatMap(({ dependencies = {} }) => Object.entries(dependencies));
  return new Map(all.filter(([, version]) => /^\d/.test(version)));
}

/** Returns each "package 1.2.3" of a text whose version is not the pinned one. */
function outdatedIn(text: string, pinned: ReadonlyMap<string, string>): string[] {
  return [...text.matchAll(/(?<name>@?[a-z][\w./-]*)`? (?<version>\d+\.\d+\.\d+)/g)].flatMap(({ groups = {} }) => {
    const { name = '', version = '' } = groups;
    const current = pinned.get(name);
    return current === undefined || current === version ? [] : [`${name} ${version}`];
  });
}

describe('versions in decisions', () => {
  const pinned = pinnedVersions();

  it('versions in decisions are those that are installed', () => {
    expect([...pinned.keys()]).toContain('openid-client');
    const outdated = globSync('docs/decisions/*.md', { cwd: root }).flatMap((file) =>
      outdatedIn(readFileSync(join(root, file), 'utf8'), pinned).map((found) => `${file}: ${found}`),
    );
    expect(outdated).toEqual([]);
  });

  it('reports a planted violation', () => {
    expect(outdatedIn('**kysely 0.0.2 is called**, `openid-client` 0.0.1', pinned)).toEqual([
      'kysely 0.0.2',
      'openid-client 0.0.1',
    ]);
  });
});
