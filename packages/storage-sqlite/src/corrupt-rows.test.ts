import { isUnreadable } from '@countersign/domain/storage';
import { auditEntry } from '@countersign/test-support/records/audit-entry';
import { AUDIT, BROWSE, LIST, QUEUE } from '@countersign/test-support/records/queries';
import { expect, it, onTestFinished } from 'vitest';
import { givenDatabase, rawConnection } from '../test-support/given-database.ts';
import { aCreateRequest, CLIENT } from '../test-support/records.ts';
import { createSqliteStorage } from './sqlite-storage.ts';

it.each([
  [
    'verifications',
    'metadata = \'{"name": "Ada\'',
    'The stored verification verification-1 is corrupt: metadata is not JSON',
  ],
  ['verifications', "answers = '[]'", 'answers is not a JSON object'],
  ['verifications', "requested_at = 'soon'", 'requested_at is not a date'],
  ['verifications', "type = 'other'", 'unknown type'],
  ['verifications', "sandbox_outcome = 'other'", 'unknown sandbox_outcome'],
  ['verification_events', "actor_kind = 'ghost'", 'The stored event event-1 is corrupt: unknown actor_kind'],
])(
  'a row of %s with %s throws a fault that names the row and quotes no value',
  async (table, assignment, message) => {
    const file = await givenDatabase(onTestFinished);
    const connection = rawConnection(onTestFinished, file);
    connection.pragma('ignore_check_constraints = ON');
    connection.exec(`UPDATE ${table} SET ${assignment}`);
    const storage = await createSqliteStorage({ file });

    const found = storage.verifications.findWithHistory(CLIENT.id, 'verification-1');

    await expect(found).rejects.toThrow(message);
    await expect(found).rejects.not.toThrow('Ada');
    await storage.close();
  },
);

it.each([
  ["answers = '[]'", {}],
  ["review_data = '{'", {}],
  ["metadata = '{'", { metadata: {} }],
])(
  'a verification with %s keeps its place in every list, and its documents throw',
  async (assignment, columns) => {
    const file = await givenDatabase(onTestFinished, { verifications: 3 });
    rawConnection(onTestFinished, file).exec(`UPDATE verifications SET ${assignment} WHERE id = 'verification-2'`);
    const { verifications, close } = await createSqliteStorage({ file });
    onTestFinished(close);

    const list = await verifications.list(CLIENT.id, LIST);
    const browsed = await verifications.browse(CLIENT.id, BROWSE);
    const queue = await verifications.queue(QUEUE);

    expect(await verifications.clientOf('verification-2')).toBe(CLIENT.id);
    for (const { records, totalCount } of [list, browsed, queue]) {
      expect([records.map(({ id }) => id).toSorted(), totalCount]).toEqual([ALL_THREE, 3]);
    }
    const [damaged, ...others] = list.records.filter(isUnreadable);
    expect(others).toEqual([]);
    const { answers: _, reviewData: __, ...clear } = aCreateRequest(2).record;
    expect(damaged).toMatchObject({
      id: clear.id,
      status: clear.status,
      subjectReference: clear.subjectReference,
    });
    expect(damaged).toMatchObject(columns);
    expect(() => damaged?.answers).toThrow('The stored verification verification-2 is corrupt');
    expect(() => damaged?.reviewData).toThrow('The stored verification verification-2 is corrupt');
  },
);

const ALL_THREE = [1, 2, 3].map((n) => `verification-${n}`);

it('a client with an invalid flag is a fault that names the client', async () => {
  const file = await givenDatabase(onTestFinished);
  const connection = rawConnection(onTestFinished, file);
  connection.pragma('ignore_check_constraints = ON');
  connection.exec('UPDATE clients SET file_access = 2');
  const storage = await createSqliteStorage({ file });
  onTestFinished(() => storage.close());

  await expect(storage.clients.find(CLIENT.id)).rejects.toThrow(
    'The stored client client-1 is corrupt: file_access is neither 0 nor 1',
  );
});

it.each([
  ["action = 'steal'", 'The stored audit entry 2 is corrupt: unknown action'],
  ["outcome = 'perhaps'", 'The stored audit entry 2 is corrupt: unknown outcome'],
  ["actor_kind = 'ghost'", 'unknown actor_kind'],
  ["at = 'soon'", 'at is not a date'],
  ['detail = \'{"name": "Ada\'', 'detail is not JSON'],
])(
  'every read of an audit entry with %s throws a fault that names the entry and quotes no value',
  async (assignment, message) => {
    const file = await givenDatabase(onTestFinished);
    const storage = await createSqliteStorage({ file });
    onTestFinished(() => storage.close());
    for (const n of [1, 2, 3]) await storage.audit.append(auditEntry(n, { clientId: CLIENT.id }));
    const connection = rawConnection(onTestFinished, file);
    connection.pragma('ignore_check_constraints = ON');
    connection.exec('DROP TRIGGER audit_entries_unchanged');
    connection.exec(`UPDATE audit_entries SET ${assignment} WHERE sequence = 2`);

    for (const found of [storage.audit.read(0, 10), storage.audit.list({ ...AUDIT, clientId: CLIENT.id })]) {
      await expect(found).rejects.toThrow(message);
      await expect(found).rejects.not.toThrow('Ada');
    }
    expect(await storage.audit.read(2, 10)).toEqual([auditEntry(3, { clientId: CLIENT.id })]);
  },
);
