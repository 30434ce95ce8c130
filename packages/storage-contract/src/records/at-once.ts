import { expect } from 'vitest';
import { shown } from '../readable.ts';

/** Starts `count` operations at once and returns all results. */
export function atOnce<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

/** Counts each outcome. */
export function tally(results: readonly { readonly outcome: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The integers from `first` to `last`, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Returns the error that an operation rejects with, or null if it resolves. */
export async function refusalOf(operation: Promise<unknown>): Promise<unknown> {
  try {
    await operation;
    return null;
  } catch (refusal) {
    return refusal;
  }
}

/** Expects that a call rejects with an error. @param call what is called, and why it must reject */
export async function expectRejected(operation: Promise<unknown>, call: string): Promise<void> {
  let answer: unknown;
  try {
    answer = await operation;
  } catch (error) {
    expect(error, call).toBeInstanceOf(Error);
    return;
  }
  expect.fail(`${call}: expected an error, received ${shown([answer])}`);
}
