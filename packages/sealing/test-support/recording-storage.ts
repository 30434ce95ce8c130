import type { Storage } from '@countersign/domain/storage';

type Operation = (...given: readonly unknown[]) => Promise<unknown>;

/** One call of a storage, with its arguments. */
export interface RecordedCall {
  /** `verifications.commit` */
  readonly operation: string;
  readonly given: readonly unknown[];
}

/** Wraps a storage and records every argument of its operations. */
export function recordingStorage(storage: Storage): { readonly storage: Storage; readonly calls: RecordedCall[] } {
  const calls: RecordedCall[] = [];

  function recording<P extends 'verifications' | 'dataKeys'>(port: P): Storage[P] {
    const operations = Object.entries(storage[port] as unknown as Record<string, Operation>);
    const wrapped = operations.map(([name, operation]) => [
      name,
      (...given: readonly unknown[]) => {
        calls.push({ operation: `${port}.${name}`, given: structuredClone(given) });
        return operation(...given);
      },
    ]);
    return Object.fromEntries(wrapped) as Storage[P];
  }

  return {
    storage: { ...storage, verifications: recording('verifications'), dataKeys: recording('dataKeys') },
    calls,
  };
}
