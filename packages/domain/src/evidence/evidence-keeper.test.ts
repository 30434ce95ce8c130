import { beforeEach, describe, expect, it } from 'vitest';
import { file } from '../../test-support/verifications.ts';
import { faultBehind } from '../errors.ts';
import { createEvidenceKeeper, type EvidenceKeeper } from './evidence-keeper.ts';
import type { EvidencePlace, EvidenceStore } from './evidence-store.ts';

const PLACE = { clientId: 'client-1', verificationId: 'verification-1', fileId: 'extract' };
const PDF = {
  ...file('documents', 'registration_extract', 'extract'),
  contentType: 'application/pdf',
  pages: 2,
} as const;
const PICTURE = file('selfie', 'selfie', 'extract');
const NOT_FOUND = expect.objectContaining({ code: 'FILE_NOT_FOUND' }) as Error;

const bytes = (...values: number[]) => Uint8Array.from(values);

/** A store of one content. */
function givenStore(): EvidenceStore {
  let stored: Uint8Array | null = null;
  return {
    put: async (_place: EvidencePlace, content) => {
      stored = content;
    },
    get: async () => stored,
    delete: () => Promise.reject(new Error('read-only')),
    filesOf: () => Promise.reject(new Error('not used')),
    listWrittenBefore: () => {
      throw new Error('not used');
    },
  };
}

let faults: unknown[];
let keeper: EvidenceKeeper;

beforeEach(() => {
  faults = [];
  const intake = { receive: () => Promise.reject(new Error('not used')) };
  keeper = createEvidenceKeeper({ store: givenStore(), intake }, (fault) => faults.push(fault));
});

describe('a file with drawn pages', () => {
  beforeEach(() => keeper.put(PLACE, bytes(1, 2, 3), [bytes(4), bytes(5, 6)]));

  it.each([
    ['the file itself', undefined, bytes(1, 2, 3), 'application/pdf'],
    ['its first page', 1, bytes(4), 'image/jpeg'],
    ['its last page', 2, bytes(5, 6), 'image/jpeg'],
  ])('gives %s', async (_what, page, content, contentType) => {
    expect(await keeper.read(PLACE, PDF, page)).toEqual({ file: PDF, content, contentType });
  });

  it.each([0, -1, 3])('a file with drawn pages has no page %i', async (page) => {
    await expect(keeper.read(PLACE, PDF, page)).rejects.toEqual(NOT_FOUND);
    expect(faults).toEqual([]);
  });
});

it('a picture has no pages', async () => {
  await keeper.put(PLACE, bytes(1));
  expect(await keeper.read(PLACE, PICTURE)).toMatchObject({ content: bytes(1), contentType: 'image/jpeg' });
  await expect(keeper.read(PLACE, PICTURE, 1)).rejects.toEqual(NOT_FOUND);
});

it('a file without its content: FILE_NOT_FOUND, with the fault as its cause', async () => {
  const error: unknown = await keeper.read(PLACE, PICTURE).catch((thrown: unknown) => thrown);
  expect(error).toEqual(NOT_FOUND);
  expect(faultBehind(error)).toMatchObject({
    name: 'EvidenceFault',
    code: 'FILE_MISSING',
    verificationId: 'verification-1',
    fileId: 'extract',
  });
});

it('a content without the pages that the file names is a fault with the ids of file and verification', async () => {
  await keeper.put(PLACE, bytes(1, 2, 3));
  await expect(keeper.read(PLACE, PDF)).rejects.toMatchObject({
    code: 'FILE_DAMAGED',
    verificationId: 'verification-1',
    fileId: 'extract',
  });
});

it('a content that cannot be deleted is reported, and stays for the background job', async () => {
  await keeper.discard([PLACE]);
  expect(faults).toMatchObject([{ message: 'read-only' }]);
});
