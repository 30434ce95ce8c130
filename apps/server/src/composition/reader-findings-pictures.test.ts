// Reads pictures in a process of its own.
import { expect, it } from 'vitest';
import { EXPIRED, programOf } from '../../test-support/document-readers/given-reader.ts';
import { examineReader } from './reader-findings.ts';

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
  const { facts, problems } = await examineReader({ readsDocuments: true }, { [program]: programOf(EXPIRED) });
  expect(facts).toEqual({ on: true, reads: false, version: null });
  expect(problems).toEqual([
    'The reader of documents does not read the known pictures: it does not start. Install Countersign again, or set READER=off',
  ]);
});
