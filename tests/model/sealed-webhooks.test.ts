// Every case of the webhooks on sealed SQLite and Postgres.
import { createKeyRing, createSealing } from '@countersign/sealing';
import { ALL_SUITES } from '@countersign/storage-contract';
import {
  givenPostgresStorage,
  givenSqliteStorages,
  type TakeStorage,
} from '@countersign/test-support/installation/given-storages';
import { EXPECTED_TO_FAIL } from '@countersign/test-support/records/sealed-contract';
import { describeWith } from '@countersign/test-support/servers';
import { describe, it } from 'vitest';

const sealing = createSealing({ keys: createKeyRing([Buffer.alloc(32, 7)]) });

/** The suites that use the secrets of endpoints, or change endpoints. */
const SUITES = ALL_SUITES.filter(({ name }) => /webhook|fan-out|lease|due deliveries|settlements/.test(name));

function webhooksContract(take: TakeStorage): void {
  const cases = SUITES.flatMap((suite) =>
    suite.cases.map(({ name, run }) => ({ name: `${suite.name}: ${name}`, run })),
  );
  for (const { name, run } of cases) {
    const test = EXPECTED_TO_FAIL.includes(name) ? it.fails : it;
    test(name, async () => {
      const storage = await take();
      await run({ ...storage, webhooks: sealing.sealWebhooks(storage.webhooks) });
    });
  }
}

describe('the contract of webhooks, on sealed SQLite', () => {
  webhooksContract(givenSqliteStorages());
});

describeWith(['postgres'], 'the contract of webhooks, on sealed Postgres', () => {
  webhooksContract(givenPostgresStorage());
});
