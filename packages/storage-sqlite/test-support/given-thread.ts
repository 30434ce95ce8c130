import type { VerificationQuery } from '@countersign/domain/storage';
import { LIST } from '@countersign/test-support/records/queries';
import { onTestFinished } from 'vitest';
import { createReaderThread, type ReaderThread } from '../src/reader/reader-thread.ts';
import { givenDatabase } from './given-database.ts';

export const FIRST_PAGE: VerificationQuery = { ...LIST, limit: 10 };

/** Starts a reader of a database with two verifications, and stops it after the test. */
export async function givenThread(): Promise<{ file: string; thread: ReaderThread }> {
  const file = await givenDatabase(onTestFinished, { verifications: 2 });
  const thread = createReaderThread(file);
  onTestFinished(thread.close);
  return { file, thread };
}
