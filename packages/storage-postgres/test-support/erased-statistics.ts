import type { PostgresServer } from '@countersign/test-support/servers';
import { expect, onTestFinished } from 'vitest';
import { createPostgresStorage, migratePostgres, type PostgresStorage } from '../src/postgres-storage.ts';
import { rawConnection } from './raw.ts';
import { aCreateRequest, CLIENT, keyHash } from './records.ts';

export const CANARY = 'canary-of-the-subject';

export const NOTHING = { replaced: [], kept: [] };
/** The tables that have rows. */
export const REPLACED = { replaced: ['verification_events', 'verifications'], kept: [] };

/** Creates a database whose statistics contain a value that was erased since. `before` is run first, on a migrated database. */
export async function givenErased(server: PostgresServer, { before = '' } = {}) {
  const url = await server.createDatabase();
  if (before !== '') {
    await migratePostgres({ url });
    await rawConnection(onTestFinished, url).unsafe(before);
  }
  const storage = await createPostgresStorage({ url });
  onTestFinished(storage.close);
  const sql = rawConnection(onTestFinished, url);
  const statistics = async () => {
    const rows = await sql`
      select stats::text as line from pg_stats as stats where tablename like 'verifications%' or tablename like 'webhook_attempts%'`;
    return rows.map(({ line }) => String(line)).join('\n');
  };
  await storage.clients.create({ client: CLIENT, subscription: null });
  for (const n of [1, 2, 3]) {
    const { record, ...request } = aCreateRequest(n);
    await storage.verifications.createCharged({
      ...request,
      record: { ...record, subjectReference: `${CANARY} ${n}`, metadata: { note: CANARY } },
    });
  }
  await sql`analyze`;
  expect(await statistics()).toContain(CANARY);
  expect(await storage.replaceErasedStatistics()).toEqual(NOTHING);

  // As an erasure leaves them.
  await sql`update verifications set subject_reference = 'erased:' || id, metadata = '{}'`;
  await storage.retention.recordErasure(aReceipt());
  return { url, storage, sql, statistics };
}

/** Opens a storage that does not migrate, and closes it after the test. */
export async function openedAs(options: { url: string; directUrl?: string }) {
  const storage = await createPostgresStorage({ ...options, migrate: false });
  onTestFinished(storage.close);
  return storage;
}

/** A receipt of an erasure that has ended. */
export function aReceipt(): Parameters<PostgresStorage['retention']['recordErasure']>[0] {
  const now = new Date();
  const { clientId, id: verificationId } = aCreateRequest(1).record;
  const counts = { steps: 0, files: 0, events: 1 };
  return {
    number: 1,
    clientId,
    verificationId,
    at: now,
    rule: 'log',
    ...counts,
    hash: keyHash(1),
    finishedAt: now,
  };
}
