import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach, expect, test } from 'vitest';
import { ensureDataDirectory } from './data-directory.ts';

let parent: string;
beforeEach(() => {
  parent = temporaryFolder();
});

test('ensureDataDirectory: creates a missing directory with mode 0700', () => {
  const directory = join(parent, 'a', 'b');
  ensureDataDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('ensureDataDirectory: refuses a path below /proc in one line that names DATA_DIR', () => {
  const line = /^DATA_DIR is "\/proc\/x\/y": [^\n]+, expected a writable directory$/;
  expect(() => ensureDataDirectory('/proc/x/y')).toThrow(line);
});

test('ensureDataDirectory: leaves an existing directory unchanged', () => {
  const before = statSync(parent);
  ensureDataDirectory(parent);
  expect(statSync(parent).mode).toBe(before.mode);
});

test('ensureDataDirectory: refuses a file in place of the directory in one line that names DATA_DIR', () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  const line = /^DATA_DIR is ".*file.*": a file is in its place, expected a writable directory$/;
  expect(() => ensureDataDirectory(file)).toThrow(line);
  expect(() => ensureDataDirectory(join(file, 'below'))).toThrow(line);
});
