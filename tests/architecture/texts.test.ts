import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './planted-tree.ts';

const LOCALES = join(root, 'packages/web/src/locales');

/**
 * Digits that are no limit: examples, numbered lists, lines of an address, names of standards, keys of the keyboard, and
 * percentages, which a law sets (25 %) or arithmetic (100 %).
 */
const NO_LIMITS = [
  /\{\{[^}]*\}\}/g,
  /\b(?:such as|for example|zum Beispiel|etwa)\b.*/gis,
  /^\d\. /,
  /\b(?:line|Zeile) \d/g,
  /\bISO \d+/g,
  /[^\w]0 (?:resets|setzt)/g,
  /(?:\b0 (?:and at most|und höchstens) 100\b|\d+ %)/g,
];

/** Texts that still name a limit by its digits instead of taking it as a value. The list may only become shorter. */
const LIMITS_LEFT = [
  'account secondFactor.refused',
  ...['upload.formatsPicture', 'upload.formatsPdf'].map((key) => `capture ${key}`),
  ...['FILE_TOO_LARGE', 'PICTURE_TOO_LARGE', 'FILE_LIMIT_REACHED'].map((code) => `capture refused.${code}`),
  'dashboard verifications.filter.badPrefix',
  ...['referenceHint', 'badReference', 'metadataTooLarge'].map((key) => `dashboard verifications.new.${key}`),
  ...['nameBad', 'limitTitle', 'limitText'].map((key) => `dashboard newKey.${key}`),
  ...['messageBad', 'stepNoteBad', 'internalNoteBad'].map((key) => `review problem.${key}`),
  'site issues.not_a_lei',
  'verify hints.lei',
  ...['daysTitle', 'chartTitle', 'chartEmpty'].map((key) => `staff usage.${key}`),
  'staff user.nameBad',
];

interface Texts {
  readonly [key: string]: string | Texts;
}

function entriesOf(texts: Texts, path: readonly string[] = []): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[[...path, key].join('.'), value]] : entriesOf(value, [...path, key]),
  );
}

test.each(['en', 'de'])('no text in %s names a limit by its digits, beyond the known ones', (language) => {
  const files = globSync(`${language}/*.json`, { cwd: LOCALES });
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((file) =>
    entriesOf(JSON.parse(readFileSync(join(LOCALES, file), 'utf8')) as Texts)
      .filter(([, text]) => /\d/.test(NO_LIMITS.reduce((rest, pattern) => rest.replace(pattern, ''), text)))
      .map(([key]) => `${basename(file, '.json')} ${key}`),
  );
  expect(found.filter((key) => !LIMITS_LEFT.includes(key))).toEqual([]);
});
