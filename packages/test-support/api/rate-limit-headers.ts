import { expect } from 'vitest';
import type { Answer } from './api-client.ts';

/** Parses the three rate limit headers (interface, Limits). */
export function limitsOf({ headers }: Answer): { limit: number; remaining: number; reset: number } {
  const [limit = 0, remaining = 0, reset = 0] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`)),
  );
  return { limit, remaining, reset };
}

/** Expects a reset, in Unix seconds, within 60 s after a request between `before` and `after`, in milliseconds. */
export function expectReset(reset: number, before: number, after: number): void {
  expect(Number.isSafeInteger(reset)).toBe(true);
  expect(reset).toBeGreaterThan(before / 1000);
  expect(reset).toBeLessThanOrEqual(Math.ceil(after / 1000) + 60);
}
