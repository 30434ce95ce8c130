import { beforeEach, describe, expect, it } from 'vitest';
import { file } from '../../test-support/verifications.ts';
import { faultBehind } from '../errors.ts';
import { EvidenceFault } from './evidence-fault.ts';
import { thumbnailIdOf } from './evidence-file.ts';
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

/** Damaged contents, by their file ids. */
let damaged: Set<string>;

/** A store of one verification. */
function givenStore(): EvidenceStore {
  const stored = new Map<string, Uint8Array>();
  damaged = new Set();
  return {
    put: async ({ fileId }: EvidencePlace, content) => {
      stored.set(fileId, content);
    },
    get: async ({ verificationId, fileId }) => {
      if (damaged.has(fileId)) throw new EvidenceFault('FILE_DAMAGED', { verificationId, fileId });
      return stored.get(fileId) ?? null;
    },
    delete: () => Promise.reject(new Error('read-only')),
    filesOf: () => Promise.reject(new Error('not used')),
    listWrittenBefore: () => {
      throw new Error('not used');
    },
  };
}

let faults: unknown[];
let keeper: EvidenceKeeper;
/** What was deleted, in order. */
let removed: string[];
let readingsFault: Error | null;

const removeReadings = async (places: readonly EvidencePlace[]): Promise<void> => {
  if (readingsFault !== null) throw readingsFault;
  removed.push(...places.map(({ fileId }) => `reading of ${fileId}`));
};

beforeEach(() => {
  faults = [];
  removed = [];
  readingsFault = null;
  const intake = { receive: () => Promise.reject(new Error('not used')) };
  keeper = createEvidenceKeeper({ store: givenStore(), intake }, (fault) => faults.push(fault), removeReadings);
});

describe('discard', () => {
  const places = [PLACE, { ...PLACE, fileId: thumbnailIdOf(PLACE.fileId) }];
  const discarding = (): EvidenceKeeper => {
    const store = {
      ...givenStore(),
      delete: async ({ fileId }: EvidencePlace) => void removed.push(`content of ${fileId}`),
    };
    const intake = { receive: () => Promise.reject(new Error('not used')) };
    return createEvidenceKeeper({ store, intake }, (fault) => faults.push(fault), removeReadings);
  };

  it('deletes what was read from files before their contents, and nothing for thumbnails', async () => {
    await discarding().discard(places);
    const [reading, ...contents] = removed;
    expect(reading).toBe(`reading of ${PLACE.fileId}`);
    expect(contents).toEqual(places.map(({ fileId }) => `content of ${fileId}`));
  });

  it('leaves the contents for the tidying if what was read cannot be deleted', async () => {
    readingsFault = new Error('down');
    await discarding().discard(places);
    expect([removed, faults]).toEqual([[], [readingsFault]]);
  });

  it('discard: without files, nothing is deleted', async () => {
    readingsFault = new Error('down');
    await discarding().discard([]);
    expect(faults).toEqual([]);
  });

  it('discard: nothing is deleted by a service without the ports', async () => {
    const without = createEvidenceKeeper(undefined, (fault) => faults.push(fault), removeReadings);
    await without.discard(places);
    expect([removed, faults]).toEqual([[], []]);
  });
});

describe('a file with drawn pages', () => {
  beforeEach(() => keeper.put(PLACE, bytes(1, 2, 3), { pages: [bytes(4), bytes(5, 6)] }));

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

describe('a thumbnail', () => {
  const thumbnail = { size: 2, sha256: 'a'.repeat(64) };
  const whole = { content: bytes(1), contentType: 'image/jpeg' };

  it('a thumbnail is stored beside its file and read alone', async () => {
    await keeper.put(PLACE, bytes(1), { thumbnail: bytes(8, 9) });
    const file = { ...PICTURE, thumbnail };
    expect(await keeper.read(PLACE, file, 'thumbnail')).toEqual({ ...whole, file, content: bytes(8, 9) });
    expect(await keeper.read(PLACE, file)).toEqual({ ...whole, file });
  });

  it('a thumbnail that the file does not name is not read: the picture itself is returned', async () => {
    await keeper.put(PLACE, bytes(1), { thumbnail: bytes(8, 9) });
    expect(await keeper.read(PLACE, PICTURE, 'thumbnail')).toEqual({ ...whole, file: PICTURE });
  });

  it('a thumbnail of a PDF is a JPEG', async () => {
    await keeper.put(PLACE, bytes(1, 2, 3), { pages: [bytes(4), bytes(5)], thumbnail: bytes(8, 9) });
    const read = await keeper.read(PLACE, { ...PDF, thumbnail }, 'thumbnail');
    expect(read).toMatchObject({ content: bytes(8, 9), contentType: 'image/jpeg' });
  });

  it.each([
    ['of a file without one', PICTURE, 0],
    ['that is missing', { ...PICTURE, thumbnail }, 0],
    ['that is damaged, which is reported', { ...PICTURE, thumbnail }, 1],
  ])('a thumbnail %s: the picture itself', async (_what, file, reported) => {
    await keeper.put(PLACE, bytes(1));
    if (reported > 0) damaged.add('extract-thumbnail');
    expect(await keeper.read(PLACE, file, 'thumbnail')).toEqual({ ...whole, file });
    expect(faults).toHaveLength(reported);
  });

  it('a thumbnail of a PDF without one: its first page; without drawn pages: FILE_NOT_FOUND', async () => {
    await keeper.put(PLACE, bytes(1, 2, 3), { pages: [bytes(4), bytes(5)] });
    expect(await keeper.read(PLACE, PDF, 'thumbnail')).toMatchObject({ content: bytes(4) });
    await expect(keeper.read(PLACE, { ...PDF, pages: 0 }, 'thumbnail')).rejects.toEqual(NOT_FOUND);
  });

  it('a thumbnail that the store cannot give now is an error, not another picture', async () => {
    const down = { ...givenStore(), get: () => Promise.reject(new Error('down')) };
    const intake = { receive: () => Promise.reject(new Error('not used')) };
    const given = createEvidenceKeeper({ store: down, intake }, (fault) => faults.push(fault), removeReadings);
    await expect(given.read(PLACE, { ...PICTURE, thumbnail }, 'thumbnail')).rejects.toThrow('down');
    expect(faults).toEqual([]);
  });
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
