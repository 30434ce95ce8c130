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
/** In characters. A busy server writes some times a second, not for every few requests: each write wakes a thread. */
const BUNDLE = 32 * 1024;
/** Once a reader is this far behind, lines are dropped: memory must not grow with a log that nobody takes. */
const BUFFER_MAX_BYTES = 16 * 1024 * 1024;

/** Writes to a file descriptor: 1 is standard output. */
export function createOutput(descriptor = 1): Output {
  const destination = pino.destination({ dest: descriptor, sync: false, maxLength: BUFFER_MAX_BYTES });

  // Lines are bundled here and not by the destination: with each line, that one counts the bytes of all before it.
  let bundle = '';
  const handOver = () => {
    if (bundle === '') return;
    destination.write(bundle);
    bundle = '';
  };
  const timer = setInterval(handOver, FLUSH_EVERY_MS).unref();

  // Nobody reads any more, or the disk is full: lines are lost then, but what they tell of goes on.
  let broken = false;
  destination.on('error', () => {
    broken = true;
  });

  return {
    write(text) {
      bundle += text;
      if (bundle.length >= BUNDLE) handOver();
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
