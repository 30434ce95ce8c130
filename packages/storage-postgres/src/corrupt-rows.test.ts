import { describeWith, type PostgresServer, startPostgres } from '@countersign/real-servers';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { rawConnection } from '../testing/raw.ts';
import { anAdmission, CLIENT, verificationId } from '../testing/records.ts';
import { createPostgresStorage } from './postgres-storage.ts';

describeWith(['postgres'], 'on a real Postgres', () => {
  let server: PostgresServer;

  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
  });
  afterAll(() => server.stop());

  it.each([
    [
      'verifications',
      `metadata = '["Ada"]'`,
      `The stored verification ${verificationId(1)} is corrupt: metadata is no JSON object`,
    ],
    ['verifications', `answers = '"Ada"'`, 'answers is no JSON object'],
    ['verifications', `requested_at = 'infinity'`, 'requested_at is no moment'],
    ['verifications', `type = 'Ada'`, 'unknown type'],
    ['verification_events', `actor_kind = 'Ada'`, 'is corrupt: unknown actor_kind'],
    ['verification_events', `at = '-infinity'`, 'at is no moment'],
  ])('a row of %s with %s is a fault that names it and quotes nothing', async (table, assignment, message) => {
    const url = await server.createDatabase();
    const storage = await createPostgresStorage({ url });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    await storage.verifications.admit(anAdmission(1));
    const raw = rawConnection(onTestFinished, url);
    await raw.unsafe('alter table verifications drop constraint verifications_known_type');
    await raw.unsafe(`update ${table} set ${assignment}`);

    const found = storage.verifications.findWithEvents(CLIENT.id, verificationId(1));

    await expect(found).rejects.toThrow(message);
    await expect(found).rejects.not.toThrow('Ada');
  });

  it('what Postgres refuses is told without the row that it quotes', async () => {
    const storage = await createPostgresStorage({ url: await server.createDatabase() });
    onTestFinished(() => storage.close());
    await storage.clients.create({ client: CLIENT, subscription: null });
    const { record, ...rest } = anAdmission(1);
    const bad = { ...record, subjectReference: 'Ada', resolvedAt: record.requestedAt };

    const error: unknown = await storage.verifications.admit({ record: bad, ...rest }).catch((reason) => reason);

    expect(error).toMatchObject({ code: '23514', constraint: 'verifications_resolved_when_decided' });
    const told = JSON.stringify(error, Object.getOwnPropertyNames(error));
    expect(told).not.toContain('Ada');
  });
});
