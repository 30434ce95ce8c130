import { createMemoryStorage } from '@countersign/memory';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { expect, test } from 'vitest';
import { createLog } from '../logging/log.ts';
import { createCoreContainer } from './core-container.ts';
import { tokens } from './tokens.ts';

function newContainer(secret: number) {
  return createCoreContainer({
    storage: createMemoryStorage(),
    rateLimiter: createMemoryRateLimiter(),
    secretKeys: [Buffer.alloc(32, secret)],
    settings: { publicBaseUrl: 'https://verify.example' },
    log: createLog({ level: 'silent', output: { write: () => undefined } }),
  });
}

test('a container makes each thing once', () => {
  const container = newContainer(1);
  expect(container.resolve(tokens.countersign)).toBe(container.resolve(tokens.countersign));
  expect(container.resolve(tokens.secrets)).toBe(container.resolve(tokens.secrets));
});

test('two containers share nothing', async () => {
  const [first, second] = [newContainer(1), newContainer(2)];
  expect(first.resolve(tokens.countersign)).not.toBe(second.resolve(tokens.countersign));
  expect(first.resolve(tokens.secrets).sign('x')).not.toBe(second.resolve(tokens.secrets).sign('x'));
  await first.resolve(tokens.countersign).clients.create({ name: 'Acme', plan: 'none' });
  expect(await second.resolve(tokens.countersign).clients.list()).toEqual([]);
});
