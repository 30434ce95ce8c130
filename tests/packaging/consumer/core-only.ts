import { createCountersign } from '@countersign/domain';
import { createMemoryRateLimiter, createMemoryStorage } from '@countersign/memory';
import { createNodeSecrets, createSystemClock, createUuidIds } from '@countersign/runtime';

const { clients, apiKeys, verifications, dataKeys, audit } = createMemoryStorage();
const clock = createSystemClock();
const countersign = createCountersign(
  {
    storage: { clients, apiKeys, verifications, dataKeys, audit },
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids: createUuidIds(),
    secrets: createNodeSecrets([Buffer.alloc(32, 7)]),
  },
  { publicBaseUrl: 'https://verify.example', withoutErasure: true },
);

const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
const principal = await countersign.authenticate(key);
const body = { subjectType: 'kyc', subjectReference: 'user_1' };
const { verification } = await countersign.verifications.create(principal, body);
const { verifications: listed } = await countersign.verifications.list(principal, {});
await countersign.verifications.withdraw(principal, verification.id);
console.log(listed.length, (await countersign.verifications.get(principal, verification.id)).status);
