import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../test-support/given-database.ts';

const COUNTED = `
  SELECT client_id, CAST(floor(requested_at / 86400000.0) AS INTEGER) AS day, type, sum(status = 'pending') AS pending,
    sum(status = 'submitted') AS submitted, sum(status = 'action_needed') AS action_needed,
    sum(status = 'approved') AS approved, sum(status = 'rejected') AS rejected
  FROM verifications GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;
const KEPT = `
  SELECT * FROM verification_counts WHERE pending <> 0 OR submitted <> 0 OR action_needed <> 0 OR approved <> 0 OR rejected <> 0
  ORDER BY client_id, day, type`;

it.each([
  ['a new status', "UPDATE verifications SET status = 'submitted' WHERE rowid > 3"],
  ['a decision', "UPDATE verifications SET status = 'approved', resolved_at = 1 WHERE rowid > 3"],
  ['another type', "UPDATE verifications SET type = 'kyb' WHERE rowid > 3"],
  ['another type and status', "UPDATE verifications SET type = 'kyb', status = 'submitted' WHERE rowid > 3"],
  ['other days', 'UPDATE verifications SET requested_at = requested_at + rowid * 86400000'],
  ['days before 1970', 'UPDATE verifications SET requested_at = -1 - (rowid % 2) * 86399999'],
  ['another client', "UPDATE verifications SET client_id = 'another' WHERE rowid > 3"],
  ['deletion', 'DELETE FROM verification_events; DELETE FROM verifications WHERE rowid > 3'],
  ['deletion of all', 'DELETE FROM verification_events; DELETE FROM verifications'],
])('counts stay true after a statement that an operator writes: %s', async (_, statement) => {
  const raw = rawConnection(onTestFinished, await givenDatabase(onTestFinished, { verifications: 7 }));
  raw.exec("INSERT INTO clients (id, name, created_at) VALUES ('another', '', 0)");
  expect(raw.prepare(KEPT).all()).toEqual([expect.objectContaining({ pending: 7, submitted: 0 })]);

  raw.exec(statement);

  expect(raw.prepare(KEPT).all()).toEqual(raw.prepare(COUNTED).all());
});
