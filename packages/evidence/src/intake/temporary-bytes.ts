/** Smaller blocks leave only small gaps. */
const LARGE_BYTES = 4 * 1024 * 1024;

/**
 * glibc returns a freed block to the system if it is larger than 32 MiB. It keeps a smaller one and puts other bytes there, so that the
 * next upload needs a new one: 20 uploads left 50 MB of gaps. Pages of a block that were never written take no memory.
 */
const RETURNED_BYTES = 33 * 1024 * 1024;

/** Lends bytes, all zero, and frees their memory afterwards. */
export async function withTemporaryBytes<T>(
  size: number,
  use: (bytes: Uint8Array<ArrayBuffer>) => Promise<T>,
): Promise<T> {
  const memory = new ArrayBuffer(size < LARGE_BYTES ? size : Math.max(size, RETURNED_BYTES));
  try {
    return await use(new Uint8Array(memory, 0, size));
  } finally {
    memory.transfer(0);
  }
}
