import { expect } from 'vitest';
import { shown } from '../readable.ts';

/** Expects a number of entries. The failure lists them. */
export function expectCount(entries: readonly unknown[] | null | undefined, count: number, what = ''): void {
  const prefix = what === '' ? '' : `${what}: `;
  expect(entries?.length, `${prefix}expected ${count}, received ${shown(entries ?? [])}`).toBe(count);
}
