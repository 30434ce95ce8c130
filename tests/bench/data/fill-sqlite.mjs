// Fills a SQLite database, with one verification of the API as the pattern of all columns that are not made.

import { createDriver } from '../reference-sqlite/driver.mjs';
import { makeRows } from './rows.mjs';

/** Rows of a commit. */
const BATCH = 20_000;

/**
 * @param {string} file of a server that does not run
 * @param {import('./rows.mjs').Wanted} wanted
 * @param {Parameters<typeof makeRows>[1]} given
 */
export async function fillSqlite(file, wanted, given) {
  const db = createDriver(file);
  // The maker needs no durability, and all indexes in memory.
  db.pragma('journal_mode = memory');
  db.pragma('synchronous = off');
  db.pragma('cache_size = -1000000');
  try {
    const pattern = db.prepare('select * from verifications limit 1').get();
    const event = db
      .prepare('select * from verification_events where verification_id = ? and version = 1')
      .get(pattern.id);
    const columns = Object.keys(pattern);
    const eventColumns = Object.keys(event);
    const insert = db.prepare(inserting('verifications', columns));
    const append = db.prepare(inserting('verification_events', eventColumns));
    let waiting = 0;
    db.prepare('begin').run();
    for await (const row of makeRows(wanted, given)) {
      const { client_id, id, type, requested_at: at } = row;
      insert.run({ ...pattern, ...row });
      append.run({
        ...event,
        client_id,
        verification_id: id,
        at,
        available_at: at,
        data: JSON.stringify({ type }),
      });
      waiting += 1;
      if (waiting % BATCH === 0) {
        db.prepare('commit').run();
        db.prepare('begin').run();
      }
    }
    db.prepare(USAGE).run();
    db.prepare('commit').run();
  } finally {
    db.pragma('journal_mode = wal');
    db.close();
  }
}

/** @param {string} table @param {readonly string[]} columns */
function inserting(table, columns) {
  return `insert into ${table} (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})`;
}

/** Charges every made verification to its month. */
const USAGE = `
  insert into usage (client_id, month, used, allowance)
  select v.client_id, strftime('%Y-%m', v.requested_at / 1000, 'unixepoch'), count(*), 2000000000
  from verifications v group by 1, 2
  on conflict (client_id, month) do update set used = excluded.used, allowance = excluded.allowance`;
