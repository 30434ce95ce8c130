import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { checkedFrom } from './integrity.ts';
import type { CheckedTables } from './reports.ts';

/** The thread works for at most one tenth of the time, and rests after each table. */
const SHARE = 10;

/**
 * The program of the thread, in CommonJS and as text: a file of its own would need a place in every build. Each check is a read of its own,
 * so that the write-ahead log can be emptied between two tables.
 */
const CHECK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { setTimeout: pause } = require('node:timers/promises');
  const { driver, file, share } = workerData;
  const Database = require(driver);
  const connection = new Database(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  const quote = (name) => '"' + name.replaceAll('"', '""') + '"';
  const all = (sql) => connection.prepare(sql).pluck().all();

  const isDamage = (error) => /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);

  /** SQLite throws at a page that it cannot read. */
  function checkOf(table) {
    try {
      return all('PRAGMA quick_check(' + quote(table) + ')');
    } catch (error) {
      if (!isDamage(error)) throw error;
      return [table + ': ' + error.message];
    }
  }

  async function check() {
    connection.pragma('cache_size = -4000');
    const start = all("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name");
    for (const table of ['sqlite_schema', ...start]) {
      const startedAt = performance.now();
      const lines = checkOf(table);
      if (lines.some((line) => line !== 'ok')) return { lines, tables: start.length };
      await pause((performance.now() - startedAt) * (share - 1));
    }
    return { lines: ['ok'], tables: start.length };
  }

  check()
    .catch((error) => {
      if (!isDamage(error)) throw error;
      return { lines: [error.message], tables: 0 };
    })
    .then((found) => parentPort.postMessage(found))
    .finally(() => connection.close());`;

interface Found {
  /** SQLite's findings about the first damaged table, or `ok`. */
  readonly lines: readonly string[];
  readonly tables: number;
}

/**
 * Checks the structure of a database table by table, each with its indexes, in a thread of its own, and stops at the first damage. It does not
 * keep the process running. The list of free pages is not checked. The connection of the thread is closed when this resolves: only the last
 * connection to a database removes its write-ahead log.
 * @param signal ends the check early, with the outcome `stopped`, once SQLite has checked the present table: about a second per gigabyte
 */
export function checkTables(file: string, signal: AbortSignal): Promise<CheckedTables> {
  if (signal.aborted) return Promise.resolve({ outcome: 'stopped' });
  const driver = createRequire(import.meta.url).resolve('better-sqlite3');
  const worker = new Worker(CHECK, { eval: true, execArgv: [], workerData: { driver, file, share: SHARE } });
  worker.unref();
  return new Promise((resolve, reject) => {
    let result: CheckedTables | undefined;
    function stop(): void {
      result ??= { outcome: 'stopped' };
      void worker.terminate();
    }
    signal.addEventListener('abort', stop, { once: true });
    worker.once('message', ({ lines, tables }: Found) => {
      const found = checkedFrom(lines);
      result ??= found === 'ok' ? { outcome: 'sound', tables } : { outcome: 'damaged', found };
    });
    worker.once('error', reject);
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop);
      if (result === undefined) reject(new Error('The check of the tables ended without a result'));
      else resolve(result);
    });
  });
}
