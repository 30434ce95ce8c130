import { createDriver } from './reference-sqlite/driver.mjs';

/**
 * What a creation has left in the database, apart from ids and moments.
 * @param {{ databaseFile: string }} program
 * @param {string} subjectReference
 */
export function rowsOfCreation({ databaseFile }, subjectReference) {
  const db = createDriver(databaseFile, { readonly: true });
  try {
    const verification = db
      .prepare('SELECT * FROM verifications WHERE subject_reference = ?')
      .get(subjectReference);
    const event = db.prepare('SELECT * FROM verification_events WHERE verification_id = ?').get(verification.id);
    const usage = db.prepare('SELECT * FROM usage WHERE client_id = ?').get(verification.client_id);
    const lifetime = verification.link_expires_at - verification.requested_at;
    const moments = {
      requested_at: 0,
      link_expires_at: lifetime,
      at: 0,
      available_at: event.available_at - event.at,
    };
    return [verification, event, usage].map((row) => masked(row, { ...moments, id: '', verification_id: '' }));
  } finally {
    db.close();
  }
}

/** @param {Record<string, unknown>} row @param {Record<string, unknown>} values */
function masked(row, values) {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, values[name] ?? value]));
}
