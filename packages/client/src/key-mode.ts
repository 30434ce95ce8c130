import { CountersignApiError } from './errors.ts';
import type { KeyMode } from './options.ts';

/** Remembers the mode of the key from the first response that names it. */
export interface KeyModeCheck {
  /** Reads the mode from a response. */
  observe(headers: Headers): void;
  /**
   * Waits until the mode of the key is known.
   * @throws {@link CountersignApiError} `WRONG_MODE`, or why the mode could not be read
   */
  requireMode(signal: AbortSignal): Promise<void>;
}

/**
 * Creates the check of a client.
 * @param expected the mode that the key must have; undefined for no check
 * @param ask sends one GET with the key; its response is observed even if it is an error
 */
export function createKeyModeCheck(expected: KeyMode | undefined, ask: () => Promise<unknown>): KeyModeCheck {
  let actual: string | null = null;
  let asking: Promise<void> | undefined;

  async function learn(): Promise<void> {
    let isAnswered = false;
    try {
      await ask();
      isAnswered = true;
    } catch (error) {
      // A refusal names the mode, too, for example if the key may not read.
      if (actual === null) throw error;
    } finally {
      asking = undefined;
    }
    // A server that names no mode is older than test mode.
    if (isAnswered) actual ??= 'live';
  }

  return {
    observe(headers) {
      actual ??= headers.get('X-Countersign-Mode');
    },
    async requireMode(signal) {
      if (expected === undefined) return;
      if (actual === null) {
        asking ??= learn();
        await untilAborted(asking, signal);
      }
      if (actual === expected) return;
      const message = `The API key is of ${actual} mode, and this client is for ${expected} mode. Nothing was sent. Use a key of ${expected} mode.`;
      throw new CountersignApiError('WRONG_MODE', message);
    },
  };
}

/** Waits for a task that other calls share, until the signal of this one aborts. */
async function untilAborted(task: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([task, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
