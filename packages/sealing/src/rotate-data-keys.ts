import type { DataKeyEntry, DataKeyRepository } from '@countersign/domain';
import type { KeyWrapping } from './key-wrapping.ts';
import { SealingError } from './sealing-error.ts';

/** Data keys that were dealt with, of those known to need it. */
export interface RotationProgress {
  readonly done: number;
  readonly total: number;
}

export interface RotationOptions {
  readonly dataKeys: Pick<DataKeyRepository, 'countNotWrappedBy' | 'listNotWrappedBy' | 'replace'>;
  readonly keys: KeyWrapping;
  readonly onProgress?: ((progress: RotationProgress) => void) | undefined;
  /** Data keys that are listed, and re-wrapped at once; default 100. */
  readonly pageSize?: number | undefined;
}

const PAGE_SIZE = 100;
/**
 * Rounds that still find something new to do. The second one takes what came in during the first; more mean that
 * somebody else keeps wrapping with another key.
 */
const ROUNDS = 5;

/**
 * Re-wraps by the newest key every data key that another one wrapped, until none is left. What is sealed with the data
 * keys is not touched. It is safe beside servers that read and write, and beside another rotation; broken off, it
 * goes on where it was when it is called again.
 * @returns how many this call re-wrapped
 * @throws SealingError `ROTATION_INCOMPLETE`, with everything else re-wrapped, where data keys cannot be unwrapped, or
 *   somebody whose newest key is another one goes on wrapping; the first fault is its cause. What the repository throws.
 */
export async function rotateDataKeys(options: RotationOptions): Promise<{ readonly rewrapped: number }> {
  const { dataKeys, keys, onProgress } = options;
  const total = await dataKeys.countNotWrappedBy(keys.newest);
  let done = 0;
  let rewrapped = 0;
  const tell = () => onProgress?.({ done, total: Math.max(total, done) });
  tell();

  for (let round = 1; round <= ROUNDS; round += 1) {
    const faults: SealingError[] = [];
    const before = done;
    for await (const page of pagesOf(options)) {
      for (const result of await Promise.all(page.map((entry) => rewrap(entry, options)))) {
        if (result.outcome === 'failed') faults.push(result.fault);
        // Where somebody else was faster it is done as well.
        else done += 1;
        if (result.outcome === 'replaced') rewrapped += 1;
      }
      tell();
    }
    if (done > before) continue;
    if (faults.length === 0) return { rewrapped };
    const [first] = faults;
    const many = faults.length === 1 ? '1 data key' : `${faults.length} data keys`;
    throw incomplete(`${many} cannot be unwrapped. ${first?.message}`, first);
  }
  throw incomplete('servers or another rotation keep wrapping with another key: give all of them one SECRET_KEYS');
}

/** From the first one that is left to the last. */
async function* pagesOf({
  dataKeys,
  keys,
  pageSize = PAGE_SIZE,
}: RotationOptions): AsyncGenerator<readonly DataKeyEntry[], void, undefined> {
  let after: string | null = null;
  for (;;) {
    const page: readonly DataKeyEntry[] = await dataKeys.listNotWrappedBy(keys.newest, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.verificationId;
  }
}

type Rewrapping =
  | { readonly outcome: 'replaced' | 'conflict' }
  | { readonly outcome: 'failed'; readonly fault: SealingError };

async function rewrap(entry: DataKeyEntry, { dataKeys, keys }: RotationOptions): Promise<Rewrapping> {
  const { clientId, verificationId, dataKey: expected } = entry;
  const context = { clientId, verificationId };
  try {
    const next = await keys.wrap(await keys.unwrap(expected, context), context);
    return await dataKeys.replace({ ...context, expected, next });
  } catch (fault) {
    // One that is broken must not keep the others from it; anything else, such as an outage, ends the rotation.
    if (fault instanceof SealingError) return { outcome: 'failed', fault };
    throw fault;
  }
}

function incomplete(why: string, cause?: SealingError): SealingError {
  return new SealingError('ROTATION_INCOMPLETE', `The rotation is not complete: ${why}`, cause && { cause });
}
