// Reads every text of the repository, and parses every test.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { beginsInMidSentence, testTitles, wrongAtOnce } from './language.ts';
import { root } from './planted-tree.ts';

const BASELINE = 'tests/architecture/mid-sentence-titles.json';

/** Lists the files of the repository, without what is installed, built, released or generated. */
function filesOf(pattern: string): string[] {
  const skipped = ['node_modules', 'dist', 'migrations', 'versions', 'CHANGELOG.md'];
  const files = globSync(['*.md', `{.changeset,apps,deploy,docs,packages,quality,scripts,tests}/**/${pattern}`], {
    cwd: root,
    exclude: (name) => skipped.some((each) => name === each || name.endsWith(`/${each}`)),
  });
  expect(files.length).toBeGreaterThan(300);
  return files;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test.each([
  ['The previous link stops working at once.', ['The previous link stops working']],
  ['Ends a session at once, on every instance.', ['Ends a session']],
  ['It has two parts. The data is hidden at once.', [' The data is hidden']],
  ['All sessions end at once.', ['All sessions end']],
  ['The server stops at once.', ['The server stops']],
  ['It ends requests at once.', []],
  ['Concurrency: of calls at once, the first\n * wins. Reads 50 rows at once.', []],
  ['many servers that start at\n   * once', []],
  ['Looked at once a day.', []],
])('wrongAtOnce: finds "at once" in the sense of immediately: %j', (text, found) => {
  expect(wrongAtOnce(text)).toEqual(found);
});

test('"at once" says that things happen at the same time, and how many', () => {
  const found = filesOf('*.{ts,tsx,mjs,md,css,json}')
    .filter((file) => !file.startsWith('tests/architecture/language'))
    .flatMap((file) => wrongAtOnce(read(file)).map((before) => `${file}: …${before} at once`));
  expect(found, 'Say "immediately", "together" or "at the same time" (CONTRIBUTING.md)').toEqual([]);
});

test.each([
  ['of another reviewer is refused', true],
  ["one's own claim changes nothing", true],
  ['the same key is refused', true],
  ['is refused', true],
  ['with: two colons', true],
  ['claim: a colleague’s claim is refused', false],
  ['refuses a file over 10 MB', false],
  ['the next request gets 401', false],
])('beginsInMidSentence: judges %j', (title, expected) => {
  expect(beginsInMidSentence(title)).toBe(expected);
});

test('testTitles: finds the titles of it, test and their forms', () => {
  const source = `
    describe('a', () => {
      it('one', () => {});
      it.each([
        ['x'],
      ])(\`two \${n}\`, () => {});
      test.skipIf(true)('three', () => {});
    });`;
  expect(testTitles(source)).toEqual(['one', 'two ', 'three']);
});

test('no new title of a test begins in the middle of a sentence', () => {
  const found: Record<string, string[]> = {};
  for (const file of filesOf('*.test.{ts,tsx}').filter((each) => /\.test\.tsx?$/.test(each))) {
    const part = file.split('/').slice(0, 2).join('/');
    const titles = testTitles(read(file)).filter(beginsInMidSentence);
    if (titles.length > 0) found[part] = [...(found[part] ?? []), ...titles.map((title) => `${file}: ${title}`)];
  }
  const allowed = JSON.parse(read(BASELINE)) as Record<string, number>;
  const grown = Object.entries(found).filter(([part, { length }]) => length > (allowed[part] ?? 0));
  expect(Object.fromEntries(grown), 'One title of each part is new: begin it with its subject or a verb').toEqual(
    {},
  );
  const counts = Object.fromEntries(Object.entries(found).map(([part, { length }]) => [part, length]));
  expect(counts, `There are fewer such titles: lower their numbers in ${BASELINE}`).toEqual(allowed);
});
