/**
 * Gives the memory of bytes back at once, when nobody reads them any more. The collector of garbage would let a hundred
 * megabytes of them pile up: it sees small objects, and not what they hold. It may be done twice. Bytes that share their
 * memory with others, as small Buffers do, are left alone.
 */
export function release(bytes: Uint8Array<ArrayBuffer>): void {
  if (!bytes.buffer.detached && bytes.byteLength === bytes.buffer.byteLength) bytes.buffer.transfer(0);
}
