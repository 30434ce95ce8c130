import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AT, erasureLogFolder, erasureOf, writeEntries } from '../../test-support/erasures.ts';
import { createFileErasureLog } from './file-erasure-log.ts';

function given({ entries = 0 }: { readonly entries?: number } = {}) {
  const directory = erasureLogFolder();
  if (entries > 0) writeEntries(directory, entries);
  return { directory, log: createFileErasureLog({ directory }) };
}

describe('entries', () => {
  test('erasure log: a folder that does not exist is an empty log, and reading does not create it', async () => {
    const { directory, log } = given();
    expect([await log.head(), await log.read(0, 10)]).toEqual([0, []]);
    expect(existsSync(directory)).toBe(false);
  });

  test('erasure log: entries get the numbers from 1 on, and another log on the folder reads them', async () => {
    const { directory, log } = given();
    expect(await log.append(erasureOf('a'))).toEqual({ number: 1, ...erasureOf('a') });
    expect(await log.append(erasureOf('b'))).toEqual({ number: 2, ...erasureOf('b') });
    const other = createFileErasureLog({ directory });
    expect(await other.append(erasureOf('c'))).toEqual({ number: 3, ...erasureOf('c') });
    expect(await log.head()).toBe(3);
    expect(await other.read(0, 10)).toEqual(
      ['a', 'b', 'c'].map((id, index) => ({ number: index + 1, ...erasureOf(id) })),
    );
    expect((await log.read(1, 1)).map(({ number }) => number)).toEqual([2]);
    expect(await log.read(3, 10)).toEqual([]);
    expect(await log.read(0, 0)).toEqual([]);
  });

  test('erasure log: appends at once get a number each, in the order of the calls', async () => {
    const { log } = given();
    const written = await Promise.all(['a', 'b', 'c'].map((id) => log.append(erasureOf(id))));
    expect(written.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect((await log.read(0, 3)).map(({ verificationId }) => verificationId)).toEqual(
      written.map(({ verificationId }) => verificationId),
    );
  });

  test('erasure log: an append after a rejected one succeeds', async () => {
    const { log } = given();
    const long = log.append({ ...erasureOf('a'), clientId: 'x'.repeat(5_000) });
    const next = log.append(erasureOf('b'));
    await expect(long).rejects.toThrow('An id is too long for the erasure log.');
    expect((await next).number).toBe(1);
  });

  test('erasure log: a file has ids and time only, for its owner only, in a folder of a thousand', async () => {
    const { directory, log } = given({ entries: 998 });
    for (const id of ['a', 'b']) await log.append(erasureOf(id));
    expect(readdirSync(directory).sort()).toEqual(['.incoming', '000000', '000001']);
    expect(readdirSync(join(directory, '000001'))).toEqual(['000001000.json']);
    const last = join(directory, '000001', '000001000.json');
    expect(JSON.parse(readFileSync(last, 'utf8'))).toEqual({
      format: 'countersign-erasure-1',
      number: 1000,
      clientId: 'client-1',
      verificationId: 'verification-b',
      at: AT.toISOString(),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const modes = [join(directory, '000001'), join(directory, '.incoming'), last].map(
      (path) => statSync(path).mode,
    );
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
  });

  test('erasure log: names that are no entries are ignored', async () => {
    const { directory, log } = given({ entries: 2 });
    mkdirSync(join(directory, 'lost+found'));
    for (const name of ['.DS_Store', '000000003.json.swp', '000001003.json', '3.json', '000000000.json']) {
      writeFileSync(join(directory, '000000', name), '');
    }
    expect(await log.head()).toBe(2);
    expect((await log.append(erasureOf(3))).number).toBe(3);
  });

  test('erasure log: an empty folder of a killed process is filled', async () => {
    const { directory, log } = given({ entries: 999 });
    mkdirSync(join(directory, '000001'));
    expect(await log.head()).toBe(999);
    expect((await log.append(erasureOf(1_000))).number).toBe(1_000);
    expect((await log.read(998, 10)).map(({ number }) => number)).toEqual([999, 1_000]);
  });

  test('erasure log: append removes unfinished files older than an hour', async () => {
    const { directory, log } = given();
    await log.append(erasureOf(1));
    const left = join(directory, '.incoming', 'x.unfinished');
    writeFileSync(left, 'half');
    await log.append(erasureOf(2));
    expect(existsSync(left), 'it may still be written').toBe(true);
    utimesSync(left, 1, 1);
    await log.append(erasureOf(3));
    expect(existsSync(left)).toBe(false);
    expect(await log.head()).toBe(3);
  });
});

describe('damage', () => {
  const damages: Readonly<Record<string, readonly [code: string, damage: (file: string, next: string) => void]>> =
    {
      'is gone': ['ENTRY_MISSING', (file) => rmSync(file)],
      'lost its end': ['ENTRY_DAMAGED', (file) => truncateSync(file, 100)],
      'lost its last byte': ['ENTRY_DAMAGED', (file) => truncateSync(file, statSync(file).size - 1)],
      'is empty': ['ENTRY_DAMAGED', (file) => truncateSync(file, 0)],
      'is full of zeros': ['ENTRY_DAMAGED', (file) => writeFileSync(file, Buffer.alloc(statSync(file).size))],
      'has another id': ['ENTRY_DAMAGED', (file) => replace(file, 'verification-2', 'verification-3')],
      'has another time': ['ENTRY_DAMAGED', (file) => replace(file, '2026', '2027')],
      'has no time': ['ENTRY_DAMAGED', (file) => replace(file, AT.toISOString(), 'yesterday')],
      'has another number': ['ENTRY_DAMAGED', (file) => replace(file, '"number":2', '"number":7')],
      'is of another format': ['ENTRY_DAMAGED', (file) => replace(file, 'erasure-1', 'erasure-2')],
      'has no object': ['ENTRY_DAMAGED', (file) => writeFileSync(file, 'null\n')],
      'is larger than any entry': [
        'ENTRY_DAMAGED',
        (file) => writeFileSync(file, ' '.repeat(5_000), { flag: 'a' }),
      ],
      'is a copy of the next': ['ENTRY_FOREIGN', (file, next) => copyFileSync(next, file)],
      'is a folder': ['ENTRY_DAMAGED', (file) => [rmSync(file), mkdirSync(file)]],
      'is a pipe': ['ENTRY_DAMAGED', (file) => [rmSync(file), execFileSync('mknod', [file, 'p'])]],
      'is a link': ['ENTRY_DAMAGED', (file, next) => [rmSync(file), symlinkSync(next, file)]],
    };

  test.each(Object.entries(damages))(
    'erasure log: read rejects an entry that %s, and names it',
    async (_, [code, damage]) => {
      const { directory, log } = given({ entries: 3 });
      damage(join(directory, '000000', '000000002.json'), join(directory, '000000', '000000003.json'));

      await expect(log.read(0, 10)).rejects.toMatchObject({
        name: 'ErasureLogFault',
        code,
        message: expect.stringMatching(/^Entry 000000\/000000002\.json of the erasure log is .*: restore it/),
      });

      expect((await log.read(2, 10)).map(({ number }) => number)).toEqual([3]);
      expect((await log.append(erasureOf(4))).number, 'never a number again').toBe(4);
    },
  );

  test('erasure log: read rejects when a whole folder is missing', async () => {
    const { directory, log } = given({ entries: 2_500 });
    renameSync(join(directory, '000001'), join(directory, 'elsewhere'));
    await expect(log.read(990, 100)).rejects.toThrow('Entry 000001/000001000.json of the erasure log is missing');
    expect(await log.head()).toBe(2_500);
  });

  function replace(file: string, from: string, to: string): void {
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(file, text.replace(from, to));
  }
});

test('erasure log: the probe leaves no file, and rejects while nothing can be written', async () => {
  const { directory, log } = given();
  await log.append(erasureOf(1));
  const incoming = join(directory, '.incoming');
  await log.probe();
  expect(readdirSync(incoming)).toEqual([]);
  rmSync(incoming, { recursive: true });
  writeFileSync(incoming, '');
  await expect(log.probe()).rejects.toThrow(
    /^The disk could not write an entry of the erasure log \((ENOTDIR|EEXIST)\)\.$/,
  );
  expect(await log.head()).toBe(1);
});

test('erasure log: a failing disk rejects without a path, as an outage', async () => {
  const { directory, log } = given();
  writeFileSync(directory, '');
  await expect(log.head()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(log.append(erasureOf(1))).rejects.toThrow(
    /^The disk could not write an entry of the erasure log \(E\w+\)\.$/,
  );
  await expect(log.read(0, 1)).rejects.toThrow('The disk could not read the erasure log (ENOTDIR).');
  await expect(log.head()).rejects.toThrow('The disk could not read the erasure log (ENOTDIR).');
});

describe('the id of the log', () => {
  test('erasure log: reading it creates nothing', async () => {
    const { directory, log } = given();
    expect([await log.id(), existsSync(directory)]).toEqual([null, false]);
  });

  test('erasure log: moves with the folder, and a folder of entries without it has none', async () => {
    const { directory, log } = given({ entries: 2 });
    await log.identify('log-1');
    renameSync(directory, `${directory}-moved`);
    expect(await log.id()).toBeNull();
    expect(await createFileErasureLog({ directory: `${directory}-moved` }).id()).toBe('log-1');
    rmSync(join(`${directory}-moved`, 'erasure-log.json'));
    expect(await createFileErasureLog({ directory: `${directory}-moved` }).id()).toBeNull();
  });

  test.each(['', '{}', '{"id":7}', 'null', 'x'.repeat(5_000), 'other'])(
    'erasure log: a damaged file is refused and not replaced: %j',
    async (content) => {
      const { directory, log } = given();
      await log.identify('log-1');
      const file = join(directory, 'erasure-log.json');
      const damaged = content === 'other' ? readFileSync(file, 'utf8').replace('log-1', 'log-2') : content;
      writeFileSync(file, damaged);
      for (const use of [() => log.id(), () => log.identify('log-3')]) {
        await expect(use()).rejects.toThrow(
          /erasure-log\.json of the erasure log .*is damaged: restore it from a copy/,
        );
      }
      expect(readFileSync(file, 'utf8')).toBe(damaged);
    },
  );

  test('erasure log: a failing disk rejects without a path', async () => {
    const { directory, log } = given();
    writeFileSync(directory, '');
    await expect(log.id()).rejects.toThrow('The disk could not read the erasure log (ENOTDIR).');
  });
});
