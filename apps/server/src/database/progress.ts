/** Progress of a backup or of a restore. */
export interface BackupProgress {
  /** What is done now, for the operator: `copying the database`. */
  readonly doing: string;
  readonly done: number;
  readonly total: number;
}

export type OnProgress = (progress: BackupProgress) => void;

/** Runs work on items, several at once, and yields the results in the order of the items. */
export async function* inBatches<T, R>(
  items: AsyncIterable<T>,
  size: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<readonly R[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield await Promise.all(batch.map(work));
    batch = [];
  }
  if (batch.length > 0) yield await Promise.all(batch.map(work));
}
