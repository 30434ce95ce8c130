import { Readable } from 'node:stream';
import { ownedChunk } from '@countersign/domain/evidence';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { expect, onTestFinished, test } from 'vitest';
import { createSpool, type Spool } from './spool.ts';

const givenSpool = (): Spool => createSpool(temporaryDirectory(onTestFinished));

/** @returns bytes that differ from their neighbours */
const chunk = (size: number, seed = 0): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: size }, (_, at) => ((at + seed) * 7919) % 251);

async function stored(spool: Spool, chunks: readonly Uint8Array[]): Promise<Uint8Array> {
  const taken = await spool.take(Readable.from(chunks));
  try {
    return await taken.readInto(new Uint8Array(taken.size));
  } finally {
    await taken.discard();
  }
}

test('spool: returns what it took, in chunks smaller and larger than a block', async () => {
  const chunks = [chunk(1), chunk(65_536, 1), chunk(65_535, 2), chunk(200_000, 3)];
  expect(Buffer.compare(await stored(givenSpool(), chunks), Buffer.concat(chunks))).toBe(0);
});

test('spool: frees chunks that were passed on with their memory, once it has stored them', async () => {
  const chunks = [chunk(1), chunk(200_000, 1)];
  const expected = Buffer.concat(chunks);
  expect(Buffer.compare(await stored(givenSpool(), chunks.map(ownedChunk)), expected)).toBe(0);
  expect(chunks.map(({ buffer }) => buffer.detached)).toEqual([true, true]);
});

test('spool: leaves other chunks to their sender', async () => {
  const given = chunk(200_000);
  await stored(givenSpool(), [given]);
  expect(given).toEqual(chunk(200_000));
});
