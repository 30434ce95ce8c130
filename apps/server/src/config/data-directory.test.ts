import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureDataDirectory } from './data-directory.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'countersign-data-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

test('ensureDataDirectory: creates a missing directory with mode 0700', () => {
  const directory = join(parent, 'a', 'b');
  ensureDataDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('ensureDataDirectory: DATA_DIR below /proc is one line that names the variable', () => {
  const line = /^DATA_DIR is "\/proc\/x\/y": [^\n]+, expected a writable directory$/;
  expect(() => ensureDataDirectory('/proc/x/y')).toThrow(line);
});

test('ensureDataDirectory: keeps an existing directory as it is', () => {
  const before = statSync(parent);
  ensureDataDirectory(parent);
  expect(statSync(parent).mode).toBe(before.mode);
});

test('ensureDataDirectory: a file in place of the directory is one line that names the variable', () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  const line = /^DATA_DIR is ".*file.*": a file is in its place, expected a writable directory$/;
  expect(() => ensureDataDirectory(file)).toThrow(line);
  expect(() => ensureDataDirectory(join(file, 'below'))).toThrow(line);
});
