import { expect, it } from 'vitest';
import { EXPIRED, programOf } from '../../test-support/document-readers/given-reader.ts';
import { examineReader } from './reader-findings.ts';

it('a reader that is off is no problem', async () => {
  const { facts, problems } = await examineReader({ readsDocuments: false });
  expect(facts).toEqual({ on: false, reads: null, version: null });
  expect(problems).toEqual([]);
});

it('a reader of which nothing starts is a problem', async () => {
  const { facts, problems } = await examineReader(
    { readsDocuments: true },
    { zones: programOf(EXPIRED), barcodes: programOf(EXPIRED) },
  );
  expect(facts).toEqual({ on: true, reads: false, version: null });
  expect(problems).toEqual([
    'The reader of documents does not read the known pictures: it does not start. Install Countersign again, or set READER=off',
  ]);
});
