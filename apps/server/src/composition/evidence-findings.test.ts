import { mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isHeicInstalled } from '@countersign/evidence';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { beforeEach, expect, test } from 'vitest';
import { examineEvidence, examineFolder } from './evidence-findings.ts';

let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = realpathSync(temporaryFolder());
  dataDir = join(parent, 'data');
  mkdirSync(dataDir);
});

test('evidence: a folder that does not exist yet is no problem and is not created', () => {
  const directory = join(dataDir, 'evidence');
  expect(examineFolder(directory, { dataDir })).toEqual({
    facts: { directory, exists: false, writable: true, apartFromDataDir: false },
    lines: [`Evidence ${directory}, not created yet, inside DATA_DIR`],
    problems: [],
  });
  expect(readdirSync(dataDir)).toEqual([]);
});

test('evidence: says whether HEIC pictures can be decoded', async () => {
  const evidence = { kind: 'folder', directory: join(dataDir, 'evidence') } as const;
  const { facts, lines } = await examineEvidence({ evidence, dataDir });
  expect(facts.heic).toBe(isHeicInstalled());
  expect(lines.at(-1)).toMatch(/^HEIC pictures are (decoded by heic-decode|refused: the optional package)/);
});

test('evidence: reports a folder outside DATA_DIR, which needs its own backup', () => {
  const directory = join(parent, 'elsewhere');
  mkdirSync(directory);
  expect(examineFolder(directory, { dataDir })).toEqual({
    facts: { directory, exists: true, writable: true, apartFromDataDir: true },
    lines: [`Evidence ${directory}, writable, outside DATA_DIR`],
    problems: [],
  });
});

test('evidence: follows symbolic links, also for a folder that does not exist yet', () => {
  mkdirSync(join(parent, 'disk'));
  symlinkSync(join(parent, 'disk'), join(dataDir, 'linked'));
  const apart = (evidenceDir: string) => examineFolder(evidenceDir, { dataDir }).facts.apartFromDataDir;
  expect(apart(join(dataDir, 'linked'))).toBe(true);
  expect(apart(join(dataDir, 'linked', 'evidence'))).toBe(true);

  symlinkSync(dataDir, join(parent, 'other-name'));
  expect(apart(join(parent, 'other-name', 'evidence'))).toBe(false);
});

test('evidence: a file in place of the folder or of a parent is a problem', () => {
  const file = join(dataDir, 'evidence');
  writeFileSync(file, '');
  expect(examineFolder(file, { dataDir })).toMatchObject({
    facts: { exists: true, writable: false },
    lines: [`Evidence ${file}, not writable, inside DATA_DIR`],
    problems: [`The evidence folder ${file} is not a writable directory: check its permissions`],
  });
  expect(examineFolder(join(file, 'below'), { dataDir })).toMatchObject({
    facts: { exists: false, writable: false },
    problems: [
      `The evidence folder ${join(file, 'below')} cannot be created: ${file} is not a writable directory`,
    ],
  });
});
