import { vi } from 'vitest';

/** Lets every wait before a retry end immediately, and returns the list of their milliseconds. */
export function recordRetryDelays(timeoutMs = 30_000): readonly number[] {
  const delays: number[] = [];
  const { setTimeout: start } = globalThis;
  const record = (action: () => void, milliseconds = 0) => {
    if (milliseconds === timeoutMs) return start(action, milliseconds);
    delays.push(milliseconds);
    return start(action, 0);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(record);
  return delays;
}
