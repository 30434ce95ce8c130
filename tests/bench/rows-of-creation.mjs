import { createPool } from './reference-postgres/driver.mjs';
import { createDriver } from './reference-sqlite/driver.mjs';

/** @typedef {Record<string, any>} Row */

/**
 * Reads the rows of a creation, with ids and times masked.
 * @param {string} file
 * @param {string} subjectReference
 */
export function rowsInSqlite(file, subjectReference) {
  const db = createDriver(file, { readonly: true });
  try {
    const verification = db
      .prepare('SELECT * FROM verifications WHERE subject_reference = ?')
      .get(subjectReference);
    const event = db.prepare('SELECT * FROM verification_events WHERE verification_id = ?').get(verification.id);
    const usage = db.prepare('SELECT * FROM usage WHERE client_id = ?').get(verification.client_id);
    return masked(verification, event, usage);
  } finally {
    db.close();
  }
}

/**
 * Reads the same rows from PostgreSQL.
 * @param {string} url
 * @param {string} subjectReference
 */
export async function rowsInPostgres(url, subjectReference) {
  const db = createPool(url, 1);
  /** @param {string} text @param {string} value @returns {Promise<Row>} */
  const row = async (text, value) => /** @type {Row} */ ((await db.unsafe(text, [value], { prepare: false }))[0]);
  try {
    const verification = await row('select * from verifications where subject_reference = $1', subjectReference);
    const event = await row('select * from verification_events where verification_id = $1', verification.id);
    const usage = await row('select * from usage where client_id = $1', verification.client_id);
    return masked(verification, event, usage);
  } finally {
    await db.end();
  }
}

/** @param {Row} verification @param {Row} event @param {Row} usage */
function masked(verification, event, usage) {
  const own = {
    requested_at: 0,
    link_expires_at: verification.link_expires_at - verification.requested_at,
    at: 0,
    available_at: event.available_at - event.at,
    id: '',
    verification_id: '',
  };
  return [verification, event, usage].map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        Object.hasOwn(own, name) ? own[/** @type {keyof typeof own} */ (name)] : value,
      ]),
    ),
  );
}
