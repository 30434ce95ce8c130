import pino from 'pino';

/** Where lines go. Buffered, so that a request never waits for whoever reads them. */
export interface Output {
  write(text: string): void;
  /** Writes what is buffered before it returns. */
  flushSync(): void;
  /** Resolves when everything is written, or cannot be any more. */
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 250;
/** In bytes. A busy server writes some times a second, not for every few requests: each write wakes a thread. */
const BUNDLE = 32 * 1024;
/** Of UTF-8 for a unit of UTF-16. */
const MOST_BYTES_A_UNIT = 3;
/** Once a reader is this far behind, lines are dropped: memory must not grow with a log that nobody takes. */
const BUFFER_MAX_BYTES = 16 * 1024 * 1024;

/** Writes to a file descriptor: 1 is standard output. */
export function createOutput(descriptor = 1): Output {
  const destination = pino.destination({
    dest: descriptor,
    sync: false,
    maxLength: BUFFER_MAX_BYTES,
  });

  // Lines are bundled here and not by the destination, and as bytes: each line of a text would be kept, and copied by
  // the garbage collector, until the whole is written.
  const bundle = Buffer.allocUnsafe(BUNDLE);
  let filled = 0;
  const handOver = () => {
    if (filled === 0) return;
    destination.write(bundle.toString('utf8', 0, filled));
    filled = 0;
  };
  const timer = setInterval(handOver, FLUSH_EVERY_MS).unref();

  // Nobody reads any more, or the disk is full: lines are lost then, but what they tell of goes on.
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
