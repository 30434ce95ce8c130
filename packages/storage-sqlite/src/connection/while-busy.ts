import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from './connection.ts';

const PAUSE_MS = 20;

/** Tries again while another connection's lock stands in the way, for `waitMs` at most; the event loop goes on. */
export async function whileBusy<T>(attempt: () => T, waitMs: number): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
    }
    await pause(PAUSE_MS);
  }
}
