// Reads a row with each corrupt column on a real Postgres.
import { isUnreadable } from '@countersign/domain/storage';
import { auditEntry } from '@countersign/test-support/records/audit-entry';
import { BROWSE, LIST, QUEUE } from '@countersign/test-support/records/queries';
import { describeWith, givenPostgres } from '@countersign/test-support/servers';
import { expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../test-support/raw.ts';
import { aCreateRequest, aKey, CLIENT, verificationId } from '../test-support/records.ts';
import { createPostgresStorage } from './postgres-storage.ts';

describeWith(['postgres'], 'on a real Postgres', () => {
  const server = givenPostgres();

  it.each([
    [
      'verifications',
      `metadata = '["Ada"]'`,
      `The stored verification ${verificationId(1)} is corrupt: metadata is not a JSON object`,
    ],
    ['verifications', `answers = '"Ada"'`, 'answers is not a JSON object'],
    ['verifications', `requested_at = 'infinity'`, 'requested_at is not a date'],
    ['verifications', `type = 'Ada'`, 'unknown type'],
    ['verification_events', `actor_kind = 'Ada'`, 'is corrupt: unknown actor_kind'],
    ['verification_events', `at = '-infinity'`, 'at is not a date'],
  ])('a row of %s with %s is a fault that names it and quotes nothing', async (table, assignment, message) => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    await storage.verifications.createCharged(aCreateRequest(1));
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe('alter table verifications drop constraint verifications_known_type');
    // The counts refuse such values, too.
    await raw.unsafe('alter table verifications disable trigger user');
    await raw.unsafe(`update ${table} set ${assignment}`);

    const found = storage.verifications.findWithHistory(CLIENT.id, verificationId(1));

    await expect(found).rejects.toThrow(message);
    await expect(found).rejects.not.toThrow('Ada');
  });

  it.each([
    ['audit_entries', `action = 'Ada'`, 'The stored audit entry 1 is corrupt: unknown action'],
    ['audit_entries', `detail = '["Ada"]'`, 'detail is not a JSON object'],
    ['audit_entries', `at = 'infinity'`, 'at is not a date'],
    ['api_keys', `permissions = '["Ada"]'`, 'is corrupt: unknown permissions'],
    ['verifications', `sandbox_outcome = 'Ada'`, 'is corrupt: unknown sandbox_outcome'],
  ])(
    'a row of %s with %s is refused with the name of the column, not its value',
    async (table, assignment, message) => {
      const url = await server.createDatabase();
      const storage = await createPostgresStorage({ url });
      onTestFinished(() => storage.close());
      await storage.clients.create({
        client: { ...CLIENT, testOf: '00000000-0000-7000-8000-00000000000f' },
        subscription: null,
      });
      const { record, ...rest } = aCreateRequest(1);
      await storage.verifications.createCharged({ ...rest, record: { ...record, sandboxOutcome: 'approved' } });
      await storage.apiKeys.issue(aKey(1));
      await storage.audit.append(auditEntry(1));
      const raw = rawConnection(onTestFinished, url);
      await raw.unsafe('alter table verifications drop constraint verifications_known_sandbox_outcome');
      await raw.unsafe('alter table audit_entries disable trigger audit_entries_append_only');
      await raw.unsafe(`update ${table} set ${assignment}`);

      const read = async () => [
        await storage.audit.read(0, 10),
        await storage.apiKeys.list(CLIENT.id),
        await storage.verifications.dueInSandbox(10),
      ];

      await expect(read()).rejects.toThrow(message);
      await expect(read()).rejects.not.toThrow('Ada');
    },
  );

  it.each([`answers = '"Ada"'`, `review_data = '[]'`, `metadata = '[]'`])(
    'a verification with %s keeps its place in every list, and reading its documents throws',
    async (assignment) => {
      const url = await server.createDatabase();
      const { verifications, clients, close } = await createPostgresStorage({ url });
      onTestFinished(close);
      await clients.create({ client: CLIENT, subscription: null });
      for (const n of [1, 2, 3]) await verifications.createCharged(aCreateRequest(n));
      const raw = rawConnection(onTestFinished, url);
      await raw.unsafe(`update verifications set ${assignment} where id = '${verificationId(2)}'`);

      const list = await verifications.list(CLIENT.id, LIST);
      const browsed = await verifications.browse(CLIENT.id, BROWSE);
      const queue = await verifications.queue(QUEUE);

      expect(await verifications.clientOf(verificationId(2))).toBe(CLIENT.id);
      const all = [1, 2, 3].map(verificationId);
      for (const { records, totalCount } of [list, browsed, queue]) {
        expect([records.map(({ id }) => id).toSorted(), totalCount]).toEqual([all, 3]);
      }
      const damaged = list.records.filter(isUnreadable);
      expect(damaged.map(({ id }) => id)).toEqual([verificationId(2)]);
      expect(damaged[0]).toMatchObject({ status: 'pending', version: 1 });
      expect(() => damaged[0]?.answers).toThrow(`The stored verification ${verificationId(2)} is corrupt`);
      expect(() => damaged[0]?.reviewData).toThrow(/^(?!.*Ada)/);
    },
  );

  it('the error of a refused row does not quote the row', async () => {
    const storage = await createPostgresStorage({ url: await server.createDatabase() });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    const { record, ...rest } = aCreateRequest(1);
    const bad = { ...record, subjectReference: 'Ada', resolvedAt: record.requestedAt };

    const error: unknown = await storage.verifications
      .createCharged({ record: bad, ...rest })
      .catch((reason) => reason);

    expect(error).toMatchObject({ code: '23514', constraint: 'verifications_resolved_when_decided' });
    const printed = JSON.stringify(error, Object.getOwnPropertyNames(error));
    expect(printed).not.toContain('Ada');
  });
});
