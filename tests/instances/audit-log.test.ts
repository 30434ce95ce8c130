import type { AuditFindings } from '@countersign/domain';
import { atOnce } from '@countersign/test-support/api/api-client';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import {
  countersign,
  countersignHere,
  runCountersignHere,
} from '@countersign/test-support/processes/command-line';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, expect, it } from 'vitest';

const PROCESSES = 6;

describeWith(['postgres'], 'concurrent processes on one Postgres', () => {
  let postgres: PostgresServer;

  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());

  it('append to one audit chain without losing entries, and audit verify finds a changed entry', async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), DATA_DIR: temporaryFolder() };
    await countersignHere(['migrate'], env);
    const create = ['client', 'create', '--name', 'Acme', '--plan', 'none'];
    const verify = () => countersignHere<AuditFindings>(['audit', 'verify'], env);

    const made = await atOnce(PROCESSES, () => countersign<{ id: string }>(create, env));

    // Each action appends one entry before it runs and one with the id that it created.
    expect(await verify()).toMatchObject({ outcome: 'intact', entries: 2 * PROCESSES });
    const lines = await withDatabase(
      env.DATABASE_URL,
      (sql) => sql`select target_id from audit_entries where target_id is not null order by sequence`,
    );
    expect(lines.map(({ target_id }) => String(target_id)).toSorted()).toEqual(
      made.map(({ id }) => id).toSorted(),
    );

    await withDatabase(env.DATABASE_URL, async (sql) => {
      await expect(sql`update audit_entries set detail = '{}' where sequence = 5`).rejects.toThrow('is refused');
      await sql`alter table audit_entries disable trigger audit_entries_append_only`;
      await sql`update audit_entries set from_address = '192.0.2.1' where sequence = 5`;
    });
    const found = await runCountersignHere(['audit', 'verify', '--json'], env);
    expect([found.code, JSON.parse(found.stdout)]).toEqual([
      1,
      { outcome: 'broken', sequence: 5, reason: 'wrong_hash' },
    ]);
  });
});
