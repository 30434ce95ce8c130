// Every case of the webhooks on sealed SQLite and Postgres.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Storage } from '@countersign/domain/storage';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { ALL_SUITES } from '@countersign/storage-contract';
import { createPostgresStorage, migratePostgres } from '@countersign/storage-postgres';
import { createSqliteStorage, migrateSqlite } from '@countersign/storage-sqlite';
import { type EmptiedStorage, emptiedStorage } from '@countersign/test-support/installation/emptied-storage';
import { temporaryDirectory } from '@countersign/test-support/processes/temporary-directory';
import { EXPECTED_TO_FAIL } from '@countersign/test-support/records/sealed-contract';
import { describeWith, type PostgresServer, startPostgres } from '@countersign/test-support/servers';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';

const sealing = createSealing({ keys: createKeyRing([Buffer.alloc(32, 7)]) });

/** The suites that use the secrets of endpoints, or change endpoints. */
const SUITES = ALL_SUITES.filter(({ name }) => /webhook|fan-out|lease|due deliveries|settlements/.test(name));

/** @param create returns an empty storage, which is closed after the case */
function webhooksContract(create: () => Promise<Storage>): void {
  const cases = SUITES.flatMap((suite) =>
    suite.cases.map(({ name, run }) => ({ name: `${suite.name}: ${name}`, run })),
  );
  for (const { name, run } of cases) {
    const test = EXPECTED_TO_FAIL.includes(name) ? it.fails : it;
    test(name, async () => {
      const storage = await create();
      onTestFinished(() => storage.close());
      await run({ ...storage, webhooks: sealing.sealWebhooks(storage.webhooks) });
    });
  }
}

describe('the contract of webhooks, on sealed SQLite', () => {
  let template: string;
  beforeAll(async () => {
    template = join(temporaryDirectory(afterAll), 'countersign.db');
    await migrateSqlite({ file: template });
  });

  webhooksContract(async () => {
    const file = join(temporaryDirectory(onTestFinished), 'countersign.db');
    copyFileSync(template, file);
    return createSqliteStorage({ file });
  });
});

describeWith(['postgres'], 'the contract of webhooks, on sealed Postgres', () => {
  let server: PostgresServer;
  let url: string;
  let raw: postgres.Sql;
  let emptied: EmptiedStorage;
  beforeAll(async () => {
    server = await startPostgres({ fsync: false });
    url = await server.createDatabase();
    await migratePostgres({ url });
    raw = postgres(url, { max: 1, onnotice: () => undefined });
    emptied = emptiedStorage(raw, () => createPostgresStorage({ url }));
  });
  afterAll(async () => {
    await emptied.close();
    await raw.end();
    await server.stop();
  });

  webhooksContract(() => emptied.take());
});
