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
