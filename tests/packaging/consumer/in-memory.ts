import { createCountersign, isCountersignError } from '@countersign/domain';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';

// The whole core without I/O and with a fixed clock.
const clock = createFixedClock('2026-03-01T10:00:00Z');
const countersign = createCountersign(
  {
    storage: createMemoryStorage(),
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(clock),
    clock,
    ids: createCountingIds(),
    secrets: createCountingSecrets(),
  },
  { publicBaseUrl: 'https://verify.example' },
);

const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard', monthlyLimit: 1 });
const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
const principal = await countersign.authenticate(key);
const create = (subjectReference: string) =>
  countersign.verifications.create(principal, { subjectType: 'kyb', subjectReference });

const { verification } = await create('company_1');
const refused = await create('company_2').catch((error: unknown) => isCountersignError(error, 'LIMIT_EXCEEDED'));
clock.set('2026-04-01T00:00:00Z');
const { verification: nextMonth } = await create('company_2');

console.log(JSON.stringify([verification.requestedAt, refused, nextMonth.requestedAt]));
