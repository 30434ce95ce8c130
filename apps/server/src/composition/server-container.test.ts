import { createRecentRequests } from '@countersign/http';
import { createMemoryStorage } from '@countersign/memory';
import { createMemoryRateLimiter } from '@countersign/rate-limit';
import { expect, test } from 'vitest';
import { noAccounts } from '../../test-support/local-server.ts';
import { readServerSettings } from '../config/environment.ts';
import { createLog } from '../logging/log.ts';
import { createCore } from './core.ts';
import { createServerContainer, tokens } from './server-container.ts';

function newContainer() {
  const settings = readServerSettings({});
  const storage = createMemoryStorage();
  const core = createCore({
    storage,
    sealing: 'none',
    rateLimiter: createMemoryRateLimiter(),
    secretKeys: [Buffer.alloc(32)],
    settings,
  });
  const log = createLog({ level: 'silent', output: { write: () => undefined } });
  return createServerContainer({
    settings,
    core,
    storage,
    accounts: noAccounts,
    log,
    recentRequests: createRecentRequests(),
    phase: () => 'serving' as const,
    degraded: () => [],
  });
}

test('createServerContainer: creates each part once, and shares none with another container', () => {
  const [first, second] = [newContainer(), newContainer()];
  expect(first.resolve(tokens.listener)).toBe(first.resolve(tokens.listener));
  expect(first.resolve(tokens.site)).not.toBe(second.resolve(tokens.site));
});
