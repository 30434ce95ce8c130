import { expect, it } from 'vitest';
import { retryAt } from './retry-plan.ts';

it('retryAt: a mail is given up after five days', () => {
  const end = 5 * 24 * 60 * 60 * 1_000;
  expect(retryAt(new Date(0), 9, new Date(end - 1))).not.toBeNull();
  expect(retryAt(new Date(0), 9, new Date(end))).toBeNull();
});
