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
/** A busy server writes a few times a second, not for every few requests: each write wakes a thread. */
const BUFFER_BYTES = 64 * 1024;
/** Once a reader is this far behind, lines are dropped: memory must not grow with a log that nobody takes. */
const BUFFER_MAX_BYTES = 16 * 1024 * 1024;

/** Writes to a file descriptor: 1 is standard output. */
export function createOutput(descriptor = 1): Output {
  const destination = pino.destination({
    dest: descriptor,
    sync: false,
    minLength: BUFFER_BYTES,
    maxWrite: 2 * BUFFER_BYTES,
    maxLength: BUFFER_MAX_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
  });

  // Nobody reads any more, or the disk is full: lines are lost then, but what they tell of goes on.
  let broken = false;
  destination.on('error', () => {
    broken = true;
  });

  return {
    write(text) {
      destination.write(text);
    },
    flushSync: () => destination.flushSync(),
    close: () =>
      new Promise((resolve) => {
        destination.once('close', resolve);
        destination.once('error', resolve);
        if (broken) resolve();
        else destination.end();
      }),
  };
}
