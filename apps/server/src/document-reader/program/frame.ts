import { Buffer } from 'node:buffer';

/** The first line of the reader's process, once it can read. */
export const READY = 'ready';

/** Bytes before each picture on its standard input: the size of the picture. */
export const SIZE_BYTES = 4;

/** Returns what is written before a picture. */
export function sizeOf(content: Uint8Array): Uint8Array {
  const size = Buffer.alloc(SIZE_BYTES);
  size.writeUInt32BE(content.byteLength);
  return size;
}

/** Returns the size of the picture that follows. */
export function parseSize(size: Uint8Array): number {
  return Buffer.from(size).readUInt32BE();
}
