// Starts the command line on a Postgres for each case, beside writers.
import type { Storage } from '@countersign/domain/storage';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { createSqliteStorage } from '@countersign/storage-sqlite';
import { change } from '@countersign/test-support/installation/database-file';
import { withDatabase } from '@countersign/test-support/installation/postgres-database';
import { LIST } from '@countersign/test-support/records/queries';
import { createRequest, pendingRecord } from '@countersign/test-support/records/verification';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newOperator, type Operator, operatorOfEachTest } from '../../test-support/operator.ts';
import type { DoctorReport } from './doctor.ts';

const EVERYTHING = { ...LIST, sortOrder: 'asc', limit: 100 } as const;

/** A database of an operator, which something else than Countersign can change. */
interface Place {
  readonly operator: Operator;
  open(): Promise<Storage>;
  tamper(sql: string): Promise<void>;
}

const idOf = (n: number): string => `0198c0de-0000-7000-8000-00000000000${n}`;

async function givenPending(place: Place, count: number): Promise<string> {
  const { id: clientId } = await place.operator.newClient();
  const storage = await place.open();
  for (let n = 1; n <= count; n += 1) {
    const id = idOf(n);
    const record = pendingRecord({ clientId, id, subjectReference: `subject-${n}` });
    await storage.verifications.createCharged(createRequest(record, { eventId: id.replace('c0de', 'c0df') }));
  }
  await storage.close();
  return clientId;
}

function casesOf(place: () => Place): void {
  test('names client, day and difference of tampered counts, and mends them', async () => {
    const { operator, open, tamper } = place();
    const clientId = await givenPending(place(), 3);
    await tamper('UPDATE verification_counts SET pending = -7, approved = 2');
    await tamper(
      `INSERT INTO verification_counts (client_id, day, type, rejected) VALUES ('${clientId}', 0, 'kyb', 4)`,
    );

    const storage = await open();
    onTestFinished(() => storage.close());
    // A page is planned by the counts, so it may lack verifications until they are mended.
    const { totalCount } = await storage.verifications.list(clientId, EVERYTHING);
    expect(totalCount).toBeGreaterThanOrEqual(0);

    const { exitCode, out } = await operator.run('doctor --json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      counts: { differing: 2, mended: 0 },
      problems: [
        `Wrong counts of client ${clientId} on 1970-01-01, kyb: rejected 4 instead of 0`,
        `Wrong counts of client ${clientId} on 2026-03-10, kyc: pending -7 instead of 3, approved 2 instead of 0`,
        'Run countersign doctor --mend-counts to count again',
      ],
    });

    const mending = await operator.run('doctor --mend-counts');
    expect(mending.exitCode).toBe(0);
    expect(mending.out).toContain(`Mended: Wrong counts of client ${clientId} on 1970-01-01, kyb: rejected 4`);
    expect(await operator.json<DoctorReport>('doctor')).toMatchObject({ counts: { differing: 0, mended: 0 } });
    expect(await storage.verifications.counts(clientId)).toEqual([
      { day: 20_522, type: 'kyc', counts: expect.objectContaining({ pending: 3, approved: 0 }) },
    ]);
    const { records, totalCount: mended } = await storage.verifications.list(clientId, EVERYTHING);
    expect([records.length, mended]).toEqual([3, 3]);
  });

  test('counts that are gone are mended, and no change of a verification is refused meanwhile', async () => {
    const { operator, open, tamper } = place();
    const clientId = await givenPending(place(), 2);
    await tamper('DELETE FROM verification_counts');
    const storage = await open();
    onTestFinished(() => storage.close());

    const record = await storage.verifications.find(clientId, idOf(1));
    if (record === null) throw new Error('The verification is missing');
    const submitted = { ...record, version: 2, status: 'submitted', submittedAt: record.requestedAt } as const;
    const committed = await storage.verifications.commit({ record: submitted, expectedVersion: 1, events: [] });
    expect(committed).toEqual({ outcome: 'committed' });
    expect(await operator.json('doctor --mend-counts')).toMatchObject({ counts: { differing: 1, mended: 1 } });

    expect(await storage.verifications.counts(clientId)).toEqual([
      { day: 20_522, type: 'kyc', counts: expect.objectContaining({ pending: 1, submitted: 1 }) },
    ]);
  });
}

describe('doctor on SQLite', () => {
  const operator = operatorOfEachTest();
  casesOf(() => {
    const file = `${operator.dataDir}/countersign.db`;
    return {
      operator,
      open: () => createSqliteStorage({ file }),
      tamper: async (sql) => change(file, sql),
    };
  });
});

describeWith(['postgres'], 'doctor on Postgres', () => {
  let postgres: PostgresServer;
  let operator: Operator;
  let url: string;
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: false });
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    url = await postgres.createDatabase();
    operator = newOperator({ DATABASE_URL: url });
  });
  casesOf(() => ({
    operator,
    open: () => createPostgresStorage({ url }),
    tamper: async (statement) => void (await withDatabase(url, (sql) => sql.unsafe(statement))),
  }));
});
