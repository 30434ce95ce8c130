// Adds clients and audit entries to a SQLite database, with those of the command line as the pattern.
import { createDriver } from '../reference-sqlite/driver.mjs';

/**
 * @param {string} file of a server that does not run
 * @param {{ clients: number, auditEntries: number }} wanted
 */
export function fillStaffPages(file, { clients, auditEntries }) {
  const db = createDriver(file);
  // The maker needs no durability.
  db.pragma('journal_mode = memory');
  db.pragma('synchronous = off');
  try {
    db.prepare('begin').run();
    db.prepare(CLIENTS).run({ most: clients });
    const { sequence } = db.prepare('select max(sequence) as sequence from audit_entries').get();
    const first = copyOf(db, 'audit_entries', {
      sequence: '@sequence',
      client_id: '@clientId',
      previous_hash: 'hash',
      hash: "printf('%064x', @sequence)",
    });
    const append = db.prepare(`${first} where sequence = @sequence - 1`);
    /** @type {readonly string[]} */
    const ids = JSON.parse(db.prepare('select json_group_array(id) as ids from clients').get().ids);
    for (let added = 1; added <= auditEntries; added += 1) {
      append.run({ sequence: sequence + added, clientId: ids[added % ids.length] });
    }
    db.prepare('commit').run();
  } finally {
    db.pragma('journal_mode = wal');
    db.close();
  }
}

const CLIENTS = `
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < @most)
  insert into clients (id, name, name_key, created_at, sandbox)
  select printf('%08x-0000-7000-8000-%012x', n, n), 'Client ' || n, 'client ' || n,
    (select min(created_at) from clients) + n, 0
  from numbers`;

/**
 * Returns an INSERT that copies rows, with other values in some columns.
 * @param {ReturnType<typeof createDriver>} db
 * @param {string} table
 * @param {Readonly<Record<string, string>>} values SQL by column
 */
function copyOf(db, table, values) {
  const names = Object.keys(db.prepare(`select * from ${table} limit 1`).get());
  const selected = names.map((name) => values[name] ?? name);
  return `insert into ${table} (${names.join(', ')}) select ${selected.join(', ')} from ${table}`;
}
