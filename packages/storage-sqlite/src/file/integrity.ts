import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Connection } from '../connection/connection.ts';
import { isDamage } from '../connection/sqlite-codes.ts';
import type { Checked } from './reports.ts';

/** Runs SQLite's check of the whole file, its indexes, constraints and references. */
export function integrityOf(connection: Connection): Checked {
  return check(function* () {
    yield* connection.prepare<[], string>('PRAGMA integrity_check').pluck().iterate();
    for (const { table, rowid, parent } of connection
      .prepare<[], BrokenReference>('PRAGMA foreign_key_check')
      .all()) {
      yield `row ${rowid} of ${table} refers to a row of ${parent} that is missing`;
    }
  });
}

interface BrokenReference {
  readonly table: string;
  readonly rowid: number;
  readonly parent: string;
}

/** Runs SQLite's quick check, which blocks for about a second per gigabyte. */
export function quickCheck(connection: Connection): Checked {
  return check(() => connection.prepare<[], string>('PRAGMA quick_check').pluck().iterate());
}

/** Keeps the findings from before damage aborts the check. */
function check(run: () => Iterable<string>): Checked {
  const found: string[] = [];
  try {
    for (const text of run()) found.push(text);
  } catch (error) {
    if (!isDamage(error)) throw error;
    found.push((error as Error).message);
  }
  return checkedFrom(found);
}

/** The program of the thread, in CommonJS and as text: a file of its own would need a place in every build. */
const CHECK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const Database = require(workerData.driver);
  const connection = new Database(workerData.file, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    parentPort.postMessage(connection.prepare('PRAGMA quick_check').pluck().all());
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error;
    parentPort.postMessage([error.message]);
  } finally {
    connection.close();
  }`;

/**
 * Runs the quick check in a thread of its own, while the database is used.
 * @param options.endsWithProcess whether a process that has nothing else to do ends without the result
 */
export function quickCheckApart(
  file: string,
  { endsWithProcess }: { readonly endsWithProcess: boolean },
): Promise<Checked> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const worker = new Worker(CHECK, { eval: true, execArgv: [], workerData: { driver, file } });
  if (endsWithProcess) worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', (lines: string[]) => resolve(checkedFrom(lines)));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The check of the database ended without a result')));
  });
}

/** SQLite's result for a sound database. */
const SOUND = 'ok';

/** Splits SQLite's findings about one database, which are one text below a heading. */
export function checkedFrom(texts: readonly string[]): Checked {
  const lines = texts.flatMap((text) => text.split('\n'));
  const damage = lines.filter((line) => line !== SOUND && !line.startsWith('***'));
  return damage.length === 0 ? 'ok' : damage;
}
