import { isCountersignError, VerificationFault } from '../errors.ts';

/** Options of long work on many verifications. */
export interface WorkOptions {
  /** Called before the first page, and after each. */
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  /** Called between pages, so that the caller can give others time. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** Verifications that are worked on at the same time. */
export const WORK_PAGE = 20;

/**
 * Works through pages of verifications. Those that cannot be read have the outcome `unreadable`.
 * @param page lists those after a place, at most `WORK_PAGE`; null starts from the first
 * @returns how many have each outcome
 * @throws `SERVICE_UNAVAILABLE`, and what `page` and `pause` throw
 */
export async function workThrough<Place, Outcome extends string>(
  { total, page }: { readonly total: number; page(after: Place | null): Promise<readonly Place[]> },
  work: (place: Place) => Promise<Outcome>,
  { onProgress, pause }: WorkOptions,
): Promise<(outcome: Outcome | 'unreadable') => number> {
  const counts = new Map<string, number>();
  let done = 0;
  onProgress?.({ done, total });
  for (let after: Place | null = null; ; ) {
    const places: readonly Place[] = await page(after);
    // Writes that arrive together share a commit of SQLite.
    for (const outcome of await Promise.all(places.map((place) => work(place).catch(unreadable))))
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    done += places.length;
    onProgress?.({ done, total: Math.max(done, total) });
    after = places.at(-1) ?? null;
    if (places.length < WORK_PAGE) return (outcome) => counts.get(outcome) ?? 0;
    await pause?.();
  }
}

function unreadable(fault: unknown): 'unreadable' {
  if (isOutage(fault)) throw fault;
  return 'unreadable';
}

/** Whether the storage does not answer, not one value alone. */
export function isOutage(fault: unknown): boolean {
  return isCountersignError(fault, 'SERVICE_UNAVAILABLE') && !(fault.cause instanceof VerificationFault);
}
