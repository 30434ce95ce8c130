import { createCountersign } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createKeyRing, createSealing } from '@countersign/sealing';
import { createSqliteStorage } from '@countersign/storage-sqlite';

// Newest first, at least 32 bytes each. They sign the links of subjects: keep them.
const secretKeys = [Buffer.from(process.env.SECRET_KEY ?? '', 'base64')];
const storage = await createSqliteStorage({ file: 'data/countersign.db' });
const countersign = createCountersign(
  {
    storage,
    // Encrypts personal data with the same secrets; `'none'` would store it as plain text.
    sealing: createSealing({ keys: createKeyRing(secretKeys) }),
    rateLimiter: createMemoryRateLimiter(),
    clock: createSystemClock(),
    ids: createUuidIds(),
    secrets: createNodeSecrets(secretKeys),
  },
  { publicBaseUrl: 'https://verify.example' },
);

// Once, for each client.
const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });

// For each request. It counts toward the client's rate: above it, `authenticate` throws RATE_LIMIT_EXCEEDED.
const principal = await countersign.authenticate(key);
const { verification } = await countersign.verifications.create(principal, {
  subjectType: 'kyc',
  subjectReference: 'user_1',
});
console.log(`Send the subject to ${verification.verificationUrl}`);

await storage.close();
