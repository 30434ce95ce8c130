const OWNED = new WeakSet<Uint8Array>();

/**
 * Passes the memory of a chunk of an upload on with the chunk: its consumer may free it. A chunk that shares its memory with others
 * is passed on without it.
 */
export function ownedChunk(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (chunk.byteLength === chunk.buffer.byteLength) OWNED.add(chunk);
  return chunk;
}

/**
 * Frees the memory of a chunk that came from {@link ownedChunk}; leaves any other as it is. The garbage collector sees small objects
 * and not their contents, so it would let 64 MB of chunks pile up while uploads arrive.
 */
export function freeChunk(chunk: Uint8Array): void {
  if (OWNED.delete(chunk)) (chunk.buffer as ArrayBuffer).transfer(0);
}
