// Starts the spell checker: only that shows which words it rejects.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { root } from './planted-tree.ts';

const LOCALES = join(root, 'packages/web/src/locales');

/**
 * Digits that are not limits: examples, numbered lists, address lines, names of standards, articles of laws and keyboard keys.
 * Limits come from the domain: `{{limits.fileSize}}`.
 */
const NO_LIMITS = [
  /\{\{[^}]*\}\}/g,
  /\b(?:such as|for example|zum Beispiel|etwa)\b.*/gis,
  /^\d\. /,
  /\b(?:line|Zeile) \d/g,
  /\bISO \d+/g,
  /\bArt\. \d+(?:\(\d+\)| Abs\. \d+)/g,
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

test.each(['en', 'de'])('no text in locale %s contains a limit in digits', (language) => {
  const files = globSync(`${language}/*.json`, { cwd: LOCALES });
  expect(files.length).toBeGreaterThan(5);
  const found = files.flatMap((file) =>
    entriesOf(JSON.parse(readFileSync(join(LOCALES, file), 'utf8')) as Texts)
      .filter(([, words]) => /\d/.test(NO_LIMITS.reduce((rest, pattern) => rest.replace(pattern, ''), words)))
      .map(([key]) => `${basename(file, '.json')} ${key}`),
  );
  expect(found).toEqual([]);
});

test.each(['en', 'de'])(
  'mails name steps and reasons in locale %s as the pages of the hosted flow do',
  (language) => {
    const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, Texts>;
    const mails = read(`packages/mail/src/locales/${language}/mails.json`);
    const { steps, reasons } = read(`packages/web/src/locales/${language}/verify.json`);
    // The heading of a business on the list of answers is on the page only.
    const { consent_kyb: _, ...named } = steps ?? {};
    expect(mails.step).toEqual(named);
    // The note is on the page only.
    expect(mails.reason).toEqual({ ...reasons, other: expect.any(String) });
  },
);

test('the spell checker rejects each word that the glossary lists as rejected', async () => {
  const [, section = ''] = readFileSync(join(root, 'docs/glossary.md'), 'utf8').split(
    '## Words that are rejected\n',
  );
  const [, , ...rows] = section.match(/^\| .*/gm) ?? [];
  const words = rows.flatMap((row) => (row.split('|')[1] ?? '').trim().split(', '));
  expect(words.length).toBeGreaterThan(10);

  const checker = spawn(
    process.execPath,
    [join(root, 'node_modules/cspell/bin.mjs'), '--words-only', 'stdin://packages/web/src/planted.ts'],
    { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  checker.stdin.end(words.join('\n'));
  expect((await text(checker.stdout)).trim().split('\n')).toEqual(words);
});
