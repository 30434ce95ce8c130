import { inspect } from 'node:util';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { startJobs } from './jobs.ts';
import { createService } from './service.ts';
import { createLmdbStorage } from './storage/lmdb-storage.ts';

// Newest first, at least 32 bytes each. They sign the links of subjects and encrypt their data: keep them.
const secretKeys = [Buffer.from(process.env.SECRET_KEY ?? '', 'base64')];
const port = Number(process.env.PORT ?? 3000);
const storage = createLmdbStorage(process.env.DATA_FOLDER ?? 'data');

const onFault = (fault: unknown): void => void process.stderr.write(`${inspect(fault)}\n`);
const { app, countersign } = createService({
  storage,
  sealing: createSealing({ keys: createKeyRing(secretKeys) }),
  rateLimiter: createMemoryRateLimiter(),
  clock: createSystemClock(),
  ids: createUuidIds(),
  secrets: createNodeSecrets(secretKeys),
  publicBaseUrl: process.env.PUBLIC_BASE_URL ?? `http://localhost:${port}`,
  onFault,
});
const jobs = startJobs(countersign, onFault);
// The storage closes last: requests and jobs use it until they end.
app.addHook('onClose', async () => {
  await jobs.stop();
  await storage.close();
});
process.once('SIGTERM', () => void app.close());
process.stdout.write(`${await app.listen({ port })}\n`);
