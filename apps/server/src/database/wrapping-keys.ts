import type { DataKeyEntry, Storage } from '@countersign/domain/storage';

const PAGE = 1_000;

/** No key has this name, so `listNotWrappedBy` lists every data key. */
const NO_KEY = '';

/** Lists every data key. */
export async function* allDataKeys({ dataKeys }: Pick<Storage, 'dataKeys'>): AsyncGenerator<DataKeyEntry> {
  let after: string | null = null;
  for (;;) {
    const page: readonly DataKeyEntry[] = await dataKeys.listNotWrappedBy(NO_KEY, after, PAGE);
    yield* page;
    after = page.at(-1)?.verificationId ?? null;
    if (after === null) return;
  }
}

/** Returns the names of the keys that wrap data keys. */
export async function wrappingKeysOf(storage: Pick<Storage, 'dataKeys'>): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { dataKey } of allDataKeys(storage)) names.add(dataKey.wrappedBy);
  return names;
}
