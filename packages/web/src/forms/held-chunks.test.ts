import { ownedChunk } from '@countersign/domain/evidence';
import { expect, it } from 'vitest';
import { HeldChunks } from './held-chunks.ts';

/** Adds a number of chunks of 10 bytes. */
function added(held: HeldChunks, count: number): readonly Uint8Array[] {
  const chunks = Array.from({ length: count }, () => ownedChunk(new Uint8Array(10)));
  for (const chunk of chunks) held.add(chunk);
  return chunks;
}

const isFreed = ({ byteLength }: Uint8Array): boolean => byteLength === 0;

it('held chunks: frees the chunks that end before the consumed part of the file', () => {
  const held = new HeldChunks();
  const chunks = added(held, 1);
  held.beginFile();
  const all = [...chunks, ...added(held, 3)];
  held.freeUntil(9);
  expect(all.map(isFreed)).toEqual([false, false, false, false]);
  held.freeUntil(25);
  expect(all.map(isFreed)).toEqual([true, true, false, false]);
  expect(held.size).toBe(40);
});

it('held chunks: holds only the last one before the file, and none of the file after it', () => {
  const held = new HeldChunks();
  const before = added(held, 3);
  held.beginFile();
  const inFile = added(held, 2);
  held.freeUntil(30);
  expect(before.map(isFreed)).toEqual([false, false, true]);
  held.endFile();
  const after = added(held, 3);
  held.freeUntil(1000);
  expect(inFile.map(isFreed)).toEqual([false, false]);
  expect(after.map(isFreed)).toEqual([false, false, true]);
});
