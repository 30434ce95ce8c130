// The databases in which repeated answers are measured, and what they take on the disk.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { built } from './core.mjs';
import { startPostgres } from './postgres-server.mjs';
import { createPool } from './reference-postgres/driver.mjs';
import { workFolder } from './work-folder.mjs';

/**
 * A database to measure.
 * @typedef {object} MeasuredDatabase
 * @property {() => Promise<any>} open opens its storage
 * @property {() => Promise<Map<string, number>>} sizes bytes by the name of a file or of a table and its indexes
 * @property {() => Promise<void>} stop
 */

/** Closing the last connection merges the write-ahead log into the file. @returns {Promise<MeasuredDatabase>} */
export async function sqliteToMeasure() {
  const file = join(workFolder(), 'repeated-answers.db');
  const { createSqliteStorage } = await built('storage-sqlite');
  return {
    open: () => createSqliteStorage({ file }),
    sizes: async () => new Map([['file', statSync(file).size]]),
    stop: async () => undefined,
  };
}

/** The log is left out: PostgreSQL limits it and uses it again. @returns {Promise<MeasuredDatabase>} */
export async function postgresToMeasure() {
  const server = await startPostgres();
  const { url } = await server.createDatabase();
  const { createPostgresStorage } = await built('storage-postgres');
  return {
    open: () => createPostgresStorage({ url }),
    async sizes() {
      const db = createPool(url, 1);
      try {
        const rows = await db.unsafe(SIZES, [], { prepare: false });
        return new Map(rows.map((/** @type {any} */ { name, bytes }) => [name, Number(bytes)]));
      } finally {
        await db.end();
      }
    },
    stop: server.stop,
  };
}

const SIZES = `
  select coalesce(c.relname, 'system tables') as name, sum(pg_relation_size(r.oid)) as bytes
  from pg_class r
    left join pg_index i on i.indexrelid = r.oid
    left join pg_class c on c.oid = coalesce(i.indexrelid, r.oid) and c.relnamespace = 'public'::regnamespace
  where r.relkind in ('r', 'i', 't')
  group by 1`;
