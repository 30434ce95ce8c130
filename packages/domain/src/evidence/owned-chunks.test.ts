import { expect, it } from 'vitest';
import { freeChunk, ownedChunk } from './owned-chunks.ts';

it('freeChunk: frees a chunk that was passed on with its memory; twice is harmless', () => {
  const chunk = ownedChunk(new Uint8Array(8));
  freeChunk(chunk);
  freeChunk(chunk);
  expect(chunk.buffer.detached).toBe(true);
});

it('freeChunk: leaves a chunk alone whose sender may still need it', () => {
  const chunk = new Uint8Array(8);
  freeChunk(chunk);
  expect(chunk.buffer.detached).toBe(false);
});

it('freeChunk: leaves a chunk alone that shares its memory', () => {
  const whole = new Uint8Array(8).fill(1);
  freeChunk(ownedChunk(whole.subarray(0, 4)));
  freeChunk(ownedChunk(whole.subarray(4)));
  expect(whole).toEqual(new Uint8Array(8).fill(1));
});

it('freeChunk: leaves the pool alone that small Buffers share', () => {
  const [chunk, neighbour] = [Buffer.from('chunk'), Buffer.from('neighbour')];
  freeChunk(ownedChunk(chunk));
  expect([chunk.toString(), neighbour.toString()]).toEqual(['chunk', 'neighbour']);
});
