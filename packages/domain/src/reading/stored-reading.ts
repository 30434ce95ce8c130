import { z } from 'zod';
import type { EvidencePlace } from '../evidence/evidence-store.ts';
import type { JsonObject } from '../input/json.ts';
import { acceptReading, type DocumentReading } from './document-reading.ts';
import type { ReadingRecord } from './reading-repository.ts';

/** A reading of a file, as it is stored. */
export interface StoredReading extends EvidencePlace, DocumentReading {
  readonly readAt: Date;
  /** SHA-256 of the picture that was read. */
  readonly sha256: string;
  /** Whether the subject was offered what was read: the client's setting when it was read. */
  readonly isOffered: boolean;
  /** How often the reader tried the picture. */
  readonly attempts: number;
}

const dataSchema = z.looseObject({ sha256: z.string(), isOffered: z.boolean(), attempts: z.int() });

/** Makes the record that a storage keeps of a reading. */
export function toReadingRecord(reading: StoredReading): ReadingRecord {
  const { clientId, verificationId, fileId, readerVersion, readAt, ...data } = reading;
  return { clientId, verificationId, fileId, readerVersion, readAt, data: data as unknown as JsonObject };
}

/** Returns the reading of a record; null for one that no version of this program stored. */
export function fromReadingRecord({ data, ...columns }: ReadingRecord): StoredReading | null {
  const stored = dataSchema.safeParse(data).data;
  if (stored === undefined) return null;
  const { sha256, isOffered, attempts, ...rest } = stored;
  return { ...columns, ...acceptReading({ ...rest, ...columns }), sha256, isOffered, attempts };
}
