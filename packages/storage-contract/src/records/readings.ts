import type { ReadingRecord, Storage } from '@countersign/domain/storage';
import { expect } from 'vitest';
import { clientId, exportId, minute, verificationId } from './ids.ts';

/** The reading of the `file`th file of the `n`th verification. */
export function aReading(n: number, file: number = n, given: Partial<ReadingRecord> = {}): ReadingRecord {
  return {
    clientId: clientId(1),
    verificationId: verificationId(n),
    fileId: exportId(file),
    readerVersion: `1.${file}`,
    readAt: minute(100, file),
    data: { outcome: 'read', fields: { lastName: { value: "Ł'a \u{1F600}", sure: false } }, nothing: null },
    ...given,
  };
}

/** Stores a reading of a verification at version 1. */
export async function givenReading(storage: Storage, n: number, file: number = n): Promise<ReadingRecord> {
  const reading = aReading(n, file);
  expect(await storage.readings.save(reading, 1), 'set-up of the case: readings.save').toBe(true);
  return reading;
}
