// Fills a Postgres database, with one verification of the API as the pattern of all columns that are not made.
import { once } from 'node:events';
import { createPool } from '../reference-postgres/driver.mjs';
import { makeRows } from './rows.mjs';

/** Rows of a COPY. */
const BATCH = 20_000;
const MOMENTS = ['requested_at', 'submitted_at', 'resolved_at', 'link_expires_at'];

/**
 * @param {string} url of a server that does not run
 * @param {import('./rows.mjs').Wanted} wanted
 * @param {Parameters<typeof makeRows>[1]} given
 */
export async function fillPostgres(url, wanted, given) {
  const db = createPool(url, 1);
  const run = (/** @type {string} */ text) => db.unsafe(text, [], { prepare: false });
  try {
    // The maker needs no durability.
    await run('set synchronous_commit = off');
    const [[pattern = {}], [event = {}]] = [
      await run('select to_jsonb(v) as row from verifications v limit 1').then((rows) =>
        rows.map(({ row }) => row),
      ),
      await run('select to_jsonb(e) as row from verification_events e where version = 1 limit 1').then((rows) =>
        rows.map(({ row }) => row),
      ),
    ];
    /** @type {string[]} */
    let rows = [];
    /** @type {string[]} */
    let events = [];
    const flush = async () => {
      await copy(db, 'verifications', Object.keys(pattern), rows);
      await copy(db, 'verification_events', Object.keys(event), events);
      [rows, events] = [[], []];
    };
    for await (const row of makeRows(wanted, given)) {
      const { client_id, id, type, requested_at } = row;
      const at = moment(requested_at);
      rows.push(
        line({
          ...pattern,
          ...row,
          ...Object.fromEntries(MOMENTS.map((name) => [name, moment(row[/** @type {'requested_at'} */ (name)])])),
        }),
      );
      events.push(line({ ...event, client_id, verification_id: id, at, available_at: at, data: { type } }));
      if (rows.length === BATCH) await flush();
    }
    await flush();
    await run(USAGE);
    // As Postgres itself leaves the tables after a while.
    await run('vacuum (analyze)');
  } finally {
    await db.end();
  }
}

/** @param {number | null} milliseconds */
const moment = (milliseconds) => (milliseconds === null ? null : new Date(milliseconds).toISOString());

/** Writes a line of COPY's text format. @param {Record<string, any>} row */
function line(row) {
  return `${Object.values(row).map(cell).join('\t')}\n`;
}

/** @param {any} value */
function cell(value) {
  if (value === null) return '\\N';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.includes('\\') ? text.replaceAll('\\', '\\\\') : text;
}

/**
 * @param {import('../reference-postgres/driver.mjs').Pool} db
 * @param {string} table
 * @param {readonly string[]} columns
 * @param {readonly string[]} lines
 */
async function copy(db, table, columns, lines) {
  if (lines.length === 0) return;
  const stream = await db
    .unsafe(`copy ${table} (${columns.join(', ')}) from stdin`, [], { prepare: false })
    .writable();
  for (const text of lines) if (!stream.write(text)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}

/** Charges every made verification to its month. */
const USAGE = `
  insert into usage (client_id, month, used, allowance)
  select v.client_id, to_char(v.requested_at at time zone 'UTC', 'YYYY-MM'), count(*), 2000000000
  from verifications v group by 1, 2
  on conflict (client_id, month) do update set used = excluded.used, allowance = excluded.allowance`;
