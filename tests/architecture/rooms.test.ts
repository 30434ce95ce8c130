import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FOLDERS } from '../../quality/folders.mjs';
import { root } from './planted-tree.ts';

/**
 * The number of import arrows between the rooms of a package or app. Lower it here when an arrow goes. It may grow only with a new room
 * below others: each that uses it is one arrow more. So it was with `overview`, `reading` and `matching` in the domain, and with `parts` in
 * the pages. `design` shows a component of each room, which is an arrow for each. The preview of an appearance names the pages of
 * subjects, which is one more, and a field that was read shows an icon of `parts`.
 */
const ARROWS: Readonly<Record<string, number>> = {
  'packages/domain': 144,
  'packages/web': 62,
  'apps/server': 38,
};

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;

/** What a package exports: it re-exports every room. */
const ENTRIES = ['index.ts', 'entries'];

/** Lists each import from one room to another once. A room is a folder in `src`, or a file beside those folders. */
function arrowsOf(name: string): ReadonlySet<string> {
  const source = join(root, name, 'src');
  const roomOf = (file: string) => relative(source, file).split('/')[0] ?? '';
  const arrows = new Set<string>();
  for (const file of globSync('**/*.{ts,tsx}', { cwd: source })) {
    if (/\.test\.tsx?$/.test(file) || ENTRIES.includes(file.split('/')[0] ?? '')) continue;
    const path = join(source, file);
    for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const [from, to] = [roomOf(path), roomOf(join(dirname(path), imported))];
      if (from !== to) arrows.add(`${from} → ${to}`);
    }
  }
  return arrows;
}

describe.each(Object.entries(ARROWS))('%s/src', (name, count) => {
  test(`has ${count} import arrows between its rooms`, () => {
    expect(arrowsOf(name).size).toBe(count);
  });
});

// .dependency-cruiser.mjs refuses imports against the order.
test.each(Object.entries(FOLDERS))('%s/src: all folders have a place in their order', (name, folders) => {
  const entries = readdirSync(join(root, name, 'src'), { withFileTypes: true });
  const existing = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  expect([...folders].sort()).toEqual(existing.sort());
});
