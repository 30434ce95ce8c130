import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './planted-tree.ts';

const LOCALES = join(root, 'packages/web/src/locales');

/**
 * Digits that are no limit: examples, numbered lists, lines of an address, names of standards and keys of the keyboard.
 * Limits come from the domain: `{{limits.fileSize}}`.
 */
const NO_LIMITS = [
  /\{\{[^}]*\}\}/g,
  /\b(?:such as|for example|zum Beispiel|etwa)\b.*/gis,
  /^\d\. /,
  /\b(?:line|Zeile) \d/g,
  /\bISO \d+/g,
  /[^\w]0 (?:resets|setzt)/g,
];

interface Texts {
  readonly [key: string]: string | Texts;
}

function entriesOf(texts: Texts, path: readonly string[] = []): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[[...path, key].join('.'), value]] : entriesOf(value, [...path, key]),
  );
}

test.each(['en', 'de'])('no text in %s names a limit by its digits', (language) => {
  const files = globSync(`${language}/*.json`, { cwd: LOCALES });
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((file) =>
    entriesOf(JSON.parse(readFileSync(join(LOCALES, file), 'utf8')) as Texts)
      .filter(([, text]) => /\d/.test(NO_LIMITS.reduce((rest, pattern) => rest.replace(pattern, ''), text)))
      .map(([key]) => `${basename(file, '.json')} ${key}`),
  );
  expect(found).toEqual([]);
});
