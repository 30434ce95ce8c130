import { INDEX_RULES_VERSION, type IndexKey, type Storage } from '@countersign/domain/storage';
import { type KeyWrapping, SealingError } from '@countersign/sealing';
import { type Findings, listed } from '../database/findings.ts';

/** What `doctor` finds in the blind indexes. */
export interface IndexFacts {
  /** Submitted verifications without labels, or with labels of an older key or version. */
  readonly behind: number;
  /** Index keys of clients that cannot be read. */
  readonly unreadableKeys: number;
}

/** No key has this name. */
const NO_KEY = '';
const PAGE = 200;

/** Counts verifications that are to be labelled, and opens every index key. Changes nothing. */
export async function examineIndexes(
  { indexes }: Pick<Storage, 'indexes'>,
  keys: KeyWrapping,
): Promise<Findings<IndexFacts>> {
  const behind = await indexes.countBehind({ rulesVersion: INDEX_RULES_VERSION });
  const unreadable: IndexKey[] = [];
  for (let after: IndexKey | null = null; ; ) {
    const page: readonly IndexKey[] = await indexes.listKeysNotWrappedBy(NO_KEY, after, PAGE);
    for (const key of page) if (!(await isReadable(key, keys))) unreadable.push(key);
    after = page.at(-1) ?? null;
    if (page.length < PAGE) break;
  }
  const advice = behind === 0 ? '' : ' (run countersign index rebuild)';
  return {
    facts: { behind, unreadableKeys: unreadable.length },
    lines: [`Blind indexes: verifications without current labels ${behind}${advice}`],
    problems: listed(
      unreadable,
      ({ clientId, version }) =>
        `Index key ${version} of client ${clientId} cannot be read: run countersign index rebuild --new-key --client ${clientId}`,
      'index keys',
    ),
  };
}

async function isReadable({ clientId, version, value, wrappedBy }: IndexKey, keys: KeyWrapping): Promise<boolean> {
  // `keys rotate` encrypts it.
  if (wrappedBy === null) return true;
  try {
    await keys.unwrap({ wrapped: value, wrappedBy }, { clientId, indexKeyVersion: version });
    return true;
  } catch (fault) {
    if (!(fault instanceof SealingError)) throw fault;
    return false;
  }
}
