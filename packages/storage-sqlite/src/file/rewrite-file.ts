import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { errorAgain } from '../connection/sqlite-codes.ts';

/** The program of the thread, in CommonJS and as text: a file of its own would need a place in every build. */
const REWRITE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { driver, file, inMemory, waitMs } = workerData;
  const Database = require(driver);
  try {
    const connection = new Database(file, { fileMustExist: true, timeout: waitMs });
    try {
      connection.pragma('synchronous = FULL');
      connection.pragma('secure_delete = ON');
      if (inMemory) connection.pragma('temp_store = MEMORY');
      connection.exec('VACUUM');
      const [{ busy }] = connection.pragma('wal_checkpoint(TRUNCATE)');
      parentPort.postMessage({ outcome: busy === 0 ? 'cleared' : 'busy' });
    } finally {
      connection.close();
    }
  } catch ({ message, code = '' }) {
    parentPort.postMessage({ fault: { message, code: String(code) } });
  }`;

type Answer =
  | { readonly outcome: 'cleared' | 'busy' }
  | { readonly fault: { readonly message: string; readonly code: string } };

/** How long the thread waits for a lock, and for readers of the write-ahead log, in milliseconds. It blocks itself only. */
const WAIT_MS = 5_000;

/**
 * Writes the whole file again by VACUUM, in a thread of its own, and empties the write-ahead log. The connection of the thread is closed when
 * this resolves: only the last connection to a database removes its write-ahead log.
 * @param options.inMemory whether the temporary copy is kept in memory instead of a file
 * @returns `busy` if a reader kept the write-ahead log from being emptied
 */
export function rewriteFile(
  file: string,
  { inMemory }: { readonly inMemory: boolean },
): Promise<'cleared' | 'busy'> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const workerData = { driver, file, inMemory, waitMs: WAIT_MS };
  const worker = new Worker(REWRITE, { eval: true, execArgv: [], workerData });
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined;
    worker.once('message', (sent: Answer) => {
      answer = sent;
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      if (answer === undefined) reject(new Error('The thread that rewrites the database ended without a result'));
      else if ('fault' in answer) reject(errorAgain(answer.fault));
      else resolve(answer.outcome);
    });
  });
}
