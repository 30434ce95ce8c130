// Writes many files, and each write waits for the disk.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidencePlace, EvidenceStore } from '@countersign/domain/evidence';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run, runWithSmallFiles } from '../../test-support/process.ts';
import { createFileEvidenceStore } from './file-evidence-store.ts';

const FUTURE = new Date('2100-01-01T00:00:00Z');
const CONTENT = new TextEncoder().encode('what is kept');

function given(): { readonly store: EvidenceStore; readonly directory: string } {
  const directory = join(temporaryDirectory(onTestFinished), 'evidence');
  return { store: createFileEvidenceStore({ directory }), directory };
}

function place(fileId: string, verificationId = 'verification-1', clientId = 'client-1'): EvidencePlace {
  return { clientId, verificationId, fileId };
}

async function all(store: EvidenceStore, moment = FUTURE): Promise<string[]> {
  const found: string[] = [];
  for await (const { clientId, verificationId, fileId } of store.listWrittenBefore(moment)) {
    found.push([clientId, verificationId, fileId].join('/'));
  }
  return found.sort();
}

describe('files', () => {
  test('file evidence store: delete removes folders that are empty', async () => {
    const { store, directory } = given();
    await store.put(place('a'), CONTENT);
    await store.put(place('b'), CONTENT);
    await store.delete(place('a'));
    expect(readdirSync(join(directory, 'client-1', 'verification-1'))).toEqual(['b']);
    await store.delete(place('b'));
    expect(readdirSync(directory)).toEqual(['.incoming']);
    expect(readdirSync(join(directory, '.incoming'))).toEqual([]);
  });

  test('file evidence store: folders and files are readable by their owner only', async () => {
    const { store, directory } = given();
    await store.put(place('a'), CONTENT);
    const mode = (...path: string[]): number => statSync(join(directory, ...path)).mode & 0o777;
    expect([mode(), mode('client-1'), mode('client-1', 'verification-1'), mode('.incoming')]).toEqual(
      Array(4).fill(0o700),
    );
    expect(mode('client-1', 'verification-1', 'a')).toBe(0o600);
  });

  test('file evidence store: put at a place that has a file says so', async () => {
    const { store } = given();
    await store.put(place('a'), CONTENT);
    await expect(store.put(place('a'), CONTENT)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  });

  test.each(['', '..', '.', 'a/b', 'a\\b', '../a', 'a.b', 'a\0', 'ä', 'x'.repeat(101)])(
    'file evidence store: the id %j cannot leave the folder',
    async (id) => {
      const { store, directory } = given();
      for (const bad of [place(id), place('a', id), place('a', 'verification-1', id)]) {
        await expect(store.put(bad, CONTENT)).rejects.toThrow('cannot be the name of a file');
        expect(await store.get(bad)).toBeNull();
        await store.delete(bad);
      }
      expect(await store.filesOf(place('a', id))).toEqual([]);
      expect(await store.filesOf(place('a', 'verification-1', id))).toEqual([]);
      expect(existsSync(directory)).toBe(false);
    },
  );

  test.each<[string, (stored: Buffer) => Buffer]>([
    ['one bit', (stored) => stored.fill((stored.at(-1) ?? 0) ^ 1, stored.length - 1)],
    ['its end', (stored) => stored.subarray(0, -3)],
    ['all', () => Buffer.alloc(0)],
  ])('file evidence store: get rejects a file that lost %s as damaged', async (_, damage) => {
    const { store, directory } = given();
    await store.put(place('a'), CONTENT);
    const file = join(directory, 'client-1', 'verification-1', 'a');
    writeFileSync(file, damage(readFileSync(file)));
    await expect(store.get(place('a'))).rejects.toThrow('damaged');
  });
});

describe('the list', () => {
  test('file evidence store: the list has files written before a moment, and no foreign files', async () => {
    const { store, directory } = given();
    expect(await all(store), 'before anything was written').toEqual([]);
    await store.put(place('old'), CONTENT);
    await store.put(place('new', 'verification-2'), CONTENT);
    const hourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(join(directory, 'client-1', 'verification-1', 'old'), hourAgo, hourAgo);
    mkdirSync(join(directory, 'lost+found'));
    writeFileSync(join(directory, 'client-1', 'verification-1', '.DS_Store'), '');
    writeFileSync(join(directory, 'client-1', 'note'), '');

    expect(await all(store)).toEqual(['client-1/verification-1/old', 'client-1/verification-2/new']);
    expect(await all(store, new Date(Date.now() - 60_000))).toEqual(['client-1/verification-1/old']);
    expect(await all(store, hourAgo)).toEqual([]);
    expect(await store.filesOf(place('', 'verification-1'))).toEqual([place('old')]);
  });

  test('file evidence store: the list removes unfinished files older than an hour', async () => {
    const { store, directory } = given();
    await store.put(place('a'), CONTENT);
    const left = join(directory, '.incoming', 'x.unfinished');
    writeFileSync(left, 'half');
    await all(store);
    expect(existsSync(left), 'it may still be written').toBe(true);
    utimesSync(left, 1, 1);
    expect(await all(store)).toEqual(['client-1/verification-1/a']);
    expect(existsSync(left)).toBe(false);
  });
});

describe('a disk that fails', () => {
  test('file evidence store: a failing disk rejects without a path', async () => {
    const file = join(temporaryDirectory(onTestFinished), 'file');
    writeFileSync(file, '');
    const store = createFileEvidenceStore({ directory: file });
    await expect(store.put(place('a'), CONTENT)).rejects.toThrow(
      /^The disk could not keep a file of evidence \(E\w+\)\.$/,
    );
    await expect(store.get(place('a'))).rejects.toThrow('The disk could not read a file of evidence (ENOTDIR).');
    await expect(store.delete(place('a'))).rejects.toThrow(
      'The disk could not delete a file of evidence (ENOTDIR).',
    );
    await expect(all(store)).rejects.toThrow('The disk could not list the files of evidence (ENOTDIR).');
    await expect(store.filesOf(place('a'))).rejects.toThrow(
      'The disk could not list the files of evidence (ENOTDIR).',
    );
  });

  test('file evidence store: a disk that becomes full rejects, and leaves no file', async () => {
    const { store, directory } = given();
    await store.put(place('a'), CONTENT);
    const program = `
      import { createFileEvidenceStore } from './src/store/file-evidence-store.ts';
      const store = createFileEvidenceStore({ directory: process.argv[1] });
      const place = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'b' };
      console.log(await store.put(place, new Uint8Array(1_000_000)).catch(({ code, message }) => code + ' ' + message));`;

    const { output } = await runWithSmallFiles(onTestFinished, program, [directory]).ended;

    expect(output).toBe('SERVICE_UNAVAILABLE The disk could not keep a file of evidence (EFBIG).\n');
    expect(await all(store)).toEqual(['client-1/verification-1/a']);
    expect(readdirSync(join(directory, '.incoming'))).toEqual([]);
  });
});

test('file evidence store: a process killed while it writes leaves no partial file', {
  timeout: 60_000,
}, async () => {
  const { store, directory } = given();
  const program = `
    import { createFileEvidenceStore } from './src/store/file-evidence-store.ts';
    const store = createFileEvidenceStore({ directory: process.argv[1] });
    console.log('writing');
    const content = new Uint8Array(3_000_000).fill(7);
    for (let i = 0; ; i++) {
      await store.put({ clientId: 'c', verificationId: 'v', fileId: process.argv[2] + '-' + i }, content);
      console.log('wrote ' + i);
    }`;
  let promised = 0;
  for (const [round, until] of ['writing', 'wrote 0', 'wrote 1', 'wrote 3', 'writing'].entries()) {
    const { child, said, ended } = run(onTestFinished, program, [directory, `${round}`]);
    await said(until);
    child.kill('SIGKILL');
    const { output } = await ended;
    promised += output.split('\n').filter((line) => line.startsWith('wrote')).length;
  }

  let found = 0;
  for await (const each of store.listWrittenBefore(FUTURE)) {
    const content = await store.get(each);
    expect(content?.byteLength).toBe(3_000_000);
    expect(content?.every((byte) => byte === 7)).toBe(true);
    found++;
  }
  expect(found).toBeGreaterThanOrEqual(promised);
});
