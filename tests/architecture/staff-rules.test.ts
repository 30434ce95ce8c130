import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STAFF_ROLES, TEAM_ROLES } from '@countersign/domain/staff';
import { describe, expect, it } from 'vitest';
import { root } from './planted-tree.ts';

/** The folder of the staff rules. All other code calls them and compares no role itself. */
const RULES = 'packages/domain/src/staff/';
/** The table of the roles that may run each action. */
const CATALOGUE = 'packages/domain/src/actions/rights.ts';

const ROLE = `'(?:${[...STAFF_ROLES, ...TEAM_ROLES].join('|')})'`;
/** Excludes comparisons with the kind of an actor in a history or the audit log, which is not a role. */
const OF_AN_ACTOR = String.raw`(?<!\b(?:kind|actor)\s*)`;
const COMPARISONS: readonly RegExp[] = [
  new RegExp(`${OF_AN_ACTOR}(?<![!=])[!=]==?\\s*${ROLE}`, 'g'),
  new RegExp(`${ROLE}\\s*[!=]==?`, 'g'),
  new RegExp(`\\bcase ${ROLE}`, 'g'),
  new RegExp(`\\.(?:includes|has|startsWith)\\(${ROLE}`, 'g'),
  // Default values and query builder conditions.
  new RegExp(`\\?\\?\\s*${ROLE}`, 'g'),
  new RegExp(`'[!=<>]+', ${ROLE}`, 'g'),
];

function comparisonsIn(file: string, source: string): string[] {
  if (file.startsWith(RULES) || file === CATALOGUE) return [];
  return COMPARISONS.flatMap((pattern) => source.match(pattern) ?? []).map((found) => `${file}: ${found}`);
}

describe('rules of staff', () => {
  it('no code outside domain/staff compares a role or a team role', () => {
    const files = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root })
      .filter((file) => !/\.test\.tsx?$/.test(file))
      .filter((file) => !file.startsWith('packages/storage-contract/'));

    expect(files.length).toBeGreaterThan(300);
    expect(files.flatMap((file) => comparisonsIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it.each([
    "if (user.role === 'operator') return null;",
    "const isOwner = 'owner' === teamRole;",
    "switch (role) { case 'reviewer': return 1; }",
    "const may = ['x'].includes('viewer');",
    "const teamRole = input.teamRole ?? 'owner';",
    "query.where('team_role', '=', 'owner')",
    "const isStaff = role !== 'client' && isOpen;",
  ])('reports a planted violation: %s', (source) => {
    expect(comparisonsIn('packages/web/src/planted.ts', source)).toHaveLength(1);
    expect(comparisonsIn(`${RULES}planted.ts`, source)).toEqual([]);
  });

  it.each([
    "const DEMO = { role: 'client', teamRole: 'owner' };",
    "if (actor.kind === 'operator') return null;",
    "const AREA = { roles: ['reviewer', 'operator'] };",
  ])('allows a role in data and in the kind of an actor: %s', (source) => {
    expect(comparisonsIn('packages/web/src/planted.ts', source)).toEqual([]);
  });
});
