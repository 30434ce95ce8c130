import { SealingError } from './sealing-error.ts';

/** Progress: entries done, of those known to need re-wrapping. */
export interface RotationProgress {
  readonly done: number;
  readonly total: number;
}

/** A kind of entries that keys wrap. */
export interface WrappedEntries<Entry> {
  /** What one entry is called: `data key`. */
  readonly name: string;
  /** Name of the key that wrapped an entry; null for none. */
  wrappedBy(entry: Entry): string | null;
  /** Counts the entries that another key than the newest wrapped. */
  count(): Promise<number>;
  /** Lists up to `limit` of them, after an entry or from the first. */
  list(after: Entry | null, limit: number): Promise<readonly Entry[]>;
  /** Wraps an entry with the newest key. @throws SealingError if it cannot be unwrapped */
  rewrap(entry: Entry): Promise<{ readonly outcome: 'replaced' | 'conflict' }>;
}

/** How entries are re-wrapped, and what hears of it. */
export interface RewrapOptions {
  readonly onProgress?: ((progress: RotationProgress) => void) | undefined;
  /** Number of entries that are listed and re-wrapped at once. Default: 100. */
  readonly pageSize?: number | undefined;
  /** Names of keys that are lost for good: what they wrapped is left as it is, unless the ring has the key after all. */
  readonly lostKeys?: readonly string[] | undefined;
}

const PAGE_SIZE = 100;
/**
 * Maximum number of rounds that find new entries. The second round handles those written during the first; more rounds mean
 * that another server keeps wrapping with another key.
 */
const ROUNDS = 5;

/**
 * Re-wraps every entry that an older key wrapped with the newest key. Safe to run beside servers and beside another rotation.
 * After an interruption, the next call continues where it stopped.
 * @returns the number of entries that this call re-wrapped
 * @throws SealingError `ROTATION_INCOMPLETE` if entries cannot be unwrapped, or if a server keeps wrapping with another key;
 * all other entries are re-wrapped, and the first fault is the cause. Also throws the errors of the repository.
 */
export async function rewrapAll<Entry>(
  entries: WrappedEntries<Entry>,
  { onProgress, pageSize = PAGE_SIZE, lostKeys = [] }: RewrapOptions,
): Promise<{ readonly rewrapped: number }> {
  const total = await entries.count();
  let done = 0;
  let rewrapped = 0;
  const tell = () => onProgress?.({ done, total: Math.max(total, done) });
  tell();
  const isLost = (entry: Entry, { code }: SealingError) =>
    code === 'UNKNOWN_KEY' && lostKeys.includes(entries.wrappedBy(entry) ?? '');

  for (let round = 1; round <= ROUNDS; round += 1) {
    const faults: SealingError[] = [];
    const before = done;
    for await (const page of pagesOf(entries, pageSize)) {
      for (const [entry, result] of await Promise.all(
        page.map(async (each) => [each, await rewrapOrFault(entries, each)] as const),
      )) {
        if (result.outcome !== 'failed') {
          // If another process was faster, the entry is re-wrapped too.
          done += 1;
        } else if (!isLost(entry, result.fault)) faults.push(result.fault);
        if (result.outcome === 'replaced') rewrapped += 1;
      }
      tell();
    }
    if (done > before) continue;
    if (faults.length === 0) return { rewrapped };
    const [first] = faults;
    const many = `${faults.length} ${entries.name}${faults.length === 1 ? '' : 's'}`;
    throw incomplete(`${many} cannot be unwrapped. ${first?.message}`, first);
  }
  throw incomplete('servers or another rotation keep wrapping with another key: give all of them one SECRET_KEYS');
}

/** Goes through the remaining entries, from first to last. */
async function* pagesOf<Entry>(
  entries: WrappedEntries<Entry>,
  pageSize: number,
): AsyncGenerator<readonly Entry[], void, undefined> {
  let after: Entry | null = null;
  for (;;) {
    const page: readonly Entry[] = await entries.list(after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

type Rewrapping =
  | { readonly outcome: 'replaced' | 'conflict' }
  | { readonly outcome: 'failed'; readonly fault: SealingError };

async function rewrapOrFault<Entry>(entries: WrappedEntries<Entry>, entry: Entry): Promise<Rewrapping> {
  try {
    return await entries.rewrap(entry);
  } catch (fault) {
    // A damaged entry must not stop the others. Any other error, such as an outage, ends the rotation.
    if (fault instanceof SealingError) return { outcome: 'failed', fault };
    throw fault;
  }
}

function incomplete(why: string, cause?: SealingError): SealingError {
  return new SealingError('ROTATION_INCOMPLETE', `The rotation is not complete: ${why}`, cause && { cause });
}
