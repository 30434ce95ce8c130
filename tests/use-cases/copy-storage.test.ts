// Copies every table between each pair of storages, which is slow on a real Postgres.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  copyStorage,
  type Storage,
  TRANSFER_KINDS,
  type TransferSource,
  type TransferTarget,
  type VerificationCounts,
} from '@countersign/domain/storage';
import { createMemoryStorage } from '@countersign/memory';
import { ALL_SUITES } from '@countersign/storage-contract';
import {
  createPostgresStorage,
  createPostgresTransferTarget,
  migratePostgres,
} from '@countersign/storage-postgres';
import { createSqliteStorage, createSqliteTransferTarget, migrateSqlite } from '@countersign/storage-sqlite';
import { DELETE_ALL } from '@countersign/test-support/installation/delete-all';
import { extent } from '@countersign/test-support/installation/extent';
import { temporaryFolder } from '@countersign/test-support/processes/temporary-folder';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

/** Suites of the storage contract that store every kind of entry, in every status. */
const SUITES = [
  'journeys',
  'API keys',
  'revocation',
  'key cap',
  'subscriptions',
  'webhook endpoints',
  'fan-out',
  'webhook log',
  'webhook secrets',
  'own values',
  'due in sandbox',
  'audit log',
];

/** Cases of each suite that Postgres copies, where a case takes five times as long as on SQLite. */
const ON_POSTGRES = extent({ full: Number.POSITIVE_INFINITY, short: 3 });

/** @param atMost the number of cases of each suite */
function casesOfSuites(atMost = Number.POSITIVE_INFINITY) {
  return SUITES.flatMap((name) => {
    const suite = ALL_SUITES.find((each) => each.name === name);
    if (suite === undefined) throw new Error(`The storage contract has no suite ${name}`);
    return suite.cases.slice(0, atMost).map((one) => ({ name: `${name}: ${one.name}`, run: one.run }));
  });
}

type Case = ReturnType<typeof casesOfSuites>[number];

/** Copies what the suite stored to the other storage and back, and compares it. The place keeps the counts of its copy. */
async function expectRoundTrip(
  run: Case['run'],
  place: TransferTarget & { close(): Promise<void> },
  open: () => Promise<Storage>,
): Promise<void> {
  const [first, last] = [createMemoryStorage(), createMemoryStorage()];
  await run(first);

  await copyStorage({ from: first.transfer, to: place, batchSize: 3 });
  await copyStorage({ from: place, to: last.transfer, batchSize: 2 });

  expect(await contentOf(last.transfer)).toEqual(await contentOf(first.transfer));
  await last.ping();
  await place.close();
  const copied = await open();
  onTestFinished(() => copied.close());
  expect(await leaseAll(copied)).toEqual(await leaseAll(last));
  for (const { client } of await first.clients.list()) {
    expect(sorted(await copied.verifications.counts(client.id))).toEqual(
      sorted(await first.verifications.counts(client.id)),
    );
  }
}

/** Leases every endpoint for which something waits, and returns their ids. */
async function leaseAll({ webhooks }: Storage): Promise<string[]> {
  const now = new Date('2100-01-01T00:00:00Z');
  const leaseToken = 'dddddddd-0000-7000-8000-000000000000';
  const leased = await webhooks.leaseEndpoints({ leaseToken, now, until: now, limit: 100 });
  return leased.map(({ id }) => id).sort();
}

const sorted = (counts: readonly VerificationCounts[]): VerificationCounts[] =>
  counts.toSorted((a, b) => a.day - b.day || (a.type < b.type ? -1 : 1));

function contentOf(source: TransferSource): Promise<unknown[]> {
  return Promise.all(TRANSFER_KINDS.map((kind) => source.read(kind, null, 10_000)));
}

describe('a storage in memory, copied into SQLite and back', () => {
  const template = join(temporaryFolder(), 'countersign.db');
  beforeAll(() => migrateSqlite({ file: template }));

  // Migrated once: migrating takes longer than most cases. tests/faults/copy.test.ts copies into new databases.
  it.each(casesOfSuites())('$name', async ({ run }) => {
    const file = join(temporaryFolder(), 'countersign.db');
    copyFileSync(template, file);
    const target = await createSqliteTransferTarget({ file });
    onTestFinished(() => target.close());
    await expectRoundTrip(run, target, () => createSqliteStorage({ file }));
  });

  it('a storage in memory with an unfinished copy says so', async () => {
    const { transfer, ping } = createMemoryStorage();
    await transfer.begin();
    await expect(ping()).rejects.toThrow('is not finished');
    await transfer.finish();
    await ping();
  });
});

describeWith(['postgres'], 'what was made in memory, copied into Postgres and back', () => {
  let server: PostgresServer;
  let url: string;
  let raw: postgres.Sql;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    url = await server.createDatabase();
    await migratePostgres({ url });
    raw = postgres(url, { max: 1, fetch_types: false, onnotice: () => undefined });
  });
  afterAll(async () => {
    await raw.end();
    await server.stop();
  });

  // One database, emptied each time: creating or migrating another takes Postgres longer than most tests.
  it.each(casesOfSuites(ON_POSTGRES))('$name', async ({ run }) => {
    await raw.unsafe(DELETE_ALL);
    const target = await createPostgresTransferTarget({ url });
    onTestFinished(() => target.close());
    await expectRoundTrip(run, target, () => createPostgresStorage({ url }));
  });
});
