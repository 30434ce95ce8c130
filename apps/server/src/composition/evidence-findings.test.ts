import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { examineEvidence } from './evidence-findings.ts';

let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-evidence-')));
  dataDir = join(parent, 'data');
  mkdirSync(dataDir);
});
afterEach(() => rmSync(parent, { recursive: true }));

test('a folder that is not there yet is no problem, and is not made', () => {
  const directory = join(dataDir, 'evidence');
  expect(examineEvidence({ evidenceDir: directory, dataDir })).toEqual({
    facts: { directory, exists: false, writable: true, apartFromDataDir: false },
    lines: [`Evidence ${directory}, not there yet, in DATA_DIR`],
    problems: [],
  });
  expect(readdirSync(dataDir)).toEqual([]);
});

test('a folder elsewhere is told, because it needs a backup of its own', () => {
  const directory = join(parent, 'elsewhere');
  mkdirSync(directory);
  expect(examineEvidence({ evidenceDir: directory, dataDir })).toEqual({
    facts: { directory, exists: true, writable: true, apartFromDataDir: true },
    lines: [`Evidence ${directory}, writable, apart from DATA_DIR`],
    problems: [],
  });
});

test('links are followed: a folder that is linked into DATA_DIR lies apart, also before it is there', () => {
  mkdirSync(join(parent, 'disk'));
  symlinkSync(join(parent, 'disk'), join(dataDir, 'linked'));
  const apart = (evidenceDir: string) => examineEvidence({ evidenceDir, dataDir }).facts.apartFromDataDir;
  expect(apart(join(dataDir, 'linked'))).toBe(true);
  expect(apart(join(dataDir, 'linked', 'evidence'))).toBe(true);

  symlinkSync(dataDir, join(parent, 'other-name'));
  expect(apart(join(parent, 'other-name', 'evidence'))).toBe(false);
});

test('a file in its place, or among its parents, is a problem', () => {
  const file = join(dataDir, 'evidence');
  writeFileSync(file, '');
  expect(examineEvidence({ evidenceDir: file, dataDir })).toMatchObject({
    facts: { exists: true, writable: false },
    lines: [`Evidence ${file}, not writable, in DATA_DIR`],
    problems: [`The evidence folder ${file} is no directory that this process may write to`],
  });
  expect(examineEvidence({ evidenceDir: join(file, 'below'), dataDir })).toMatchObject({
    facts: { exists: false, writable: false },
    problems: [
      `The evidence folder ${join(file, 'below')} cannot be made: ${file} is no directory that this process may write to`,
    ],
  });
});
