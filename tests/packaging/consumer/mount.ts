import { createCountersign } from '@countersign/domain';
import { createApi } from '@countersign/http';
import {
  createCountingIds,
  createCountingSecrets,
  createFixedClock,
  createMemoryRateLimiter,
  createMemoryStorage,
} from '@countersign/memory';
import { Hono } from 'hono';

const clock = createFixedClock();
const ids = createCountingIds();
const ports = { storage: createMemoryStorage(), rateLimiter: createMemoryRateLimiter(clock), clock, ids };
const countersign = createCountersign(
  { ...ports, sealing: 'none', secrets: createCountingSecrets() },
  { publicBaseUrl: 'https://verify.example' },
);

// The API mounted in a larger application.
const app = new Hono()
  .get('/', (context) => context.text('Ours'))
  .route(
    '/api/v1',
    createApi(countersign, {
      clientAddress: () => '192.0.2.1',
      newRequestId: () => ids.next(),
      onFault: (fault) => console.error(fault),
    }),
  );

const { client } = await countersign.clients.create({ name: 'Acme', plan: 'standard' });
const { value: key } = await countersign.apiKeys.issue(client.id, { permissions: ['*'] });
const answers = await Promise.all([
  app.request('/'),
  app.request('/api/v1/openapi.json'),
  app.request('/api/v1/verifications', { headers: { 'X-API-Key': key } }),
]);
console.log(JSON.stringify(answers.map(({ status }) => status)));
