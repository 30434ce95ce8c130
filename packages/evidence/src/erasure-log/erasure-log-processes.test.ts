// Several processes write one log, some of which are killed.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { erasureLogFolder, erasureOf, writeEntries } from '../../test-support/erasures.ts';
import { run, runOnFullDisk } from '../../test-support/process.ts';
import { createFileErasureLog } from './file-erasure-log.ts';

const given = () => {
  const directory = erasureLogFolder();
  return { directory, log: createFileErasureLog({ directory }) };
};

/** Starts a program that may replace functions of `fs`, which the log calls, before it creates the log. */
const program = (replaceFunctions: string, main: string): string => `
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { createFileErasureLog } = await import('./src/erasure-log/file-erasure-log.ts');
  const erasure = (n) => ({ clientId: 'client-1', verificationId: 'verification-' + n, at: new Date(0) });
  const log = createFileErasureLog({ directory: process.argv[1] });
  ${replaceFunctions}
  syncBuiltinESMExports();
  ${main}`;

const NUMBERS_OF_PROCESS = 25;

test('erasure log: processes that write at the same time get numbers of their own, without gaps', {
  timeout: 60_000,
}, async () => {
  const { directory, log } = given();
  const main = `
    console.log('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    for (let i = 0; i < ${NUMBERS_OF_PROCESS}; i += 1) {
      const { number, verificationId } = await log.append(erasure(process.argv[2] + '-' + i));
      console.log('wrote ' + number + ' ' + verificationId);
    }
    process.stdin.destroy();`;
  const programs = ['a', 'b', 'c', 'd'].map((name) => run(onTestFinished, program('', main), [directory, name]));
  for (const { said } of programs) await said('ready');
  for (const { child } of programs) child.stdin?.write('\n');
  const outputs = await Promise.all(programs.map(async ({ ended }) => (await ended).output));

  const promised = outputs.flatMap((output) => output.split('\n').filter((line) => line.startsWith('wrote ')));
  const found = (await log.read(0, 1_000)).map((entry) => `wrote ${entry.number} ${entry.verificationId}`);
  expect(found).toHaveLength(programs.length * NUMBERS_OF_PROCESS);
  expect(promised.sort()).toEqual(found.sort());
  expect(readdirSync(join(directory, '.incoming'))).toEqual([]);
});

describe('a process killed while it appends', () => {
  const die = "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});";
  const before = (name: string) => `fs.${name} = async () => { ${die} };`;
  const after = (name: string) =>
    `const { ${name} } = fs; fs.${name} = async (...given) => { await ${name}(...given); ${die} };`;
  const withNewFile = (then: string) =>
    `const { open } = fs; fs.open = async (...given) => {
      const file = await open(...given);
      if (given[1] === 'wx') { ${then} }
      return file;
    };`;

  const steps: Readonly<Record<string, readonly [kill: string, isWritten: boolean]>> = {
    'before it creates the unfinished file': [before('mkdir'), false],
    'after it created the unfinished file': [withNewFile(die), false],
    'before it flushes the unfinished file': [withNewFile(`file.sync = async () => { ${die} };`), false],
    'before it names the entry': [before('link'), false],
    'after it named the entry': [after('link'), true],
    'after it removed the unfinished file': [after('unlink'), true],
  };

  test.each(Object.entries(steps))('erasure log: %s leaves a log without gaps', async (_, [kill, isWritten]) => {
    const { directory, log } = given();
    writeEntries(directory, 999);

    const { output, errors, code } = await run(
      onTestFinished,
      program(kill, 'console.log(await log.append(erasure(1)))'),
      [directory],
    ).ended;
    expect({ output, errors, code }).toEqual({ output: '', errors: '', code: null });

    expect(await log.head()).toBe(isWritten ? 1_000 : 999);
    const next = await log.append(erasureOf('next'));
    expect(next.number).toBe(isWritten ? 1_001 : 1_000);
    expect((await log.read(998, 10)).map(({ number }) => number)).toEqual(
      isWritten ? [999, 1_000, 1_001] : [999, 1_000],
    );
    const incoming = join(directory, '.incoming');
    for (const name of readdirSync(incoming)) utimesSync(join(incoming, name), 1, 1);
    await log.append(erasureOf('last'));
    expect(readdirSync(incoming)).toEqual([]);
  });
});

describe('a disk that takes nothing', () => {
  const append = 'await log.append(erasure(1)).catch(({ code, message }) => console.log(code + " " + message));';

  test('erasure log: a full disk rejects with SERVICE_UNAVAILABLE, and leaves no entry', async () => {
    const { directory, log } = given();
    await log.append(erasureOf(1));
    const { output } = await runOnFullDisk(onTestFinished, program('', append), [directory]).ended;
    expect(output).toBe('SERVICE_UNAVAILABLE The disk could not write an entry of the erasure log (EFBIG).\n');
    expect(await log.head()).toBe(1);
    expect(readdirSync(join(directory, '.incoming'))).toEqual([]);
  });

  test.each(['mkdir', 'open', 'link'])(
    'erasure log: a disk that is read-only when %s is called rejects with SERVICE_UNAVAILABLE',
    async (name) => {
      const { directory, log } = given();
      if (name !== 'mkdir') await log.append(erasureOf(1));
      const readOnly = `fs.${name} = async () => { throw Object.assign(new Error('read-only'), { code: 'EROFS' }); };`;
      const { output } = await run(onTestFinished, program(readOnly, append), [directory]).ended;
      expect(output).toBe('SERVICE_UNAVAILABLE The disk could not write an entry of the erasure log (EROFS).\n');
    },
  );
});

test('erasure log: with 10,000 entries, a call lists one folder of a thousand, and reads no other entry', async () => {
  const { directory } = given();
  writeEntries(directory, 9_998);
  const count = `
    const { readdir, open } = fs;
    let names = 0, entries = 0;
    fs.readdir = async (...given) => { const found = await readdir(...given); names += found.length; return found; };
    fs.open = async (file, ...more) => { if (/\\.json$/.test(file)) entries += 1; return open(file, ...more); };
    const show = (result) => { console.log(JSON.stringify([result, names, entries])); names = 0; entries = 0; };`;
  const main = `
    show(await log.head());
    show((await log.append(erasure(1))).number);
    show((await log.append(erasure(2))).number);
    show((await log.read(9_990, 5)).length);
    show((await log.read(9_990, 1_000)).length);
    show((await log.read(0, 100)).length);
    show((await log.read(10_000, 100)).length);`;

  const { output, errors } = await run(onTestFinished, program(count, main), [directory]).ended;

  expect(errors).toBe('');
  const calls = output
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  // Ten folders of a thousand (the first has 999 entries), of which the last is listed, and later `.incoming` and an eleventh.
  expect(calls).toEqual([
    [9_998, 10 + 999, 0],
    [9_999, 10 + 999, 0],
    [10_000, 11 + 1_000, 0],
    [5, 12 + 1, 5],
    [10, 12 + 1, 10],
    [100, 12 + 1, 100],
    [0, 12 + 1, 0],
  ]);
});
