// Reads pictures in a process of its own.
import { expect, it } from 'vitest';
import { type ReaderProgram, ZONES } from '../document-reader/reader-process.ts';
import { examineReader } from './reader-findings.ts';

const NO_START: ReaderProgram = {
  ...ZONES,
  main: new URL('../../test-support/document-readers/no-start.mjs', import.meta.url),
};

it('a reader that is off is no problem', async () => {
  const { facts, problems } = await examineReader({ readsDocuments: false });
  expect(facts).toEqual({ on: false, reads: null, version: null });
  expect(problems).toEqual([]);
});

it('the reader of this server reads the known pictures', async () => {
  const { facts, lines, problems } = await examineReader({ readsDocuments: true });
  expect(facts).toEqual({
    on: true,
    reads: true,
    version: expect.stringMatching(/^mrz-[0-9a-f]{12}, pdf417-\d+\.\d+\.\d+$/),
  });
  expect(lines).toEqual([`Documents are read by ${facts.version}`]);
  expect(problems).toEqual([]);
});

it.each(['zones', 'barcodes'])('a reader of %s that does not start is a problem', async (program) => {
  const { facts, problems } = await examineReader({ readsDocuments: true }, { [program]: NO_START });
  expect(facts).toEqual({ on: true, reads: false, version: null });
  expect(problems).toEqual([
    'The reader of documents does not read the known pictures: it does not start. Install Countersign again, or set READER=off',
  ]);
});
