/** Starts `count` operations without waiting for any, and gives all their results. */
export function atOnce<T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => run(index)));
}

/** How often each outcome came. */
export function tally(results: readonly { readonly outcome: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The whole numbers from `first` to `last`, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The error that an operation rejected with, or null when it resolved. */
export async function refusalOf(operation: Promise<unknown>): Promise<unknown> {
  try {
    await operation;
    return null;
  } catch (refusal) {
    return refusal;
  }
}
