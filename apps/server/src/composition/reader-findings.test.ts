import { expect, it } from 'vitest';
import { examineReader } from './reader-findings.ts';

const programOf = (name: string) => new URL(`../../test-support/document-readers/${name}.mjs`, import.meta.url);

it('a reader that is off is no problem', async () => {
  const { facts, problems } = await examineReader({ readsDocuments: false });
  expect(facts).toEqual({ on: false, reads: null, version: null });
  expect(problems).toEqual([]);
});

it('the reader of this server reads the known picture', async () => {
  const { facts, lines, problems } = await examineReader({ readsDocuments: true });
  expect(facts).toEqual({ on: true, reads: true, version: expect.stringMatching(/^mrz-[0-9a-f]{12}$/) });
  expect(lines).toEqual([`Documents are read by ${facts.version}`]);
  expect(problems).toEqual([]);
});

it('a reader that does not start is a problem', async () => {
  const { facts, problems } = await examineReader({ readsDocuments: true }, { program: programOf('no-start') });
  expect(facts).toEqual({ on: true, reads: false, version: null });
  expect(problems).toEqual([
    'The reader of documents does not read a known picture: it does not start. Install Countersign again, or set READER=off',
  ]);
});
