import { CountersignError } from './errors.ts';

/** The parts that a storage may lack, each as a whole, and what each is for. Their ports are `StorageParts`. */
export const STORAGE_PARTS = {
  webhooks: 'webhooks',
  retention: 'retention and erasure',
  exports: 'copies of data for people',
  handOvers: 'hand-over codes',
  readings: 'readings of pictures',
  indexes: 'blind indexes',
  mails: 'mails',
  appearances: 'appearances of clients',
  counters: 'corrections of counts',
} as const;

/** The name of a part: `webhooks`. */
export type StoragePart = keyof typeof STORAGE_PARTS;

/** Makes the error of a call that needs a part which the storage lacks. */
export function notAvailable(part: StoragePart): CountersignError {
  const message = `The storage has no ${STORAGE_PARTS[part]}. Use a storage that has the part \`${part}\`.`;
  return new CountersignError('NOT_AVAILABLE', message);
}
