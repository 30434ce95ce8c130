import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './planted-tree.ts';

/** Keeps one formatter for each language: making one takes about 70 times as long as using it. */
const FORMATS = 'packages/web/src/site/formats.ts';
/** Keeps one formatter for each time zone. */
const CALENDAR = 'packages/domain/src/retention/calendar.ts';
/** Keeps those of mails. */
const MOMENTS = 'packages/mail/src/moments.ts';
/** Keeps those of one message. */
const CREATION_MESSAGE = 'packages/http/src/creation-message.ts';
const KEEPERS = [FORMATS, CALENDAR, MOMENTS, CREATION_MESSAGE];

/** What makes a formatter, or makes and drops one with each call. */
const MADE = /\bIntl\.\w+(?=\()|\bnew\s+Intl\.\w+|\.toLocale\w*String\b|\.localeCompare\b/g;

function madeIn(file: string, source: string): string[] {
  return KEEPERS.includes(file) ? [] : (source.match(MADE) ?? []).map((found) => `${file}: ${found}`);
}

describe('formatters of numbers, dates and names', () => {
  it('formatters of numbers, dates and names are created only in files that keep them', () => {
    const files = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
      (file) => !/\.test\.tsx?$/.test(file),
    );
    expect(files).toEqual(expect.arrayContaining(KEEPERS));
    expect(files.flatMap((file) => madeIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it.each([
    'const text = new Intl.NumberFormat(language).format(1);',
    "const text = Intl.DateTimeFormat('en').format(now);",
    "const text = count.toLocaleString('de');",
    'const text = now.toLocaleDateString();',
    'names.sort((a, b) => a.localeCompare(b));',
  ])('reports a planted violation: %s', (source) => {
    expect(madeIn('packages/web/src/planted.ts', source)).toHaveLength(1);
    expect(madeIn(FORMATS, source)).toEqual([]);
  });
});
