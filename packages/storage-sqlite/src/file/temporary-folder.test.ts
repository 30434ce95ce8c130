import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const BOTH = ['/first', '/second'];

it.each<[string, string[], string[], string]>([
  ['SQLITE_TMPDIR before TMPDIR', ['/first', '/second', '/tmp'], BOTH, '/first'],
  ['TMPDIR if SQLITE_TMPDIR is not writable', ['/second', '/var/tmp'], BOTH, '/second'],
  ['/var/tmp without a variable', ['/var/tmp', '/usr/tmp', '/tmp', '.'], [], '/var/tmp'],
  ['/var/tmp if the variables are empty', ['', '/var/tmp', '/tmp'], ['', ''], '/var/tmp'],
  ['/usr/tmp before /tmp', ['/usr/tmp', '/tmp', '.'], [], '/usr/tmp'],
  ['/tmp before the current folder', ['/tmp', '.'], [], '/tmp'],
  ['the current folder at last', [], BOTH, '.'],
])('temporaryFolder: is %s', (_, writable, named, expected) => {
  expect(temporaryFolder(named, (folder) => writable.includes(folder))).toBe(expected);
});

it('temporaryFolder: passes over a file and a missing folder', () => {
  const folder = temporaryDirectory(onTestFinished);
  const file = join(folder, 'file');
  writeFileSync(file, '', { mode: 0o700 });
  expect(temporaryFolder([join(folder, 'missing'), folder])).toBe(folder);
  expect(temporaryFolder([file, folder])).toBe(folder);
});
