import { parentPort, workerData } from 'node:worker_threads';
import { connect, limitCache } from '../connection/connection.ts';
import { sqliteCode } from '../connection/sqlite-codes.ts';
import type { LongReads } from '../repositories/long-read-kinds.ts';
import { createLongReads } from '../repositories/long-reads.ts';

// The program of the thread that reads: answers each question with rows, in their order.

export interface Question {
  readonly kind: keyof LongReads;
  readonly given: readonly unknown[];
}

/** SQLite's error, which a thread cannot send as an object of its class. */
export interface Fault {
  readonly message: string;
  /** Empty if the error is not SQLite's. */
  readonly code: string;
}

export type Answer = { readonly value: unknown } | { readonly fault: Fault };

const { file } = workerData as { readonly file: string };
const connection = connect(file, { readonly: true, fileMustExist: true });
limitCache(connection);
const reads = createLongReads(connection);

function answerTo({ kind, given }: Question): Answer {
  const read = reads[kind] as (...values: readonly unknown[]) => unknown;
  try {
    return { value: read(...given) };
  } catch (error) {
    return { fault: { message: (error as Error).message, code: sqliteCode(error) } };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answerTo(question)));
