import { createCountersign } from '@countersign/domain';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';
import { createSqliteStorage } from '@countersign/storage-sqlite';

const storage = await createSqliteStorage({ file: 'data/countersign.db' });
const countersign = createCountersign(
  {
    storage,
    rateLimiter: createMemoryRateLimiter(),
    clock: createSystemClock(),
    ids: createUuidIds(),
    // Newest first, at least 32 bytes each. They sign the links of subjects: keep them.
    secrets: createNodeSecrets([Buffer.from(process.env.SECRET_KEY ?? '', 'base64')]),
  },
  { publicBaseUrl: 'https://verify.example' },
);

// Once, for each client.
const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });

// For each request.
const principal = await countersign.authenticate(key);
const { verification } = await countersign.verifications.create(principal, {
  subjectType: 'kyc',
  subjectReference: 'user_1',
});
console.log(`Send the subject to ${verification.verificationUrl}`);

await storage.close();
