import type { DataKeyEntry, DataKeyRepository } from '@countersign/domain';
import type { KeyWrapping } from './key-wrapping.ts';
import { SealingError } from './sealing-error.ts';

/** Progress: data keys done, of those known to need re-wrapping. */
export interface RotationProgress {
  readonly done: number;
  readonly total: number;
}

export interface RotationOptions {
  readonly dataKeys: Pick<DataKeyRepository, 'countNotWrappedBy' | 'listNotWrappedBy' | 'replace'>;
  readonly keys: KeyWrapping;
  readonly onProgress?: ((progress: RotationProgress) => void) | undefined;
  /** Number of data keys that are listed and re-wrapped at once. Default: 100. */
  readonly pageSize?: number | undefined;
}

const PAGE_SIZE = 100;
/**
 * Maximum number of rounds that find new data keys. The second round handles keys written during the first; more rounds
 * mean that another server keeps wrapping with another key.
 */
const ROUNDS = 5;

/**
 * Re-wraps every data key that an older key wrapped with the newest key. Values sealed with the data keys stay
 * unchanged. Safe to run beside servers and beside another rotation. After an interruption, the next call continues
 * where it stopped.
 * @returns the number of data keys that this call re-wrapped
 * @throws SealingError `ROTATION_INCOMPLETE` if data keys cannot be unwrapped, or if a server keeps wrapping with
 * another key; all other data keys are re-wrapped, and the first fault is the cause. Also throws the errors of the
 * repository.
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
        // If another process was faster, the key is re-wrapped too.
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

/** Goes through the remaining data keys, from first to last. */
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
    // A damaged key must not stop the others. Any other error, such as an outage, ends the rotation.
    if (fault instanceof SealingError) return { outcome: 'failed', fault };
    throw fault;
  }
}

function incomplete(why: string, cause?: SealingError): SealingError {
  return new SealingError('ROTATION_INCOMPLETE', `The rotation is not complete: ${why}`, cause && { cause });
}
