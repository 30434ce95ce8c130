import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../testing/given-database.ts';
import { CLIENT } from '../testing/records.ts';
import { createSqliteStorage } from './sqlite-storage.ts';

it.each([
  [
    'verifications',
    'metadata = \'{"name": "Ada\'',
    'The stored verification verification-1 is corrupt: metadata is no JSON',
  ],
  ['verifications', "answers = '[]'", 'answers is no JSON object'],
  ['verifications', "requested_at = 'soon'", 'requested_at is no moment'],
  ['verifications', "type = 'other'", 'unknown type'],
  ['verification_events', "actor_kind = 'ghost'", 'The stored event event-1 is corrupt: unknown actor_kind'],
])('a row of %s with %s is a fault that names it and quotes nothing', async (table, assignment, message) => {
  const file = await givenDatabase(onTestFinished);
  const connection = rawConnection(onTestFinished, file);
  connection.pragma('ignore_check_constraints = ON');
  connection.exec(`UPDATE ${table} SET ${assignment}`);
  const storage = await createSqliteStorage({ file });

  const found = storage.verifications.findWithEvents(CLIENT.id, 'verification-1');

  await expect(found).rejects.toThrow(message);
  await expect(found).rejects.not.toThrow('Ada');
  await storage.close();
});
