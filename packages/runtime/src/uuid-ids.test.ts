import { afterEach, expect, it, vi } from 'vitest';
import { createUuidIds } from './index.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('gives UUIDs of version 7 that sort in the order in which they were made', () => {
  const ids = createUuidIds();
  const made = Array.from({ length: 10_000 }, () => ids.next());
  expect(
    made.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toBe(true);
  expect(made).toEqual([...new Set(made)].sort());
});

it('keeps the order also when the clock goes back', () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00Z') });
  const ids = createUuidIds();
  const before = ids.next();
  vi.setSystemTime(new Date('2026-03-01T09:00:00Z'));
  expect(ids.next() > before).toBe(true);
});
