import { createMemoryStorage } from '@countersign/memory';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { expect, test } from 'vitest';
import { createCore } from './core.ts';

function newCore(secret: number) {
  return createCore({
    storage: createMemoryStorage(),
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(),
    secretKeys: [Buffer.alloc(32, secret)],
    settings: { publicBaseUrl: 'https://verify.example' },
  });
}

test('createCore: two cores in one process share neither secrets nor clients', async () => {
  const [first, second] = [newCore(1), newCore(2)];
  expect(first.secrets.sign('x')).not.toBe(second.secrets.sign('x'));
  await first.countersign.clients.create({ name: 'Acme', plan: 'none' });
  expect(await second.countersign.clients.list()).toEqual([]);
});
