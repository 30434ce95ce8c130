// One of several processes that issue keys of one client concurrently:
//
//   node --conditions=source issue-keys.mjs DATABASE CLIENT_ID COUNT
//
// DATABASE is a SQLite file or a Postgres URL. Prints `ready`, waits for SIGUSR2, issues all keys concurrently and prints
// the outcomes as a JSON array.
import { createCountersign, isCountersignError } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createPostgresStorage } from '@countersign/storage-postgres';
import { createSqliteStorage } from '@countersign/storage-sqlite';

const [database = '', clientId = '', count = ''] = process.argv.slice(2);
const storage = database.startsWith('postgres:')
  ? await createPostgresStorage({ url: database })
  : await createSqliteStorage({ file: database });
const { apiKeys } = createCountersign(
  {
    storage,
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(),
    clock: createSystemClock(),
    ids: createUuidIds(),
    secrets: createNodeSecrets([new Uint8Array(32)]),
  },
  { publicBaseUrl: 'https://verify.example' },
);

const go = new Promise((resolve) => process.once('SIGUSR2', resolve));
// A signal listener alone does not keep a process alive.
const waiting = setInterval(() => undefined, 1_000);
process.stdout.write('ready\n');
await go;
clearInterval(waiting);

const outcomes = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    try {
      await apiKeys.issue(clientId, { permissions: ['*'] });
      return 'issued';
    } catch (error) {
      return isCountersignError(error) ? error.code : String(error);
    }
  }),
);
await storage.close();
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
