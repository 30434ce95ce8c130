/**
 * Frees the memory of bytes that are no longer needed. The garbage collector would let a hundred megabytes pile up,
 * because it sees small objects and not their contents. Calling it twice is harmless. Bytes that share their memory, as small
 * Buffers do, are left alone.
 */
export function release(bytes: Uint8Array<ArrayBuffer>): void {
  if (!bytes.buffer.detached && bytes.byteLength === bytes.buffer.byteLength) bytes.buffer.transfer(0);
}
