import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { createService } from './service.ts';
import { createLmdbStorage } from './storage/lmdb-storage.ts';

// Newest first, at least 32 bytes each. They sign the links of subjects and encrypt their data: keep them.
const secretKeys = [Buffer.from(process.env.SECRET_KEY ?? '', 'base64')];
const port = Number(process.env.PORT ?? 3000);
const storage = createLmdbStorage(process.env.DATA_FOLDER ?? 'data');

const { app } = createService({
  storage,
  sealing: createSealing({ keys: createKeyRing(secretKeys) }),
  rateLimiter: createMemoryRateLimiter(),
  clock: createSystemClock(),
  ids: createUuidIds(),
  secrets: createNodeSecrets(secretKeys),
  publicBaseUrl: process.env.PUBLIC_BASE_URL ?? `http://localhost:${port}`,
});
app.addHook('onClose', () => storage.close());
process.once('SIGTERM', () => void app.close());
process.stdout.write(`${await app.listen({ port })}\n`);
