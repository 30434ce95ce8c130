import pino from 'pino';

/** A buffered output, so that requests never wait for its reader. */
export interface Output {
  write(text: string): void;
  /** Writes the buffer synchronously. */
  flushSync(): void;
  /** Resolves when everything is written, or writing has failed. */
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 250;
/** In bytes. Fewer, larger writes are cheaper: each wakes a thread. */
const BUNDLE = 32 * 1024;
/** The most UTF-8 bytes for one UTF-16 unit. */
const MOST_BYTES_A_UNIT = 3;
/** When the reader is this far behind, lines are dropped to limit memory. */
const BUFFER_MAX_BYTES = 16 * 1024 * 1024;

/** Writes to a file descriptor: 1 is standard output. */
export function createOutput(descriptor = 1): Output {
  const destination = pino.destination({
    dest: descriptor,
    sync: false,
    maxLength: BUFFER_MAX_BYTES,
  });

  // Lines are bundled here as bytes. The destination would keep each as a string, which the garbage collector copies.
  const bundle = Buffer.allocUnsafe(BUNDLE);
  let filled = 0;
  const handOver = () => {
    if (filled === 0) return;
    destination.write(bundle.toString('utf8', 0, filled));
    filled = 0;
  };
  const timer = setInterval(handOver, FLUSH_EVERY_MS).unref();

  // The reader is gone or the disk is full. Lines are lost, but the server runs on.
  let broken = false;
  destination.on('error', () => {
    broken = true;
  });

  return {
    write(text) {
      const most = text.length * MOST_BYTES_A_UNIT;
      if (filled + most > BUNDLE) handOver();
      if (most > BUNDLE) destination.write(text);
      else filled += bundle.write(text, filled);
    },
    flushSync() {
      handOver();
      destination.flushSync();
    },
    close: () =>
      new Promise((resolve) => {
        clearInterval(timer);
        destination.once('close', resolve);
        destination.once('error', resolve);
        if (broken) return resolve();
        handOver();
        destination.end();
      }),
  };
}
