import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { anAuditEntry } from '../../test-support/records.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';

const LINES = [1, 2, 3].map((n) => anAuditEntry(n));

async function givenLog() {
  const file = await givenDatabase(onTestFinished);
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());
  for (const line of LINES) expect(await storage.audit.append(line)).toEqual({ outcome: 'appended' });
  return { audit: storage.audit, connection: rawConnection(onTestFinished, file) };
}

const COLUMNS =
  'sequence, at, actor_kind, actor_id, from_address, action, outcome, client_id, target_id, detail, previous_hash, hash';
const hash = (n: number): string => n.toString(16).padStart(64, '0');
const likeTheFirst = (sequence: string, previous: string, own: string): string =>
  `INTO audit_entries (${COLUMNS}) SELECT ${sequence}, at, actor_kind, actor_id, from_address, action, outcome, client_id,
    target_id, detail, '${previous}', '${own}' FROM audit_entries WHERE sequence = 1`;

it.each([
  ['changes a line', "UPDATE audit_entries SET outcome = 'refused' WHERE sequence = 2", 'no line is changed'],
  ['changes a line by another name', 'UPDATE OR REPLACE audit_entries SET rowid = 9', 'no line is changed'],
  ['removes a line', 'DELETE FROM audit_entries WHERE sequence = 3', 'no line is removed'],
  ['removes all lines', 'DELETE FROM audit_entries', 'no line is removed'],
  ['replaces a line', `REPLACE ${likeTheFirst('3', hash(2), hash(9))}`, 'follows the last one'],
  ['replaces a line by its hash', `REPLACE ${likeTheFirst('4', hash(3), hash(2))}`, 'no two lines have one hash'],
  ['leaves a gap', `INSERT ${likeTheFirst('5', hash(3), hash(5))}`, 'follows the last one'],
  ['forks the chain', `INSERT ${likeTheFirst('4', hash(2), hash(4))}`, 'follows the last one'],
  ['gives no number', `INSERT ${likeTheFirst('NULL', hash(3), hash(4))}`, 'follows the last one'],
])('a statement past the adapter that %s is refused', async (_, statement, message) => {
  const { audit, connection } = await givenLog();

  expect(() => connection.exec(statement)).toThrow(message);

  expect(await audit.read(0, 10)).toEqual(LINES);
  expect(await audit.append(anAuditEntry(4))).toEqual({ outcome: 'appended' });
});

it('of lines with one number, in one commit and from two storages on one file, one is appended', async () => {
  const file = await givenDatabase(onTestFinished);
  const storages = await Promise.all([createSqliteStorage({ file }), createSqliteStorage({ file })]);
  onTestFinished(async () => void (await Promise.all(storages.map((storage) => storage.close()))));
  const rivals = Array.from({ length: 20 }, (_, n) => anAuditEntry(1, { hash: hash(100 + n) }));

  const outcomes = await Promise.all(
    rivals.map((line, n) => (n % 2 === 0 ? storages[0] : storages[1])?.audit.append(line)),
  );

  const head = await storages[0]?.audit.head();
  expect(head?.sequence).toBe(1);
  expect(outcomes.filter((one) => one?.outcome === 'appended')).toHaveLength(1);
  expect(outcomes.filter((one) => one?.outcome === 'not_next')).toEqual(
    Array.from({ length: 19 }, () => ({ outcome: 'not_next', head })),
  );
});

it('a hash that is in the log already is a fault, and no outcome', async () => {
  const { audit } = await givenLog();

  await expect(audit.append(anAuditEntry(4, { hash: hash(2) }))).rejects.toThrow('no two lines have one hash');

  expect(await audit.head()).toEqual({ sequence: 3, hash: hash(3) });
});
