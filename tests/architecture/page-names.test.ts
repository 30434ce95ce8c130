import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './planted-tree.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const { nav, settings } = JSON.parse(read('packages/web/src/locales/en/dashboard.json')) as Record<
  'nav' | 'settings',
  Readonly<Record<string, string>>
>;

/** A page in bold after "in the dashboard", in Markdown and in a guide: `(**Settings**, **Files**)`. */
const PAGE = /in the dashboard (?:\(|under )(\*\*[^)]*\*\*)\)?/g;

/** Lists the places in the dashboard that a text names, each from the menu on. */
function placesIn(text: string): string[][] {
  const plain = text
    .replaceAll("{' '}", ' ')
    .replaceAll(/<\/?strong>/g, '**')
    .replaceAll(/\s+/g, ' ');
  return [...plain.matchAll(PAGE)].map(([, bold = '']) => {
    const [names = ''] = /^\*\*[^*]+\*\*(?:, \*\*[^*]+\*\*)*/.exec(bold) ?? [];
    return [...names.matchAll(/\*\*([^*]+)\*\*/g)].map(([, name = '']) => name);
  });
}

describe('the documentation names places in the dashboard', () => {
  const files = globSync(['README.md', 'docs/*.md', 'packages/*/README.md', 'packages/web/src/docs/**/*.tsx'], {
    cwd: root,
  });
  const named = files.flatMap((file) => placesIn(read(file)).map((names) => [file, ...names] as const));

  it('more than five times', () => {
    expect(named.length).toBeGreaterThan(5);
  });

  it.each(named)('%s: %s %s', (_, area, setting) => {
    expect(Object.values(nav)).toContain(area);
    if (setting !== undefined) {
      expect(area).toBe(nav.settings);
      expect(Object.values(settings)).toContain(setting);
    }
  });
});

it.each([
  ['in the dashboard (**Settings**, **Files**).', [['Settings', 'Files']]],
  ["in the dashboard under{' '}\n <strong>Webhooks</strong>: its **URL**", [['Webhooks']]],
  ['in the dashboard, **always**', []],
])('placesIn finds the places of %j', (text, places) => {
  expect(placesIn(text)).toEqual(places);
});
