import { expect, test } from 'vitest';
import { collected } from '../../test-support/collected.ts';
import { type ArchiveEntry, incompleteFile, safeEntries } from './archive.ts';

async function* entriesOf(...names: readonly string[]): AsyncGenerator<ArchiveEntry> {
  const [content, lastModified] = ['', new Date('2026-03-01T10:00:00Z')];
  for (const name of names) yield { name, content, lastModified };
}

test('safeEntries: names that differ are passed on', async () => {
  const entries = await collected(safeEntries(entriesOf('files/a.jpg', 'files/b.jpg')));
  expect(entries.map(({ name }) => name)).toEqual(['files/a.jpg', 'files/b.jpg']);
});

test.each([
  ['the same name', 'data.json', 'data.json'],
  ['the same name in another case', 'data.json', 'Data.JSON'],
  ['a name out of the folder', 'data.json', '../data.json'],
  ['a name with a letter that is in ASCII only in lower case', '\u212a.pdf'],
])('safeEntries: %s is refused', async (_, ...names) => {
  await expect(collected(safeEntries(entriesOf(...names)))).rejects.toThrow('unsafe or not unique');
});

test('incompleteFile: names the files that are missing, with their ids', () => {
  const text = incompleteFile([{ id: 'id-1', name: 'selfie.jpg' }]);
  expect(text.split('\n')).toEqual([
    'This export is incomplete. The stored content of these files is missing or damaged:',
    '',
    '- selfie.jpg (id-1)',
    '',
    'Ask the operator of the service to restore them from a backup, then export again.',
    '',
  ]);
});
