// The spell checker of `npm run check`. Old words of this project are rejected: docs/glossary.md lists them.
import { readFileSync } from 'node:fs';

const glossary = readFileSync(new URL('docs/glossary.md', import.meta.url), 'utf8');
const rejectedWords = glossary.split('## Words that are rejected\n')[1] ?? '';
const flagWords = [...rejectedWords.matchAll(/^\| ([^|]+?) +\|/gm)]
  .slice(2)
  .flatMap(([, words = '']) => words.split(', '));
if (flagWords.length === 0) throw new Error('docs/glossary.md lists no words under "Words that are rejected"');

export default {
  version: '0.2',
  language: 'en,en-GB',
  dictionaryDefinitions: [
    { name: 'project', path: './quality/words.txt', addWords: true },
    { name: 'german', path: './node_modules/@cspell/dict-de-de/de_DE.trie.gz' },
  ],
  dictionaries: ['project', 'typescript', 'node', 'npm', 'html', 'css', 'companies', 'softwareTerms', 'sql'],
  files: ['**/*.{ts,tsx,js,mjs,md}', '**/locales/**/*.json'],
  ignorePaths: ['**/migrations/**', '.changeset/**', 'packages/domain/src/fields/address-data.ts'],
  useGitignore: true,
  flagWords,
  ignoreRegExpList: [
    // Percent-encoded characters and escapes in front of a word.
    '/%[0-9a-f]{2}/gi',
    '/\\\\[a-z]/g',
    // Words that are not in Latin script.
    '/[\\u0370-\\u1fff]+/g',
    // Keys, hashes and check sums.
    '/\\b(?=\\w*\\d)[\\w-]{20,}\\b/g',
  ],
  overrides: [
    { filename: 'docs/glossary.md', ignoreRegExpList: ['/## Words that are rejected[^]*/'] },
    // Changelogs name changed words of the German pages.
    { filename: ['**/locales/de/**', 'packages/mail/src/words/**', '**/CHANGELOG.md'], dictionaries: ['german'] },
    // Test data has names of people and places of many languages.
    {
      filename: ['**/*.test.{ts,tsx}', 'tests/**', '**/test-support/**', 'packages/storage-contract/**'],
      dictionaries: ['german'],
      ignoreRegExpList: ['/[\\w’]*[\\u00c0-\\u024f][\\w\\u00c0-\\u024f]*/g'],
    },
  ],
};
