import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from './planted-tree.ts';

/** The limits of a package or app: a number that may only become lower, and a list that may only become shorter. */
interface Plan {
  /** The maximum number of import arrows, and the target. */
  readonly arrows: { readonly bound: number; readonly wanted: number };
  /** Known arrows that close a cycle of folders. */
  readonly upward: readonly string[];
}

const PLANS: Readonly<Record<string, Plan>> = {
  // Retention brought the arrows above 100: the rooms `retention`, `erasure` and `exports`, and what imports them. Mail brought 14:
  // `mail`, the queue, below `verification`, and `mailing`, which decides what is sent, above it.
  // Webhooks and access queue mails with their changes.
  'packages/domain': { arrows: { bound: 126, wanted: 126 }, upward: [] },
  // 34, the room `exports`, which the app mounts and which imports site, forms and staff, two of the pages of retention, and the room
  // `docs`, which the app mounts and which imports site, and whose samples the dashboard and
  // the page of a new key show.
  'packages/web': { arrows: { bound: 41, wanted: 41 }, upward: [] },
  // 29, the room `evidence`, which opens the store of files for servers, commands and backups, and the room `tracing`, which wraps
  // listener and log for the composition.
  'apps/server': { arrows: { bound: 37, wanted: 37 }, upward: [] },
};

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;

type Arrow = readonly [from: string, to: string];

/** What a package exports: it re-exports every room. */
const ENTRIES = ['index.ts', 'entries'];

/** Lists each import from one room to another once. A room is a folder in `src`, or a file beside those folders. */
function arrowsOf(name: string): Arrow[] {
  const source = join(root, name, 'src');
  const roomOf = (file: string) => relative(source, file).split('/')[0] ?? '';
  const arrows = new Map<string, Arrow>();
  for (const file of globSync('**/*.{ts,tsx}', { cwd: source })) {
    if (/\.test\.tsx?$/.test(file) || ENTRIES.includes(file.split('/')[0] ?? '')) continue;
    const path = join(source, file);
    for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      const arrow = [roomOf(path), roomOf(join(dirname(path), imported))] as const;
      if (arrow[0] !== arrow[1]) arrows.set(arrow.join(' → '), arrow);
    }
  }
  return [...arrows.values()];
}

/** Repeatedly removes the rooms without imports: the remaining arrows lead into cycles. */
function circlesIn(arrows: readonly Arrow[]): string[] {
  const from = new Set(arrows.map(([room]) => room));
  const remaining = arrows.filter(([, to]) => from.has(to));
  return remaining.length === arrows.length ? arrows.map((arrow) => arrow.join(' → ')) : circlesIn(remaining);
}

test('circlesIn finds a cycle of three rooms', () => {
  const circle: Arrow[] = [
    ['a', 'b'],
    ['b', 'c'],
    ['c', 'a'],
    ['c', 'd'],
  ];
  expect(circlesIn(circle)).toEqual(['a → b', 'b → c', 'c → a']);
  expect(circlesIn(circle.slice(1))).toEqual([]);
});

describe.each(Object.entries(PLANS))('%s/src', (name, { arrows: { bound, wanted }, upward }) => {
  const arrows = arrowsOf(name);

  test(`has at most ${bound} import arrows between its rooms (now ${arrows.length}, target ${wanted})`, () => {
    expect(arrows.length).toBeGreaterThan(20);
    expect(arrows.length).toBeLessThanOrEqual(bound);
  });

  test('has no import cycle of folders beyond the known upward arrows', () => {
    const folders = arrows.filter((ends) => !ends.some((end) => end.includes('.')));
    expect(circlesIn(folders.filter((arrow) => !upward.includes(arrow.join(' → '))))).toEqual([]);
  });
});
