import type { AuditEntry } from '@countersign/domain';
import { auditEntry } from '@countersign/test-support/records/audit-entry';
import { AUDIT } from '@countersign/test-support/records/queries';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../../test-support/given-database.ts';
import { createSession } from '../connection/session.ts';
import { createReaderThread } from '../reader/reader-thread.ts';
import { createSqliteStorage } from '../sqlite-storage.ts';
import { createAuditLog } from './audit-log.ts';

const ENTRIES = [1, 2, 3].map((n) => auditEntry(n));

async function givenLog() {
  const file = await givenDatabase(onTestFinished);
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());
  for (const entry of ENTRIES) expect(await storage.audit.append(entry)).toEqual({ outcome: 'appended' });
  return { audit: storage.audit, connection: rawConnection(onTestFinished, file) };
}

const COLUMNS =
  'sequence, at, actor_kind, actor_id, from_address, action, outcome, client_id, target_id, detail, previous_hash, hash';
const hash = (n: number): string => n.toString(16).padStart(64, '0');
const copyOfFirst = (sequence: string, previous: string, own: string): string =>
  `INTO audit_entries (${COLUMNS}) SELECT ${sequence}, at, actor_kind, actor_id, from_address, action, outcome, client_id,
    target_id, detail, '${previous}', '${own}' FROM audit_entries WHERE sequence = 1`;

it.each([
  [
    'changes an entry',
    "UPDATE audit_entries SET outcome = 'refused' WHERE sequence = 2",
    'entries cannot be changed',
  ],
  ['changes an entry by its rowid', 'UPDATE OR REPLACE audit_entries SET rowid = 9', 'entries cannot be changed'],
  ['deletes an entry', 'DELETE FROM audit_entries WHERE sequence = 3', 'entries cannot be deleted'],
  ['deletes all entries', 'DELETE FROM audit_entries', 'entries cannot be deleted'],
  ['replaces an entry', `REPLACE ${copyOfFirst('3', hash(2), hash(9))}`, 'must follow the last one'],
  [
    'replaces an entry by its hash',
    `REPLACE ${copyOfFirst('4', hash(3), hash(2))}`,
    'two entries cannot have the same hash',
  ],
  ['leaves a gap', `INSERT ${copyOfFirst('5', hash(3), hash(5))}`, 'must follow the last one'],
  ['forks the chain', `INSERT ${copyOfFirst('4', hash(2), hash(4))}`, 'must follow the last one'],
  ['has no sequence number', `INSERT ${copyOfFirst('NULL', hash(3), hash(4))}`, 'must follow the last one'],
])('a raw statement is refused if it %s', async (_, statement, message) => {
  const { audit, connection } = await givenLog();

  expect(() => connection.exec(statement)).toThrow(message);

  expect(await audit.read(0, 10)).toEqual(ENTRIES);
  expect(await audit.append(auditEntry(4))).toEqual({ outcome: 'appended' });
});

it('two storages on one file append one of several entries with the same sequence number', async () => {
  const file = await givenDatabase(onTestFinished);
  const storages = await Promise.all([createSqliteStorage({ file }), createSqliteStorage({ file })]);
  onTestFinished(async () => void (await Promise.all(storages.map((storage) => storage.close()))));
  const rivals = Array.from({ length: 20 }, (_, n) => auditEntry(1, { hash: hash(100 + n) }));

  const outcomes = await Promise.all(
    rivals.map((entry, n) => (n % 2 === 0 ? storages[0] : storages[1])?.audit.append(entry)),
  );

  const head = await storages[0]?.audit.head();
  expect(head?.sequence).toBe(1);
  expect(outcomes.filter((one) => one?.outcome === 'appended')).toHaveLength(1);
  expect(outcomes.filter((one) => one?.outcome === 'not_next')).toEqual(
    Array.from({ length: 19 }, () => ({ outcome: 'not_next', head })),
  );
});

it('append: throws if the log already has an entry with the same hash', async () => {
  const { audit } = await givenLog();

  await expect(audit.append(auditEntry(4, { hash: hash(2) }))).rejects.toThrow(
    'two entries cannot have the same hash',
  );

  expect(await audit.head()).toEqual({ sequence: 3, hash: hash(3) });
});

it('list: a page with several filters is read apart, and is the same there', async () => {
  const { audit, connection } = await givenLog();
  const reader = createReaderThread(connection.name);
  onTestFinished(reader.close);
  const kinds: string[] = [];
  const apart = createAuditLog(createSession(connection, { waitMs: 0 }), (kind, ...given) => {
    kinds.push(kind);
    return reader.run(kind, ...given);
  });
  const [entry] = ENTRIES as [AuditEntry];
  const query = { ...AUDIT, action: entry.action, outcome: entry.outcome, before: 3, limit: 10 };

  const found = await apart.list(query);

  expect(kinds).toEqual(['auditPage']);
  expect(found.length).toBeGreaterThan(0);
  expect(found).toEqual(await audit.list(query));
  await apart.list({ ...query, outcome: undefined });
  expect(kinds).toEqual(['auditPage']);
});
