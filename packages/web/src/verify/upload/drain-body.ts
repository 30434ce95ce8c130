/** Reads what is left of a body and throws it away. */
export type Drain = (reader: ReadableStreamDefaultReader<Uint8Array>) => Promise<void>;

/** Three times what is allowed: a picture of a current phone, chosen by mistake, is still read to its end. */
const DRAIN_MAX_BYTES = 30 * 1024 * 1024;
const DRAIN_MAX_MS = 10_000;

/**
 * Reads the rest of a refused upload, 30 MiB and 10 seconds at most: a browser that is still sending reports a reset
 * connection and not the answer. What is longer is left to the server, which answers and cuts the connection off.
 */
export const drainBody: Drain = async (reader) => {
  const tired = Promise.withResolvers<'tired'>();
  const timer = setTimeout(() => tired.resolve('tired'), DRAIN_MAX_MS);
  let left = DRAIN_MAX_BYTES;
  try {
    while (left > 0) {
      const next = await Promise.race([reader.read(), tired.promise]);
      if (next === 'tired' || next.done) return;
      left -= next.value.byteLength;
    }
  } catch {
    // The sender is gone.
    return;
  } finally {
    clearTimeout(timer);
  }
};
