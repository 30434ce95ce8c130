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

test('a missing directory is made for its owner alone', () => {
  const directory = join(parent, 'a', 'b');
  ensureDataDirectory(directory);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test('a place that takes no directories is one clear line', () => {
  const line = /^DATA_DIR is "\/proc\/x\/y": [^\n]+, expected a directory that this process may write to$/;
  expect(() => ensureDataDirectory('/proc/x/y')).toThrow(line);
});

test('a directory that is there stays as it is', () => {
  const before = statSync(parent);
  ensureDataDirectory(parent);
  expect(statSync(parent).mode).toBe(before.mode);
});

test('a file in its place is one clear line', () => {
  const file = join(parent, 'file');
  writeFileSync(file, '');
  const line =
    /^DATA_DIR is ".*file.*": a file is in its place, expected a directory that this process may write to$/;
  expect(() => ensureDataDirectory(file)).toThrow(line);
  expect(() => ensureDataDirectory(join(file, 'below'))).toThrow(line);
});
